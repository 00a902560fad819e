import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { rolldown } from "rolldown"
import { expect, test } from "vitest"
import { deflateSodium } from "./deflated-wasm.ts"

type Sodium = {
  ready: Promise<void>
  crypto_core_ristretto255_random(): Uint8Array
  crypto_core_ristretto255_is_valid_point(point: Uint8Array): boolean
}

// In a conference nobody would notice: without WebAssembly noble does the same work, more slowly.
test("libsodium with its WebAssembly deflated still runs", async () => {
  const directory = mkdtempSync(join(tmpdir(), "keymoot-sodium-"))
  const bundle = await rolldown({
    input: "libsodium-wrappers-sumo",
    cwd: join(import.meta.dirname, "../packages/gke"),
    platform: "browser",
    plugins: [deflateSodium()],
  })
  const { output } = await bundle.write({ dir: directory, entryFileNames: "sodium.mjs" })
  await bundle.close()
  const { default: sodium } = (await import(pathToFileURL(join(directory, "sodium.mjs")).href)) as { default: Sodium }
  await sodium.ready
  expect(sodium.crypto_core_ristretto255_is_valid_point(sodium.crypto_core_ristretto255_random())).toBe(true)
  expect(output[0].code).toContain("deflate-raw")
  rmSync(directory, { recursive: true })
})
