/**
 * Properties of secure multicast, seen from the wire: both modes, batches, sizes, replays, and messages queued for a
 * key.
 */
import {
  decodeFrame,
  decodeLinkMessage,
  frameDigest,
  signedBytes,
  type Frame,
  type GroupFrame,
} from "@keymoot/transport"
import { afterEach, expect, test } from "vitest"
import type { Authenticity } from "../../src/api/index.ts"
import { OUTBOX_MESSAGES_MAX } from "../../src/driver/outbox.ts"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { BATCH_MESSAGES_MAX } from "../../src/multicast/batch.ts"
import { type DriverMember, DriverRoom, type Sent } from "./driver-harness.ts"

const MODES: readonly Authenticity[] = ["signature", "group"]
/** Salt and tag. */
const OVERHEAD_BYTES = 12 + 16
const checker = createCredentialChecker()
/** The machine may be busy. */
const until = <T>(value: () => T) => expect.poll(value)
let room = new DriverRoom()
afterEach(() => room.close())

async function two(authenticity: Authenticity): Promise<[DriverMember, DriverMember]> {
  room = new DriverRoom({ authenticity })
  const [ada, bob] = [await room.join("Ada"), await room.join("Bob")]
  await until(() => [ada.isSecured && ada.secured.at(-1), bob.isSecured && bob.secured.at(-1)]).toEqual([2, 2])
  return [ada, bob]
}

type DataFrame = Frame & GroupFrame & { readonly sent: Sent }

function dataFrames(from: DriverMember): DataFrame[] {
  return room.sent.flatMap((sent) => {
    const message = sent.from === from.id ? decodeLinkMessage(sent.bytes) : null
    const frame = message?.type === "frame" ? decodeFrame(message.bytes) : null
    return frame?.kind === "data" ? [{ ...frame, sent }] : []
  })
}

const isSigned = (frame: Frame, by: DriverMember): Promise<boolean> =>
  checker.verify(by.identity.publicKey, signedBytes(frameDigest(frame)), frame.signature)
/** It is the one that begins view changes. */
const lowest = (a: DriverMember, b: DriverMember): DriverMember => (a.id < b.id ? a : b)
const events = (member: DriverMember): unknown[] =>
  member.events.flatMap((event) => (event.type === "security" ? [event.event] : []))

test.each(MODES)("%s: what many say at once leaves in few batches, and comes in order and once", async (mode) => {
  const [ada, bob] = await two(mode)
  const texts = Array.from({ length: 1000 }, (_, i) => `message ${i}`)
  await Promise.all(texts.map((text) => ada.say(text)))
  await until(() => bob.texts).toEqual(texts)
  expect(ada.texts).toEqual(texts)
  // On a busy machine one is sent again, for Bob says late that he has it.
  const batches = new Set(dataFrames(ada).map(({ sequence }) => sequence))
  expect(batches.size).toBe(Math.ceil(1000 / BATCH_MESSAGES_MAX))
})

test("signature: senders sign batches; group: nobody does, but other frames are signed", async () => {
  for (const mode of MODES) {
    const [ada, bob] = await two(mode)
    await ada.say("hello")
    await until(() => bob.texts).toEqual(["hello"])
    // On a busy machine it is sent again, for Bob says late that he has it.
    const areSigned = await Promise.all(dataFrames(ada).map((frame) => isSigned(frame, ada)))
    expect(new Set(areSigned)).toEqual(new Set([mode === "signature"]))
    const others = room.sent.flatMap(({ from, bytes }) => {
      const message = from === ada.id ? decodeLinkMessage(bytes) : null
      const frame = message?.type === "frame" ? decodeFrame(message.bytes) : null
      return frame && frame.kind !== "data" && frame.origin === ada.id ? [frame] : []
    })
    expect(others.length).toBeGreaterThan(0)
    expect(await Promise.all(others.map((frame) => isSigned(frame, ada)))).toEqual(others.map(() => true))
    room.close()
  }
})

