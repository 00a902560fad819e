/** Whole conferences under each data cipher, and members that disagree about it. */
import { conferenceIdOf, descriptorHashOf } from "@keymoot/transport/signaling-protocol"
import { afterEach, expect, test, vi } from "vitest"
import type { Cipher, PostQuantum } from "../../../src/api/index.ts"
import * as ciphers from "../../../src/ciphers/load-cipher.ts"
import { Conference } from "../../../src/client/conference.ts"
import { descriptorSigningBytes, signedDescriptor } from "../../../src/conference/descriptor-codec.ts"
import { formatInvitation, parseInvitation } from "../../../src/conference/invitation.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import { openIdentity } from "../../../src/identity/own-identity.ts"
import { Directory } from "../../../src/runtime/directory.ts"
import { received, Room, securedWith, SERVER } from "../harness.ts"

/** The next engine that enters a conference uses this cipher, whatever the descriptor says. */
const override = vi.hoisted(() => ({ next: null as Cipher | null }))
vi.mock("../../../src/ciphers/load-cipher.ts", async (original) => {
  const { loadCipher } = await original<typeof ciphers>()
  const load: typeof loadCipher = (name, chacha) => loadCipher(override.next ?? name, chacha)
  return { loadCipher: load }
})

let room = new Room()
afterEach(async () => {
  vi.restoreAllMocks()
  override.next = null
  await room.close()
  room = new Room()
})

const CIPHERS = ["aes-256-gcm", "chacha20-poly1305", "aes-256-gcm-siv"] as const
/** Offset in a descriptor's body: version, salt, creator's key, three times and the module precede it. */
const CIPHER_AT = 1 + 16 + 32 + 24 + 1

test.each(CIPHERS)("%s: messages, a file and history arrive, and members can read the choice", async (cipher) => {
  const ada = await room.create("Ada", { cipher })
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  expect([ada.cipher, bob.cipher]).toEqual([cipher, cipher])
  const chat = bob.channel("chat", { history: true })
  const [said] = await Promise.all([received(ada, "chat", 1), chat.send("hello")])
  expect(said[0]!.text).toBe("hello")

  const content = Uint8Array.from({ length: 300_000 }, (_, i) => (i * i) & 255)
  const { ticket } = await ada.files.offer(new Blob([content]), { name: "plan" })
  const file = bob.files.open(ticket, ada.self.id)
  await file.fetch()
  expect(new Uint8Array(await (await file.blob()).arrayBuffer())).toEqual(content)

  const eve = await room.join("Eve", ada.invitation.url)
  const [handed] = await received(eve, "chat", 1)
  expect(handed!.text).toBe("hello")
  expect(handed!.transferred).not.toBeNull()
  expect(eve.cipher).toBe(cipher)
})

test("two conferences of one engine use two ciphers at once", async () => {
  const identity = await room.identity("Ada")
  const first = await room.create("Host", { cipher: "aes-256-gcm-siv" })
  const second = await Conference.create({ server: SERVER, identity, cipher: "chacha20-poly1305" })
  const joined = await Conference.join({ url: first.invitation.url, identity })
  const guest = await room.join("Guest", second.invitation.url)
  await Promise.all([first, joined, second, guest].map((conference) => securedWith(conference, 2)))
  const [said] = await Promise.all([received(joined, "chat", 1), first.channel("chat", { history: true }).send("one")])
  const [told] = await Promise.all([received(guest, "chat", 1), second.channel("chat", { history: true }).send("two")])
  expect([joined.cipher, guest.cipher, said[0]!.text, told[0]!.text]).toEqual([
    "aes-256-gcm-siv",
    "chacha20-poly1305",
    "one",
    "two",
  ])
})

/** Codes of the events that a conference reports, and of whom. */
function eventsOf(conference: Conference): { readonly code: string; readonly member: string | null }[] {
  const events: { readonly code: string; readonly member: string | null }[] = []
  conference.on("security", ({ code, member }) => void events.push({ code, member }))
  return events
}

/** A member whose engine uses another cipher than the descriptor's joins one that is alone. */
async function joinWithOther(postQuantum: PostQuantum) {
  const ada = await room.create("Ada", { postQuantum })
  await securedWith(ada, 1)
  const views: number[] = []
  ada.on("view", ({ members }) => void views.push(members.length))
  const atAda = eventsOf(ada)
  override.next = "chacha20-poly1305"
  const eve = await room.join("Eve", ada.invitation.url)
  override.next = null
  return { ada, eve, atAda, atEve: eventsOf(eve), views }
}

test("gives no key to a member that uses another cipher than the descriptor's", async () => {
  const { eve, atAda, views } = await joinWithOther("off")
  await expect.poll(() => atAda.map(({ code }) => code), { timeout: 60_000 }).toContain("failed-confirmation")
  expect(new Set(atAda.map(({ member }) => member))).toEqual(new Set([eve.self.id]))
  expect(views).not.toContain(2)
})

test("a hybrid member that uses another cipher opens no seal, and gets no key", async () => {
  const { ada, eve, atAda, atEve, views } = await joinWithOther("hybrid")
  // One of them seals for the other, depending on their ids.
  const faults = () => [...atAda, ...atEve].filter(({ code }) => code === "agreement-fault")
  await expect.poll(faults, { timeout: 60_000 }).not.toEqual([])
  const sealer = atAda.some(({ code }) => code === "agreement-fault") ? eve : ada
  expect(new Set(faults().map(({ member }) => member))).toEqual(new Set([sealer.self.id]))
  expect(views).not.toContain(2)
})

test.each([0, 4, 255])("refuses a descriptor with the cipher code %i, and says what to do", async (code) => {
  const store = createMemoryStore()
  const ada = await room.identity("Ada", store)
  const made = await Conference.create({ server: SERVER, identity: ada })
  const invitation = parseInvitation(made.invitation.url)
  const { signer } = await openIdentity({ store })
  let forged: Uint8Array = new Uint8Array()
  const altered = async (byte: number): Promise<string> => {
    const bytes = (await store.loadInvitation(made.id))!.descriptor!
    const body = signedDescriptor.decode(bytes).body.with(CIPHER_AT, byte)
    forged = signedDescriptor.encode({ body, signature: await signer.sign(descriptorSigningBytes(body)) })
    const descriptorHash = descriptorHashOf(forged)
    return formatInvitation({ ...invitation, descriptorHash, conferenceId: conferenceIdOf(descriptorHash) })
  }
  vi.spyOn(Directory.prototype, "fetchConference").mockImplementation(async () => ({ descriptor: forged, end: null }))
  await expect(room.join("Bob", await altered(code))).rejects.toMatchObject({
    code: "invalid-link",
    message: expect.stringContaining("another version of Keymoot. Reload this page"),
  })
  // The byte is the cipher's: with another known code the same descriptor opens.
  expect((await room.join("Eve", await altered(2))).cipher).toBe("chacha20-poly1305")
})
