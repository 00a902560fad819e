import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { hexToBytes } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import { decodeLinkMessage, encodeLinkMessage } from "../../src/wire/frame.ts"
import { bytesOf, overlaySession, session } from "../wire/sample-session.ts"

const ROOT = new URL("../../../../", import.meta.url)

function read(path: string): string {
  return readFileSync(new URL(path, ROOT), "utf8")
}

/** By heading, as docs/protocol/v1.md shows them. */
function sampleBytes(): Map<string, Uint8Array> {
  const blocks = read("docs/protocol/v1.md").matchAll(/^\*\*([^\n]+?)\*\*[^\n]*\n\n```hex\n(.*?)```/gmsu)
  return new Map([...blocks].map(([, name, hex]) => [name!, hexToBytes(hex!.replaceAll(/\s/gu, ""))]))
}

test("the protocol document's sample session matches the codecs byte for byte", () => {
  const shown = sampleBytes()
  const all = [...session, ...overlaySession]
  expect([...shown.keys()]).toEqual(all.map(({ name }) => name))
  for (const step of all) {
    expect(shown.get(step.name), step.name).toEqual(bytesOf(step))
    const decoded = decodeLinkMessage(shown.get(step.name)!)
    expect(decoded && encodeLinkMessage(decoded)).toEqual(bytesOf(step))
  }
})

test("the README's example runs by itself: one view, and a safe message at everybody", () => {
  const [, example] = /^```ts\n(import \{\n.*?)^```/msu.exec(read("packages/transport/README.md"))!
  const folder = mkdtempSync(join(tmpdir(), "keymoot-readme-"))
  try {
    symlinkSync(fileURLToPath(new URL("node_modules", ROOT)), join(folder, "node_modules"))
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
    writeFileSync(join(folder, "example.ts"), example!)
    const said = execFileSync(process.execPath, ["--conditions=keymoot-source", "example.ts"], {
      cwd: folder,
      encoding: "utf8",
    })
    for (const name of ["ada", "bob", "eve"]) {
      expect(said).toContain(`${name} is in a view of 3`)
      expect(said).toContain(`${name} got: all of you will have this`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
