import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type EvidenceVerdict, verifyEvidence } from "../../../src/evidence/index.ts"
import { openIdentity, type OwnIdentity } from "../../../src/identity/own-identity.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import { forged } from "../../evidence/archives.ts"
import { received, Room, securedWith } from "../harness.ts"

const PROGRAM = join(import.meta.dirname, "../../../../verify/verify.js")
const BOARD = JSON.stringify({ type: "excalidraw", elements: [{ id: "a", type: "rectangle" }] })
const room = new Room()
const directory = mkdtempSync(join(tmpdir(), "keymoot-evidence-"))
let archive: Uint8Array
/** Signed over documents that Ada changes after the call. */
let archiveOfChanged: Uint8Array
/** Bob, with the key that he has in the conference: a member that forges what it exports. */
let bob: OwnIdentity

beforeAll(async () => {
  const bobsStore = createMemoryStore()
  const ada = await room.create("Ada", { title: "The roof" })
  const { Conference } = await import("../../../src/client/conference.ts")
  const identity = await room.identity("Bob", bobsStore)
  const bobs = await Conference.join({ url: ada.invitation.url, identity })
  await Promise.all([securedWith(ada, 2), securedWith(bobs, 2)])
  const chat = (conference: typeof ada) => conference.channel("chat", { history: true })
  await chat(ada).send("Will you mend the roof for 900?")
  await received(bobs, "chat", 1)
  await chat(bobs).send("Yes, by Friday.")
  await received(ada, "chat", 2)
  archive = await ada.evidence([{ name: "board", text: BOARD }])
  const documents = [{ name: "board", text: BOARD }]
  const exporting = ada.evidence(documents)
  documents[0]!.text = "changed"
  documents.push({ name: "draft", text: "private" })
  archiveOfChanged = await exporting
  bob = await openIdentity({ store: bobsStore })
})
afterAll(async () => {
  await room.close()
  rmSync(directory, { recursive: true })
})

async function faultOf(bytes: Uint8Array): Promise<unknown> {
  const verdict: EvidenceVerdict = await verifyEvidence(bytes)
  return verdict.valid ? null : verdict.fault
}

function verifyFile(bytes: Uint8Array): { readonly code: number | null; readonly output: string } {
  const file = join(directory, "roof.keymoot")
  writeFileSync(file, bytes)
  const options = ["--conditions=keymoot-source", PROGRAM, file]
  const { status, stdout, stderr } = spawnSync(process.execPath, options, { encoding: "utf8" })
  return { code: status, output: stdout + stderr }
}

test("evidence of two members holds their messages in order, and the board", async () => {
  const verdict = await verifyEvidence(archive)
  expect(verdict).toMatchObject({
    valid: true,
    evidence: {
      conference: { title: "The roof", creator: { name: "Ada" } },
      messages: [
        { author: { name: "Ada" }, text: "Will you mend the roof for 900?", after: "none", certified: true },
        { author: { name: "Bob" }, text: "Yes, by Friday.", after: 0, certified: true, passedOn: false },
      ],
      documents: [{ name: "board", text: BOARD }],
      exporter: { name: "Ada" },
    },
  })
  const { code, output } = verifyFile(archive)
  expect(output).toContain('Document "board"')
  expect(output).toMatch(/\nVALID: 2 messages, each signed by its author for this conference\.\n$/u)
  expect(code).toBe(0)
})

test("signs the documents as they were passed when they change later", async () => {
  const evidence = { documents: [{ name: "board", text: BOARD }] }
  expect(await verifyEvidence(archiveOfChanged)).toMatchObject({ valid: true, evidence })
})

test("one changed byte of a message or of the board is named", async () => {
  // The texts are long enough that no random bytes of a key or signature contain them.
  const changed = (text: string) => {
    const bytes = archive.slice()
    bytes[Buffer.from(bytes).indexOf(text)]! ^= 1
    return bytes
  }
  expect(await faultOf(changed("Friday"))).toEqual({ part: "message", number: 2 })
  expect(await faultOf(changed("rectangle"))).toEqual({ part: "exporter", number: null })
  expect(verifyFile(changed("mend the roof"))).toEqual({
    code: 1,
    output: expect.stringContaining("NOT VALID: message 1. "),
  })
})

test("an exporter cannot change, reorder, repeat or reassign what others said", async () => {
  const other = new TextEncoder().encode("Will you mend the roof for 100?")
  const forgeries = {
    changed: await forged(archive, bob, ({ items: [first, ...rest] }) => ({
      items: [{ ...first!, item: { ...first!.item, payload: other } }, ...rest],
    })),
    reordered: await forged(archive, bob, ({ items }) => ({ items: items.toReversed() })),
    repeated: await forged(archive, bob, ({ items }) => ({ items: [...items, items[0]!] })),
    reassigned: await forged(archive, bob, ({ items: [first, ...rest] }) => ({
      items: [{ ...first!, item: { ...first!.item, fingerprint: bob.fingerprint } }, ...rest],
    })),
  }
  expect({
    changed: await faultOf(forgeries.changed),
    reordered: await faultOf(forgeries.reordered),
    repeated: await faultOf(forgeries.repeated),
    reassigned: await faultOf(forgeries.reassigned),
  }).toEqual({
    changed: { part: "message", number: 1 },
    reordered: { part: "order", number: 1 },
    repeated: { part: "message", number: 3 },
    reassigned: { part: "message", number: 1 },
  })
  for (const forgery of Object.values(forgeries)) expect(verifyFile(forgery).code).toBe(1)
})
