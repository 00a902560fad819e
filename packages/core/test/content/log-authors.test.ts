import type { View } from "@keymoot/transport"
import { expect, test } from "vitest"
import type { Member } from "../../src/api/index.ts"
import { LogKeeper, type LogKeeperConfig } from "../../src/content/log-keeper.ts"
import { LogCopy } from "../../src/device/log-copy.ts"
import { LocalCopy } from "../../src/device/stores/local-copy.ts"
import { createMemoryCopyStore } from "../../src/device/stores/memory-copy-store.ts"
import { transferIn } from "../../src/history/arrivals.ts"
import { splitIntoChunks } from "../../src/history/chunks.ts"
import { decodeAuthoredItem, encodeAuthoredItem, signItem } from "../../src/history/log-item.ts"
import { encodeSnapshot, takeSnapshot } from "../../src/history/log-snapshot.ts"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { deflate } from "../../src/wire/index.ts"
import { newcomer } from "../identity/people.ts"

const CONFERENCE = "c0".repeat(16)

/** Ada's device after a reload: Mallory had transferred Bob's message before, and nobody is here yet. */
async function restoredAt({ verified, admitted }: { verified: boolean; admitted: "yes" | "no" | "unknown" }) {
  const [ada, bob, mallory] = [await newcomer("Ada"), await newcomer("Bob"), await newcomer("Mallory")]
  const store = createMemoryCopyStore()
  const open = (wasAdmitted: string): { log: LogKeeper; copy: LogCopy } => {
    const copy = new LogCopy(new LocalCopy(store, ada.publicKey, CONFERENCE), (_, done) => done.catch(() => null))
    const log = new LogKeeper({
      conferenceId: CONFERENCE,
      signer: ada.signer,
      checker: createCredentialChecker(),
      known: new Map(),
      people: {
        isVerified: (key: Uint8Array) => verified && Buffer.compare(key, bob.publicKey) === 0,
        authorCheck: () => () => false,
      },
      copy,
      rules: { rights: () => ({}), wasAdmitted: () => wasAdmitted },
      roster: { present: [] },
      named: [],
      clock: { now: () => 0 },
    } as unknown as LogKeeperConfig)
    return { log, copy }
  }
  const before = open("yes")
  const view = { id: "d".repeat(64), epoch: 5, members: [] } as unknown as View
  const newcomers = [mallory.member]
  before.log.onViewStart({ view, present: newcomers, newcomers, transitional: [], awaited: newcomers })
  const signed = await signItem(bob.signer, CONFERENCE, { channel: "chat", payload: Uint8Array.of(1), sentAtMs: 1 })
  const position = { epoch: 1, view: "0".repeat(64), sequence: 1 }
  const item = { ...decodeAuthoredItem(encodeAuthoredItem(signed))!, author: bob.member, position }
  const snapshot = takeSnapshot([item], new Set(), () => bob.certificate)
  const [chunk] = splitIntoChunks(await deflate(encodeSnapshot(snapshot)), transferIn(view.id))
  await before.log.takeChunk({ id: mallory.member, name: "Mallory" } as Member, chunk!, view)
  await before.copy.settled
  const [message] = (await open(admitted).log.restore())!
  return message!
}

test("knows a transferred message's author after a reload when it is verified", async () => {
  const { from, transferred } = await restoredAt({ verified: true, admitted: "unknown" })
  expect([from.verified, transferred?.by.name, transferred?.authorKnown]).toEqual([true, "Mallory", true])
})

test.each([
  ["nobody verified it", false, "unknown"],
  ["no host ever admitted it", true, "no"],
] as const)("does not know a transferred message's author when %s", async (_, verified, admitted) => {
  expect((await restoredAt({ verified, admitted })).transferred?.authorKnown).toBe(false)
})
