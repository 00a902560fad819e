import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Plugin } from "rolldown"

const PACKAGES = fileURLToPath(new URL("../../packages", import.meta.url))
/** The loop in which libsodium's wrappers name their functions: a list of names, and one of functions. */
const NAMED = /for\(var e=\[([^\]]*)\],a=\[([^\]]*)\],_=0;_<a\.length;_\+\+\)/gu

/** The lists of constants that the wrappers read from the WebAssembly: numbers, and texts. */
const CONSTANTS = /(?<=[ ;]\w+=)\["(?:SODIUM_LIBRARY_VERSION_MAJOR|SODIUM_VERSION_STRING)"[^\]]*\](?=[,;])/gu

/** With these it tests itself before it is ready. */
const OF_ITS_OWN = [
  "randombytes_buf",
  "crypto_secretbox_easy",
  "crypto_secretbox_open_easy",
  "crypto_secretbox_KEYBYTES",
  "crypto_secretbox_NONCEBYTES",
]

/** Every name of libsodium's that stands anywhere in the sources of the engine, be it in a comment. */
function mentioned(): Set<string> {
  const names = ["gke", "core"].flatMap((name) => {
    const sources = join(PACKAGES, name, "src")
    const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"))
    return files.flatMap((file) => readFileSync(join(sources, file), "utf8").match(/\bcrypto_\w+/gu) ?? [])
  })
  return new Set([...OF_ITS_OWN, ...names])
}

/** Leaves those of libsodium's functions and constants unnamed that the engine does not use: they are dropped then. */
export function trimSodium(): Plugin {
  return {
    name: "trim-sodium",
    transform: {
      filter: { id: /libsodium-wrappers\.mjs$/u },
      handler(code) {
        const [found, ...others] = code.matchAll(NAMED)
        const names = (found?.[1] ?? "").split(",").map((name) => name.slice(1, -1))
        const functions = (found?.[2] ?? "").split(",")
        if (found === undefined || others.length > 0 || names.length !== functions.length || names.length < 2)
          throw new Error("libsodium names its functions in another way than this knows: look at its new version")
        const called = mentioned()
        const kept = names.flatMap((name, i) => (called.has(name) ? [[name, functions[i]!] as const] : []))
        if (kept.length < 2) throw new Error("of libsodium's functions nearly none is called: its names have changed")
        const list = kept.map(([name]) => `"${name}"`).join(",")
        const trimmed = found[0]
          .replace(found[1]!, () => list)
          .replace(`[${found[2]!}]`, () => `[${kept.map(([, one]) => one).join(",")}]`)
        if (code.match(CONSTANTS)?.length !== 2)
          throw new Error("libsodium lists its constants in another way than this knows: look at its new version")
        const constantsOf = (array: string): string[] =>
          (JSON.parse(array) as string[]).filter((constant) => called.has(constant))
        return code
          .replace(found[0], () => trimmed)
          .replaceAll(CONSTANTS, (array) => JSON.stringify(constantsOf(array)))
      },
    },
  }
}
