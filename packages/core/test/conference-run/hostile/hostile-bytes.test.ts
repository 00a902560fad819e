/**
 * Whole engines in a live conference, one of which sends arbitrary bytes. They are under its own seal and signature and
 * the conference's key, so only the handling of its messages can stop them. Nothing fails, and the others continue.
 */
import {
  decodeFrame,
  decodeLinkMessage,
  decodeOverlayMessage,
  encodeFrame,
  encodeLinkMessage,
  type Frame,
  frameDigest,
  type MemberId,
  Mesh,
  signedBytes,
  type Signer,
} from "@keymoot/transport"
import * as fc from "fast-check"
import { afterEach, expect, test, vi } from "vitest"
import type { Channel } from "../../../src/api/index.ts"
import { cutIntoPieces, NO_SUBJECT } from "../../../src/addressed/piece.ts"
import { Conference } from "../../../src/client/conference.ts"
import { GroupDriver } from "../../../src/driver/group-driver.ts"
import { documentChannel, KEY_CHANNEL, LOG_CHANNEL, MessageKind } from "../../../src/multicast/message-kind.ts"
import { encodeFileMessage } from "../../../src/files/messages.ts"
import { encodeErasure, ERASURE_CHANNEL } from "../../../src/history/erasure.ts"
import { splitIntoChunks } from "../../../src/history/chunks.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import { openIdentity } from "../../../src/identity/own-identity.ts"
import { Room } from "../harness.ts"

// Whole engines, and a busy machine may take its time.
vi.setConfig({ testTimeout: 600_000 })
const WAIT = { timeout: 120_000 }
const RUNS = Number(process.env["HOSTILE_RUNS"] ?? 4)

const room = new Room()
afterEach(async () => {
  vi.restoreAllMocks()
  await room.close()
})

type Inside = { readonly driver: GroupDriver; readonly mesh: Mesh }

/** Drivers and meshes of the engines, in the order of their coming. */
function openedUp(): Inside[] {
  const inside: Inside[] = []
  const meshes: Mesh[] = []
  const [tickMesh, tickDriver] = [Mesh.prototype.tick, GroupDriver.prototype.tick]
  vi.spyOn(Mesh.prototype, "tick").mockImplementation(function (this: Mesh, nowMs) {
    if (!meshes.includes(this)) meshes.push(this)
    tickMesh.call(this, nowMs)
  })
  // A conference ticks its mesh before its driver.
  vi.spyOn(GroupDriver.prototype, "tick").mockImplementation(function (this: GroupDriver, nowMs) {
    if (inside.every(({ driver }) => driver !== this)) inside.push({ driver: this, mesh: meshes.at(-1)! })
    tickDriver.call(this, nowMs)
  })
  return inside
}

const text = (said: string): Uint8Array => new TextEncoder().encode(said)
const hex = "ab".repeat(16)
const subject = "cd".repeat(16)
/** An awareness update of one client, with a state that is no JSON. */
const awareness = Uint8Array.of(1, 7, 1, 3, ...text("{no"))
const contents: readonly { channel: string; kind: number; payload: Uint8Array }[] = [
  // On a channel without a history, which shows what is not signed by itself.
  { channel: "plain", kind: MessageKind.message, payload: text("hello") },
  { channel: "chat", kind: MessageKind.logItem, payload: text("hello") },
  { channel: ERASURE_CHANNEL, kind: MessageKind.logItem, payload: encodeErasure({ channel: "chat", ids: [hex] }) },
  { channel: LOG_CHANNEL, kind: MessageKind.logChunk, payload: splitIntoChunks(text("no history"))[0]! },
  { channel: documentChannel("board"), kind: MessageKind.documentUpdate, payload: Uint8Array.of(1, 1, 1, 0, 4, 1) },
  { channel: documentChannel("board"), kind: MessageKind.awareness, payload: awareness },
  { channel: documentChannel("board"), kind: MessageKind.documentChunk, payload: splitIntoChunks(text("none"))[0]! },
  { channel: KEY_CHANNEL, kind: MessageKind.refreshWish, payload: new Uint8Array(0) },
  { channel: KEY_CHANNEL, kind: MessageKind.invitationSecret, payload: new Uint8Array(16) },
  { channel: "chat", kind: MessageKind.addressed, payload: cutIntoPieces(text("you"), [], NO_SUBJECT)[0]! },
  { channel: "chat", kind: MessageKind.request, payload: cutIntoPieces(text("what?"), [], subject)[0]! },
  { channel: "chat", kind: MessageKind.response, payload: cutIntoPieces(text("that"), [], subject)[0]! },
  { channel: "chat", kind: MessageKind.refusal, payload: cutIntoPieces(text("no"), [], subject)[0]! },
  { channel: "chat", kind: 200, payload: text("of no kind") },
]
const direct = (bytes: Uint8Array): Uint8Array => Uint8Array.of(3, ...bytes)
/** Messages that need no group: about files, about admission, and for an overlay. */
const outOfGroup: readonly Uint8Array[] = [
  direct(encodeFileMessage({ kind: "want", file: hex, part: "data", from: 0, count: 9 })),
  direct(encodeFileMessage({ kind: "piece", file: hex, part: "hashes", index: 2 ** 32 - 1, bytes: text("piece") })),
  direct(encodeFileMessage({ kind: "refusal", file: hex, reason: "gone" })),
  direct(encodeFileMessage({ kind: "stop", file: hex })),
  Uint8Array.of(4, 1, 1, 0, 1, 0, 3, 1, 2, 3, 0),
  Uint8Array.of(4, 1, 2),
  ...Array.from({ length: 10 }, (_, tag) => Uint8Array.of(5, tag, 0, 1, ...new Uint8Array(40))),
]