test.each(MODES)("%s: refuses and reports an altered batch, and accepts the right one after it", async (mode) => {
  const [ada, bob] = await two(mode)
  // It reaches Bob in altered forms first.
  room.mute(ada, "data")
  const said = ada.say("hello")
  await until(() => dataFrames(ada).length).toBeGreaterThan(0)
  const { sent } = dataFrames(ada)[0]!
  // The last bytes of what authenticates it and of its ciphertext, and one between.
  for (const fromEnd of [1, 65, 100]) {
    const bytes = sent.bytes.slice()
    bytes[bytes.length - fromEnd]! ^= 1
    bob.driver.handle({ type: "frame", peer: ada.id, bytes })
  }
  await until(() => events(bob).length).toBeGreaterThanOrEqual(3)
  expect(events(bob)).toEqual(Array(3).fill(expect.objectContaining({ code: "bad-frame", member: ada.id })))
  expect(bob.texts).toEqual([])
  room.unmute(ada)
  await said
  await until(() => bob.texts).toEqual(["hello"])
})

test.each(MODES)("%s: a batch that comes again, at once or in a later view, is delivered once", async (mode) => {
  const [ada, bob] = await two(mode)
  await ada.say("one")
  await ada.say("two")
  await until(() => bob.texts).toEqual(["one", "two"])
  const replay = (): void => {
    for (const { sent } of dataFrames(ada).slice(0, 2))
      bob.driver.handle({ type: "frame", peer: ada.id, bytes: sent.bytes })
  }
  replay()
  const views = bob.secured.length
  lowest(ada, bob).driver.refresh()
  await until(() => ada.isSecured && bob.isSecured && bob.secured.length > views).toBe(true)
  replay()
  await ada.say("three")
  await until(() => bob.texts.at(-1)).toBe("three")
  expect(bob.texts).toEqual(["one", "two", "three"])
})

test.each(MODES)("%s: a gap is detected and filled, and nothing behind it is delivered before", async (mode) => {
  const [ada, bob] = await two(mode)
  room.mute(ada, "data")
  const lost = ada.say("lost on the way")
  await until(() => dataFrames(ada).length).toBeGreaterThan(0)
  room.unmute(ada)
  await Promise.all([lost, ada.say("after it")])
  await until(() => bob.texts).toEqual(["lost on the way", "after it"])
})

test("the wire shows size buckets: equal up to 200 bytes, then steps of 4 KiB", async () => {
  const [ada, bob] = await two("signature")
  const sizes: number[] = []
  for (const length of [1, 17, 200, 300, 1000, 3000, 4200, 5000, 8000]) {
    const before = dataFrames(ada).length
    await ada.say("x".repeat(length))
    await until(() => bob.texts.length).toBe(sizes.length + 1)
    sizes.push(dataFrames(ada)[before]!.message.body.length - OVERHEAD_BYTES)
  }
  expect(sizes).toEqual([256, 256, 256, 1024, 1024, 4096, 8192, 8192, 8192])
})

test("20,000 messages queued without a key arrive in order, and one more is refused", async () => {
  const [ada, bob] = await two("signature")
  room.mute(bob)
  lowest(ada, bob).driver.refresh()
  await until(() => ada.isSecured).toBe(false)
  const texts = Array.from({ length: OUTBOX_MESSAGES_MAX }, (_, i) => `waiting ${i}`)
  const said = Promise.all(texts.map((text) => ada.say(text)))
  await expect(ada.say("one too many")).rejects.toMatchObject({ code: "queue-full" })
  expect(ada.texts).toEqual([])
  room.unmute(bob)
  lowest(ada, bob).driver.refresh()
  await said
  await until(() => bob.texts.length).toBe(texts.length)
  expect(bob.texts).toEqual(texts)
  expect(ada.texts).toEqual(texts)
})

test("fails each waiting message with a reason when the conference is over", async () => {
  const [ada, bob] = await two("signature")
  room.mute(bob)
  lowest(ada, bob).driver.refresh()
  await until(() => ada.isSecured).toBe(false)
  const said = Promise.allSettled(Array.from({ length: 1000 }, (_, i) => ada.say(`waiting ${i}`)))
  await ada.driver.close()
  for (const outcome of await said) expect(outcome).toMatchObject({ status: "rejected", reason: { code: "closed" } })
})

test("a member that endlessly answers its own messages alone blocks nothing else", async () => {
  room = new DriverRoom()
  const ada = await room.join("Ada")
  await until(() => ada.isSecured).toBe(true)
  let hadItsTurn = false
  setImmediate(() => (hadItsTurn = true))
  for (let answer = 0; answer < 100; answer++) await ada.say(`answer ${answer}`)
  expect(hadItsTurn).toBe(true)
})
