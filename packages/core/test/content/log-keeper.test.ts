import type { View, ViewId } from "@keymoot/transport"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import type { Member } from "../../src/api/index.ts"
import { Deliveries, type Delivered, type DeliveriesConfig } from "../../src/content/deliveries.ts"
import { LogKeeper, type LogKeeperConfig } from "../../src/content/log-keeper.ts"
import type { Outbound, SendOutcome } from "../../src/driver/outbox.ts"
import { transferIn } from "../../src/history/arrivals.ts"
import { splitIntoChunks } from "../../src/history/chunks.ts"
import { decodeAuthoredItem } from "../../src/history/log-item.ts"
import { encodeSnapshot, takeSnapshot } from "../../src/history/log-snapshot.ts"
import {
  createCredentialChecker,
  type MemberCredentialChecker,
} from "../../src/identity/certificates/credential-checker.ts"
import { LOG_CHANNEL, MessageKind } from "../../src/multicast/message-kind.ts"
import { deflate } from "../../src/wire/index.ts"
import { newcomer } from "../identity/people.ts"
import { LogCopy } from "../../src/device/log-copy.ts"
import { LocalCopy } from "../../src/device/stores/local-copy.ts"
import { createMemoryCopyStore } from "../../src/device/stores/memory-copy-store.ts"
import { ERASURE_CHANNEL } from "../../src/history/erasure.ts"
import type { OwnIdentity } from "../../src/identity/own-identity.ts"

const CHECKER = createCredentialChecker()
const CONFERENCE = "c0".repeat(16)
const SECRET = "the safe is behind the picture"

type Parts = { readonly ada?: OwnIdentity; readonly copy?: LogCopy; readonly checker?: MemberCredentialChecker }

/** Ada's log in a view in which Mallory has arrived. */
async function adasLog({ ada: author, copy, checker = CHECKER }: Parts = {}) {
  const [ada, mallory] = [author ?? (await newcomer("Ada")), await newcomer("Mallory")]
  const known = new Map<string, unknown>()
  for (const { member, certificate } of [ada, mallory]) known.set(member, await checker.check(certificate))
  const ids = [ada, mallory].map(({ member }) => ({ id: member }))
  const view = { id: "d".repeat(64), epoch: 5, members: ids } as unknown as View
  let erased = 0
  const log = new LogKeeper({
    conferenceId: CONFERENCE,
    signer: ada.signer,
    checker,
    known,
    people: { isVerified: () => false, authorCheck: () => () => false },
    copy: copy ?? { erased: () => erased++, add: () => undefined },
    rules: { rights: () => ({}), wasAdmitted: () => "yes" },
    roster: { present: [] },
    named: [],
    clock: { now: () => 0 },
  } as unknown as LogKeeperConfig)
  const newcomers = [mallory.member]
  const present = [ada.member, mallory.member]
  log.onViewStart({ view: { id: view.id, epoch: 5 }, present, newcomers, transitional: [], awaited: newcomers })
  const events: Delivered[] = []
  const deliveries = new Deliveries({
    self: ada.member,
    log,
    roster: {
      member: (id) => ({ id, name: id === ada.member ? "Ada" : "Mallory", self: id === ada.member }) as Member,
    },
    rules: { roleIn: () => "editor" },
    sink: { take: (event) => void events.push(event) },
  } as DeliveriesConfig)
  const outcomes: SendOutcome[] = []
  const own = [{ request: 1, outcome: { take: (outcome) => void outcomes.push(outcome) } } as Outbound]
  const payload = await log.author("chat", Uint8Array.of(7), 1)
  return {
    log,
    /** Ada's own message is delivered at her. */
    say: async (channel: string, data: Uint8Array, sequence: number): Promise<string> => {
      const position = { epoch: 5, view: view.id, sequence }
      const taken = await log.take(ada.member, channel, await log.author(channel, data, 1), position)
      return taken!.message.id
    },
    events,
    outcomes,
    erased: () => erased,
    items: () => log.evidence.items,
    /** Mallory transfers Ada's message, which she has seen on its way, into the past. */
    transfer: async () => {
      const position = { epoch: 1, view: "0".repeat(64), sequence: 1 }
      const item = { ...decodeAuthoredItem(payload)!, author: ada.member, position }
      const snapshot = takeSnapshot([item], new Set(), () => ada.certificate)
      const [chunk] = splitIntoChunks(await deflate(encodeSnapshot(snapshot)), transferIn(view.id))
      const messages = [{ channel: LOG_CHANNEL, kind: MessageKind.logChunk, payload: chunk!, sentAtMs: 1 }]
      const from = { sender: mallory.member, service: "fifo", sequence: 1, own: [] } as const
      await deliveries.take({ type: "batch", view, messages, ...from })
    },
    deliver: (later: Partial<View> = {}) =>
      deliveries.take({
        type: "batch",
        view: { ...view, ...later },
        sender: ada.member,
        service: "agreed",
        sequence: 2,
        own,
        messages: [{ channel: "chat", kind: MessageKind.logItem, payload, sentAtMs: 1 }],
      }),
  }
}

