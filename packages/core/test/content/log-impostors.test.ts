import type { View } from "@keymoot/transport"
import { bytesToHex, randomBytes } from "@noble/hashes/utils.js"
import { afterEach, expect, test, vi } from "vitest"
import { LogKeeper, type LogKeeperConfig } from "../../src/content/log-keeper.ts"
import { encodeAuthoredItem, signItem } from "../../src/history/log-item.ts"
import { fingerprintOf } from "../../src/identity/certificates/certificate.ts"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { VerifiedPeople } from "../../src/identity/verified-people.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { openIdentity } from "../../src/identity/own-identity.ts"

const CONFERENCE = "c0".repeat(16)
/** Calls of `normalize("NFD")` for one skeleton. Nothing else calls it here. */
const DECOMPOSITIONS_OF_A_SKELETON = 2

afterEach(() => void vi.restoreAllMocks())

function person(name: string) {
  const certificate = randomBytes(300)
  const member = bytesToHex(fingerprintOf(certificate)).slice(0, 32)
  return { member, name, publicKey: randomBytes(32), certificate, sign: async () => randomBytes(64) }
}

/** A log with one message of each author, all of whom have left, in a conference with these present people. */
async function logOf(authors: readonly ReturnType<typeof person>[], present: readonly ReturnType<typeof person>[]) {
  const store = createMemoryStore()
  const self = await openIdentity({ name: "Me", store })
  const checker = { ...createCredentialChecker(), verify: async () => true }
  const people = await VerifiedPeople.open({ ...self, store, checker })
  const log = new LogKeeper({
    conferenceId: CONFERENCE,
    signer: self.signer,
    checker,
    known: new Map(authors.map((author) => [author.member, author])),
    people,
    copy: null,
    rules: { rights: () => ({}), wasAdmitted: () => "yes" },
    roster: { present },
    named: [],
    clock: { now: () => 0 },
  } as unknown as LogKeeperConfig)
  for (const [sequence, author] of authors.entries()) await say(log, author, sequence)
  const view = { members: present.map(({ member }) => ({ id: member })) } as unknown as View
  return { log, view, people }
}

async function say(log: LogKeeper, author: ReturnType<typeof person>, sequence: number) {
  const said = { channel: "chat", payload: Uint8Array.of(1), sentAtMs: 1 }
  const item = encodeAuthoredItem(await signItem(author as never, CONFERENCE, said))
  return log.take(author.member as never, "chat", item, { epoch: 1, view: "00".repeat(32), sequence } as never)
}

test("computes each name's skeletons once when many authors are gone", async () => {
  const authors = Array.from({ length: 256 }, (_, i) => person(`Author ${i}`))
  const present = Array.from({ length: 128 }, (_, i) => person(`Person ${i}`))
  const normalize = vi.spyOn(String.prototype, "normalize")
  const skeletons = (): number => {
    const forms = normalize.mock.calls.filter(([form]) => form === "NFD").length
    normalize.mockClear()
    return forms / DECOMPOSITIONS_OF_A_SKELETON
  }
  const { log, view } = await logOf(authors, present)
  expect(log.newImpostors(view)).toEqual([])
  const ofAll = skeletons()
  expect(ofAll).toBeGreaterThan(0)
  expect(ofAll).toBeLessThanOrEqual(4 * (authors.length + present.length))
  expect(log.newImpostors(view)).toEqual([])
  expect(skeletons()).toBe(0)
})

test("reports a gone author when a present person bears its name under another key", async () => {
  const [mallory, ada] = [person("ADA"), person("Ada")]
  const { log, view } = await logOf([mallory, person("Bob")], [ada, person("Eve")])
  expect(log.newImpostors(view).map(({ member }) => member)).toEqual([mallory.member])
  expect(log.newImpostors(view)).toEqual([])
})

test("reports a gone verified author when it wrote under the name of another one", async () => {
  const [asAda, ada] = [person("Ada"), person("Ada")]
  const { log, view, people } = await logOf([asAda], [])
  await people.verify(ada.publicKey, "Ada", 1)
  await people.verify(asAda.publicKey, "Bob", 1)
  expect(log.newImpostors(view).map(({ member }) => member)).toEqual([asAda.member])
  const again = await say(log, asAda, 1)
  expect(again?.message.from).toMatchObject({ verified: false, changedKey: true })
})

test("reports no gone author when it is a present person on another device", async () => {
  const ada = person("Ada")
  const { log, view } = await logOf([{ ...person("Ada"), publicKey: ada.publicKey }], [ada, person("Ada")])
  expect(log.newImpostors(view)).toEqual([])
})
