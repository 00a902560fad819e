import { deflateRawSync } from "node:zlib"
import binaryen from "binaryen"
import type { Plugin } from "rolldown"

/** A function from base64 to bytes, called on the WebAssembly as it begins in base64. */
const EMBEDDED = /\(A=>\{for\(var [^{}]*return E\}\)\("(AGFzb[A-Za-z0-9+/=]+)"\)/gu
const INSTANTIATED = "WebAssembly.instantiate(C,g)"
/** `g._crypto_hash=A.b`: the short name under which the WebAssembly exports a function. */
const EXPORTED = /\bg\.(_\w+)=A\.([\w$]+)/gu
/** The same when it has been minified. */
const ASSIGNED = /[\w$]+\.(_\w+)=[\w$]+\.([\w$]+),/gu

/**
 * Makes libsodium's module smaller for download. Its WebAssembly keeps only the functions that the bundle calls, and
 * their callees. It is embedded in base64, which compresses badly. So it is deflated before, and the browser inflates
 * it where it is instantiated.
 */
export function deflateSodium(): Plugin {
  let wasm = ""
  let exported = new Map<string, string>()
  return {
    name: "deflate-sodium",
    transform: {
      filter: { id: /libsodium-sumo\.mjs$/u },
      handler(code) {
        const [embedded, ...others] = code.matchAll(EMBEDDED)
        if (embedded === undefined || others.length > 0 || code.split(INSTANTIATED).length !== 2)
          throw new Error("libsodium embeds its WebAssembly in another way than this knows: look at its new version")
        wasm = embedded[1]!
        exported = new Map([...code.matchAll(EXPORTED)].map(([, name, short]) => [name!, short!]))
        const bytes = `Uint8Array.from(atob("${wasm}"),c=>c.charCodeAt(0))`
        const inflated = `await new Response(new Blob([C]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer()`
        return code
          .replace(embedded[0], () => bytes)
          .replace(INSTANTIATED, () => `WebAssembly.instantiate(${inflated},g)`)
      },
    },
    // Only now is known what the bundle has kept of libsodium's wrappers.
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk" || wasm === "" || !chunk.code.includes(wasm)) continue
        const used = namesIn(chunk.code)
        const unused = new Map([...exported].filter(([name]) => !used.has(name)))
        const trimmed = without(Buffer.from(wasm, "base64"), unused.values())
        const deflated = deflateRawSync(trimmed, { level: 9 }).toString("base64")
        const kept = chunk.code.replaceAll(ASSIGNED, (assigned, name: string, short: string) =>
          unused.get(name) === short ? "" : assigned,
        )
        chunk.code = kept.replace(wasm, () => deflated)
      }
    },
  }
}

/** Read as properties; or as words, whose small letters name the function that returns a constant. */
function namesIn(code: string): Set<string> {
  const read = [...code.matchAll(/\.(_\w+)\b(?!=)/gu)].map(([, name]) => name!)
  const words = [...code.matchAll(/\b(?:crypto|sodium|randombytes)_\w+/giu)].map(([word]) => `_${word.toLowerCase()}`)
  return new Set([...read, ...words])
}

function without(wasm: Uint8Array, exports: Iterable<string>): Uint8Array {
  const module = binaryen.readBinary(wasm)
  module.setFeatures(binaryen.Features.BulkMemory | binaryen.Features.BulkMemoryOpt | binaryen.Features.SignExt)
  for (const name of exports) module.removeExport(name)
  module.runPasses(["remove-unused-module-elements"])
  if (!module.validate()) throw new Error("libsodium's WebAssembly without what is not called is not valid")
  const trimmed = module.emitBinary()
  module.dispose()
  return trimmed
}