test("places a message by its delivery when a newcomer has moved it into the past", async () => {
  const { events, outcomes, items, erased, transfer, deliver } = await adasLog()
  await transfer()
  expect(events[0]).toMatchObject({ message: { transferred: { by: { name: "Mallory" } }, position: { epoch: 1 } } })
  await deliver()
  expect(events.filter(({ type }) => type === "security")).toEqual([])
  const delivered = { transferred: null, position: { epoch: 5, sequence: 1 } }
  expect(events.at(-1)).toMatchObject({ type: "message", message: delivered })
  expect(outcomes).toMatchObject([{ type: "delivered", taken: delivered }])
  expect(items().map(({ position, transferredBy }) => [position.epoch, transferredBy])).toEqual([[5, undefined]])
  // The copy on the device holds the false position until it is rewritten.
  expect(erased()).toBe(1)
})

test("keeps the place of a message that its author repeats", async () => {
  const { events, outcomes, items, deliver } = await adasLog()
  await deliver()
  await deliver()
  expect(events).toMatchObject([{ type: "message" }, { type: "security", event: { code: "invalid-content" } }])
  expect(outcomes.map(({ type }) => type)).toEqual(["delivered", "delivered"])
  expect(items()).toHaveLength(1)
})

test("keeps the place of a transferred message that its author repeats in a later view", async () => {
  const { events, items, transfer, deliver } = await adasLog()
  await transfer()
  await deliver({ id: "e".repeat(64) as ViewId, epoch: 6 })
  expect(events.at(-1)).toMatchObject({ type: "security", event: { code: "invalid-content" } })
  expect(events.filter(({ type }) => type === "message")).toHaveLength(1)
  expect(items().map(({ position }) => position.epoch)).toEqual([1])
})

/** Ada's device, where reads may fail. Her chat in its copy begins with a secret. */
async function adasDevice() {
  const ada = await newcomer("Ada")
  const store = createMemoryCopyStore()
  const disk = { reads: true }
  const read: typeof store.read = async (id, part) => {
    if (!disk.reads) throw new Error("no database")
    return store.read(id, part)
  }
  const open = (): LogCopy =>
    new LogCopy(new LocalCopy({ ...store, read }, ada.publicKey, CONFERENCE), (_, outcome) => outcome.catch(() => null))
  const copy = open()
  const { say } = await adasLog({ ada, copy })
  const secret = await say("chat", utf8ToBytes(SECRET), 1)
  await copy.settled
  return {
    ada,
    disk,
    secret,
    open,
    /** Opened: what a thief of the device's profile would read. */
    hasSecret: async (): Promise<boolean> => {
      const records = await new LocalCopy(store, ada.publicKey, CONFERENCE).read("log")
      return Buffer.concat(records).includes(SECRET)
    },
  }
}

test("removes a message from its copy when this is read after the erasure", async () => {
  const { ada, disk, secret, open, hasSecret } = await adasDevice()
  disk.reads = false
  const copy = open()
  const { log, say } = await adasLog({ ada, copy })
  expect(await log.restore()).toBeNull()
  await say(ERASURE_CHANNEL, log.erasureOf("chat", [secret]), 2)
  await copy.settled
  expect(await hasSecret()).toBe(true)
  disk.reads = true
  expect(await log.restore()).toEqual([])
  await copy.settled
  expect(await hasSecret()).toBe(false)
  const again = await adasLog({ ada, copy: open() })
  expect(await again.log.restore()).toMatchObject([{ channel: ERASURE_CHANNEL }])
})

test("shows no message that is erased while a late read is being checked", async () => {
  const { ada, secret, open } = await adasDevice()
  const first = open()
  const { say } = await adasLog({ ada, copy: first })
  await say("chat", utf8ToBytes("hello"), 2)
  await first.settled
  let [reach, release] = [(): void => undefined, (): void => undefined]
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const erased = new Promise<void>((resolve) => (release = resolve))
  let records = -Infinity
  const check = async (certificate: Uint8Array) => {
    // The first record has the message that is erased now.
    if (++records === 2) {
      reach()
      await erased
    }
    return CHECKER.check(certificate)
  }
  const late = await adasLog({ ada, copy: open(), checker: { ...CHECKER, check } as MemberCredentialChecker })
  records = 0
  const restoring = late.log.restore()
  await reached
  await late.say(ERASURE_CHANNEL, late.log.erasureOf("chat", [secret]), 3)
  release()
  expect((await restoring)!.map(({ text }) => text)).toEqual(["hello"])
})

test("restores nothing when the conference ends while its copy is read", async () => {
  const { ada, open } = await adasDevice()
  const { log } = await adasLog({ ada, copy: open() })
  const restoring = log.restore()
  log.close()
  expect(await restoring).toEqual([])
  expect(log.evidence.items).toEqual([])
})