const edit = fc.record({
  at: fc.nat({ max: 400 }),
  bytes: fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 6 }), fc.constant(new Uint8Array(8).fill(255))),
})
const change = fc.record({ edits: fc.array(edit, { maxLength: 3 }), cut: fc.option(fc.nat({ max: 80 }), { freq: 5 }) })
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never
const NONE: Change = { edits: [], cut: null }

function changed(sample: Uint8Array, { edits, cut }: Change): Uint8Array {
  const bytes = Uint8Array.from(sample)
  if (bytes.length === 0) return bytes
  for (const { at, bytes: written } of edits) {
    for (const [i, byte] of written.entries()) bytes[(at + i) % bytes.length] = byte
  }
  return cut === null ? bytes : bytes.subarray(0, bytes.length - (cut % bytes.length))
}

const act = fc.oneof(
  fc.record({ what: fc.constant("frame" as const), which: fc.nat(), kind: fc.option(fc.nat({ max: 12 })), change }),
  fc.record({ what: fc.constant("link" as const), which: fc.nat(), change }),
  fc.record({ what: fc.constant("outOfGroup" as const), which: fc.nat(), change }),
  fc.record({ what: fc.constant("noise" as const), bytes: fc.uint8Array({ maxLength: 200 }) }),
  fc.record({ what: fc.constant("signal" as const), bytes: fc.uint8Array({ maxLength: 40 }) }),
  fc.record({
    what: fc.constant("content" as const),
    which: fc.nat(),
    service: fc.constantFrom("unreliable", "fifo", "causal", "agreed", "safe"),
    change,
  }),
)
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never

/**
 * The frame in a message over a link, be it sent in a full mesh or in an overlay. Claims in the noise of former runs keep
 * the others in an overlay for a minute.
 */
function frameIn(bytes: Uint8Array): Frame | null {
  const message = decodeLinkMessage(bytes)
  if (message?.type === "frame") return decodeFrame(message.bytes)
  const carried = message?.type === "overlay" ? decodeOverlayMessage(message.bytes) : null
  return carried !== null && "frame" in carried ? decodeFrame(carried.frame) : null
}

/** An engine that has kept to the rules until now, and all that it has said on the way. */
class Hostile {
  readonly #inside: Inside
  readonly #signer: Signer
  readonly #victims: readonly MemberId[]
  readonly #said: readonly Uint8Array[]

  constructor(inside: Inside, signer: Signer, victims: readonly MemberId[], said: readonly Uint8Array[]) {
    this.#inside = inside
    this.#signer = signer
    this.#victims = victims
    this.#said = said
  }

