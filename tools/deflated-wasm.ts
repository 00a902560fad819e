import { deflateRawSync } from "node:zlib"
import type { Plugin } from "rolldown"

/** A function from base64 to bytes, called on the WebAssembly as it begins in base64. */
const EMBEDDED = /\(A=>\{for\(var [^{}]*return E\}\)\("(AGFzb[A-Za-z0-9+/=]+)"\)/gu
const INSTANTIATED = "WebAssembly.instantiate(C,g)"

/**
 * Deflates the WebAssembly inside libsodium's module, which has it in base64: that compresses badly, and the whole becomes a
 * quarter smaller on its way. The browser inflates it where it is instantiated.
 */
export function deflateSodium(): Plugin {
  return {
    name: "deflate-sodium",
    transform: {
      filter: { id: /libsodium-sumo\.mjs$/u },
      handler(code) {
        const [embedded, ...others] = code.matchAll(EMBEDDED)
        if (embedded === undefined || others.length > 0 || code.split(INSTANTIATED).length !== 2)
          throw new Error("libsodium embeds its WebAssembly in another way than this knows: look at its new version")
        const deflated = deflateRawSync(Buffer.from(embedded[1]!, "base64"), { level: 9 }).toString("base64")
        const bytes = `Uint8Array.from(atob("${deflated}"),c=>c.charCodeAt(0))`
        const inflated = `await new Response(new Blob([C]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer()`
        return code
          .replace(embedded[0], () => bytes)
          .replace(INSTANTIATED, () => `WebAssembly.instantiate(${inflated},g)`)
      },
    },
  }
}
