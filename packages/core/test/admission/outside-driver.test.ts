import { randomBytes } from "node:crypto"
import { loadSodiumX25519 } from "@keymoot/gke"
import type { MemberId, View } from "@keymoot/transport"
import { expect, test } from "vitest"
import { encodeNotice, type Notice } from "../../src/admission/statements/notice.ts"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { fingerprintOf } from "../../src/identity/certificates/certificate.ts"
import type { OwnIdentity } from "../../src/identity/own-identity.ts"
import { OutsideDriver, type OutsideDriverConfig } from "../../src/admission/outside-driver.ts"
import { type OutsideBody, sealOutside } from "../../src/outside/outside-codec.ts"
import { OutsideTalk } from "../../src/outside/outside-talk.ts"
import { newcomer } from "../identity/people.ts"

const x25519 = await loadSodiumX25519()
const checker = createCredentialChecker()
const bytes = (length: number): Uint8Array => new Uint8Array(randomBytes(length))
const scope = { conferenceId: bytes(16), descriptorHash: bytes(32) }
const [ada, bob, mallory] = (await Promise.all(["Ada", "Bob", "Mallory"].map((name) => newcomer(name)))) as [
  OwnIdentity,
  OwnIdentity,
  OwnIdentity,
]
const view = (): View => ({ id: Buffer.from(bytes(32)).toString("hex") }) as unknown as View

/** One key for two messages would show as equal pieces where the messages are equal. */
const pieces = (of: Uint8Array): string[] =>
  Array.from({ length: Math.ceil(of.length / 16) }, (_, i) =>
    Buffer.from(of.subarray(16 * i, 16 * i + 16)).toString("hex"),
  )

type Opened = OutsideBody & { readonly signature: Uint8Array }
type Heard = { readonly type: string; readonly text?: string; readonly body?: Opened }

/** One end. `waits`: the people that wait here; `host`: the host that this person waits for. */
function end(self: OwnIdentity, { waits = [], host }: { waits?: readonly OwnIdentity[]; host?: OwnIdentity }) {
  const sent: Notice[] = []
  const heard: Heard[] = []
  const gate = {
    waiting: host !== undefined,
    knocks: waits.map(({ member }) => ({ id: member })),
    isLinkedHost: (member: MemberId) => member === host?.member,
    linkedHost: (member: MemberId) => (member === host?.member ? host : null),
    outsider: (member: MemberId) => waits.find((person) => person.member === member) ?? null,
  }
  const core = { gate, talk: new OutsideTalk(), rules: { isHost: !host } }
  const config = {
    core,
    inputs: { take: (input: Heard) => heard.push(input) },
    scope,
    signer: self.signer,
    checker,
    x25519,
    notices: { take: ({ notice }: { readonly notice: Notice }) => sent.push(notice) },
  }
  return { driver: new OutsideDriver(config as unknown as OutsideDriverConfig), sent, heard }
}

/** Bob has the key of the host's epoch, and has written. */
async function written(signer = bob, writtenTo = ada) {
  const host = end(writtenTo, { waits: [bob] })
  host.driver.onKeyed(view(), bytes(32))
  host.driver.onSecured()
  host.driver.tick()
  const guest = end(signer, { host: writtenTo })
  const [told] = host.sent
  if (told?.type !== "outsideKey") throw new Error("no key was told")
  await guest.driver.receiveKey(writtenTo.member, told.key)
  await guest.driver.write("It is me", null)
  const sealed = guest.sent.flatMap((notice) => (notice.type === "outsideMessage" ? [notice.sealed] : []))
  return { host, guest, key: told.key, sealed: sealed[1]! }
}

test("a host hears a waiting person under its own signature", async () => {
  const { host, sealed } = await written()
  expect(await host.driver.receiveMessage(bob.member, sealed)).toBe(true)
  expect(host.heard).toMatchObject([{ type: "guestWrote", from: bob.member, body: { text: "It is me" } }])
})

test("a host hears nobody that does not wait, such as a removed member", async () => {
  const { host, sealed } = await written(mallory)
  expect(await host.driver.receiveMessage(mallory.member, sealed)).toBe(true)
  expect(host.heard).toEqual([])
})

test("a message counts for nobody but the one that signed it", async () => {
  const { host, sealed } = await written(mallory)
  expect(await host.driver.receiveMessage(bob.member, sealed)).toBe(false)
  expect(host.heard).toEqual([])
})