  async perform(action: Act): Promise<void> {
    const { mesh, driver } = this.#inside
    switch (action.what) {
      case "frame":
        return this.#say(await this.#frame(action))
      case "link":
        return this.#say(changed(this.#said[action.which % this.#said.length]!, action.change))
      case "outOfGroup":
        return this.#say(changed(outOfGroup[action.which % outOfGroup.length]!, action.change))
      case "noise":
        return this.#say(action.bytes)
      case "signal":
        for (const victim of this.#victims) mesh.signal(victim, action.bytes)
        return
      case "content": {
        const { payload, ...rest } = contents[action.which % contents.length]!
        const message = { ...rest, payload: changed(payload, action.change), sentAtMs: 0 }
        const outcome = { take: () => undefined }
        driver.send({ message, service: action.service as "agreed", bulk: false, request: null, outcome })
      }
    }
  }

  /** One of its own, changed in any part, and signed again. */
  async #frame({ which, kind, change }: Act & { what: "frame" }): Promise<Uint8Array> {
    const frames = this.#said.flatMap((bytes) => frameIn(bytes) ?? [])
    const staticPart = changed(frames[which % frames.length]!.staticPart, change)
    if (kind !== null && staticPart.length > 1) staticPart[1] = kind
    const signature = await this.#signer.sign(signedBytes(frameDigest({ staticPart } as never)))
    return encodeLinkMessage({ type: "frame", bytes: encodeFrame(staticPart, signature) })
  }

  #say(bytes: Uint8Array): void {
    for (const victim of this.#victims) this.#inside.mesh.send(victim, bytes)
  }
}

function hears(channel: Channel, word: string): Promise<void> {
  return new Promise((resolve) => {
    channel.on("message", (message) => {
      if (message.text === word) resolve()
    })
  })
}

async function said(from: Conference, to: Conference, word: string): Promise<void> {
  const heard = hears(to.channel("chat", { history: true }), word)
  await from.channel("chat", { history: true }).send(word)
  await heard
}

test("survives anything that a member says in a conference", async () => {
  const inside = openedUp()
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  const failures: string[] = []
  for (const conference of [ada, bob]) {
    conference.document("board")
    conference.on("closed", (reason) => failures.push(`closed: ${reason}`))
    conference.on("security", ({ code, detail }) => {
      if (code === "handling-failed") failures.push(detail)
    })
  }
  const bothIn = (): boolean =>
    [ada, bob].every(({ view }) => view.status === "secured" && [ada, bob].every((each) => isIn(each, view)))
  await expect.poll(bothIn, WAIT).toBe(true)
  let turn = 0
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 20, maxLength: 60 }), async (actions) => {
      const { hostile, leave } = await enter(`Mallory ${++turn}`, ada, [ada, bob], inside)
      // Unchanged first, the last of which comes through: or else nothing might have been tried.
      const heard = hears(bob.channel("plain"), "hello")
      for (const [which] of contents.entries())
        await hostile.perform({ what: "content", which, service: "fifo", change: NONE })
      await hostile.perform({ what: "content", which: 0, service: "fifo", change: NONE })
      await heard
      for (const action of actions) {
        await hostile.perform(action)
        await new Promise((done) => setImmediate(done))
      }
      await leave()
      await expect.poll(bothIn, WAIT).toBe(true)
      await said(ada, bob, `from Ada ${turn}`)
      await said(bob, ada, `from Bob ${turn}`)
      expect(failures).toEqual([])
    }),
    { numRuns: RUNS },
  )
})

function isIn({ self }: Conference, { members }: Conference["view"]): boolean {
  return members.some(({ id }) => id === self.id)
}

/** Comes in as everybody does, says something, and is hostile from then on. */
async function enter(name: string, { invitation }: Conference, victims: readonly Conference[], inside: Inside[]) {
  const store = createMemoryStore()
  const identity = await room.openIdentity(name, store)
  const mallory = await Conference.join({ url: invitation.url, identity })
  const own = inside.at(-1)!
  const words: Uint8Array[] = []
  const send = own.mesh.send.bind(own.mesh)
  vi.spyOn(own.mesh, "send").mockImplementation((to, bytes, options) => {
    words.push(bytes.slice())
    return send(to, bytes, options)
  })
  const victimIds = victims.map(({ self }) => self.id)
  await expect.poll(() => victimIds.every((id) => isThere(mallory, id)), WAIT).toBe(true)
  // Messages sent while it is alone for a moment go over no link.
  const chat = mallory.channel("chat", { history: true })
  const speaks = async (): Promise<boolean> => {
    await chat.send(`from ${name}`)
    return words.some((bytes) => frameIn(bytes) !== null)
  }
  await expect.poll(speaks, WAIT).toBe(true)
  const { signer } = await openIdentity({ store })
  const hostile = new Hostile(own, signer, victimIds, words.slice())
  return { hostile, leave: () => identity.close() }
}

function isThere({ view }: Conference, id: MemberId): boolean {
  return view.status === "secured" && view.members.some((member) => member.id === id)
}