test("a message to a key two epochs old is not heard", async () => {
  const { host, sealed } = await written()
  host.driver.onKeyed(view(), bytes(32))
  expect(await host.driver.receiveMessage(bob.member, sealed)).toBe(true)
  expect(host.heard).toHaveLength(1)
  host.driver.onKeyed(view(), bytes(32))
  expect(await host.driver.receiveMessage(bob.member, sealed)).toBe(true)
  expect(host.heard).toHaveLength(1)
})

test("a message to another group's host is not heard, nor when that host reseals it", async () => {
  const { host, key } = await written()
  const { host: other, sealed } = await written(bob, mallory)
  expect(await host.driver.receiveMessage(bob.member, sealed)).toBe(true)
  await other.driver.receiveMessage(bob.member, sealed)
  const { signature, ...body } = other.heard[0]!.body!
  const ephemeralSecret = bytes(32)
  const again = sealOutside(x25519, "message", scope, { key, body, signature, ephemeralSecret })!
  expect(await host.driver.receiveMessage(bob.member, again)).toBe(false)
  expect(host.heard).toEqual([])
})

test("shares no sealed block, and names no author, when one text is written twice", async () => {
  const { host, guest, sealed } = await written()
  await host.driver.receiveMessage(bob.member, sealed)
  const { replyKey, signature } = host.heard[0]!.body!
  await guest.driver.write("It is me", null)
  const lines = guest.sent.slice(1).flatMap((notice) => (notice.type === "outsideMessage" ? [notice] : []))
  const blocks = lines.flatMap(({ sealed: { enc, ciphertext } }) => [...pieces(enc), ...pieces(ciphertext)])
  expect(lines).toHaveLength(2)
  expect(new Set(blocks).size).toBe(blocks.length)
  const sent = Buffer.concat(guest.sent.map(encodeNotice))
  const names = [bob.certificate, fingerprintOf(bob.certificate), bob.publicKey, replyKey, signature]
  expect(names.filter((part) => sent.includes(Buffer.from(part)))).toEqual([])
})

test("a host tells its key only in a secured view, and once for each epoch", () => {
  const { driver, sent } = end(ada, { waits: [bob] })
  driver.tick()
  driver.onKeyed(view(), bytes(32))
  driver.tick()
  expect(sent).toEqual([])
  driver.onSecured()
  for (let i = 0; i < 5; i++) driver.tick()
  expect(sent).toHaveLength(1)
  driver.onKeyed(view(), bytes(32))
  driver.onSecured()
  driver.tick()
  expect(sent).toHaveLength(2)
})

test("a waiting person takes keys and answers from a linked host only", async () => {
  const guest = end(bob, { host: ada })
  await guest.driver.receiveKey(mallory.member, x25519.publicKey(bytes(32)))
  await expect(guest.driver.write("hello", null)).rejects.toMatchObject({ code: "no-answer" })
  const { guest: other } = await written()
  const answer = { key: bytes(32), enc: bytes(32), ciphertext: bytes(100) }
  expect(await other.driver.receiveAnswer(mallory.member, answer)).toBe(true)
  expect(other.heard.filter(({ type }) => type === "hostWrote")).toEqual([])
})

test("lines written at once leave in order, although a signature takes longer", async () => {
  let signatures = 0
  const sign = async (data: Uint8Array): Promise<Uint8Array> => {
    const turns = signatures++ === 1 ? 200 : 0
    for (let turn = 0; turn < turns; turn++) await new Promise((done) => setImmediate(done))
    return bob.signer.sign(data)
  }
  const guest = end({ ...bob, signer: { ...bob.signer, sign } } as OwnIdentity, { host: ada })
  const host = end(ada, { waits: [bob] })
  host.driver.onKeyed(view(), bytes(32))
  host.driver.onSecured()
  host.driver.tick()
  const [told] = host.sent
  if (told?.type !== "outsideKey") throw new Error("no key was told")
  await guest.driver.receiveKey(ada.member, told.key)
  await Promise.all(["one", "two"].map((text) => guest.driver.write(text, null)))
  for (const notice of guest.sent.slice(1)) {
    if (notice.type === "outsideMessage") await host.driver.receiveMessage(bob.member, notice.sealed)
  }
  expect(host.heard.map(({ body }) => body?.text)).toEqual(["one", "two"])
})
