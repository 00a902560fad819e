import {
  decodeFrame,
  decodeLinkMessage,
  memberIdFromBytes,
  type GroupCore,
  type GroupInput,
  type OrderEntry,
  UNSTABLE_FRAMES_MAX,
  type View,
} from "@keymoot/transport"
import { expect, test } from "vitest"
import { PresentEpoch, type Epoch } from "../../src/multicast/epoch.ts"
import { batchNumber } from "../../src/multicast/batch.ts"
import { MemberLinks } from "../../src/driver/member-links.ts"
import { platformRandomness } from "../../src/platform/surroundings.ts"
import { AGREEMENT_MESSAGES_MAX, SendPipeline, SIGNING_MESSAGES_MAX } from "../../src/driver/send-pipeline.ts"

const [self, peer] = [1, 2].map((n) => memberIdFromBytes(new Uint8Array(16).fill(n)))
const view = "11".repeat(32) as View["id"]
const entry = (sequence: number): OrderEntry => ({ sender: 0, sequence, digest: new Uint8Array(32) })

type Options = {
  readonly congested?: boolean
  readonly sign?: () => Promise<Uint8Array>
  readonly fail?: (error: unknown) => void
  readonly onSend?: (kind: "order" | "other") => void
  readonly isUnderWay?: (bytes: Uint8Array) => boolean
}

function pipeline({
  congested = false,
  sign = async () => new Uint8Array(64),
  fail,
  onSend,
  isUnderWay,
}: Options = {}) {
  let signatures = 0
  const sent: Uint8Array[] = []
  const steps: GroupInput["type"][] = []
  const frameOf = (bytes: Uint8Array) => {
    const message = decodeLinkMessage(bytes)
    return message?.type === "frame" ? decodeFrame(message.bytes) : null
  }
  const send = (_: unknown, bytes: Uint8Array): boolean => {
    onSend?.(frameOf(bytes)?.kind === "order" ? "order" : "other")
    return sent.push(bytes) > 0
  }
  const group = { maySend: true, windowOpen: true, view: { id: view, members: [] } } as unknown as GroupCore
  let sequence = 0
  let headers = 0
  Object.assign(group, { nextMulticast: () => (headers++, { view, sequence: ++sequence, dependencies: [] }) })
  const epoch = new PresentEpoch()
  const made = new SendPipeline({
    self: self!,
    conferenceTag: new Uint8Array(32),
    signer: {
      member: self!,
      certificate: new Uint8Array(0),
      sign: () => {
        signatures++
        return sign()
      },
    },
    random: platformRandomness,
    links: new MemberLinks(
      {
        send,
        congested: () => congested,
        isUnderWay: (_, bytes) => isUnderWay?.(bytes) ?? false,
        heartbeatLane: () => "reliable",
        windowBytes: () => null,
      },
      null,
    ),
    group,
    epoch,
    opener: { trust: () => undefined },
    inputs: { take: ({ type }) => void steps.push(type) },
    faults: {
      fail:
        fail ??
        ((error) => {
          throw error
        }),
    },
  })
  const orders = () =>
    sent.flatMap((bytes) => {
      const frame = frameOf(bytes)
      return frame?.kind === "order" ? [frame.message] : []
    })
  return { made, epoch, sent, steps, orders, signatures: () => signatures, headers: () => headers }
}

const order = (first: number, ...sequences: number[]) =>
  ({ kind: "order", message: { first, entries: sequences.map(entry) } }) as const

test("shares the next signature when frames are ordered during one", async () => {
  const { made, orders, signatures } = pipeline()
  for (let i = 0; i < 100; i++) made.signAndSend([peer!], view, order(i, i + 1))
  await made.idle()
  expect(signatures()).toBeLessThanOrEqual(2)
  expect(orders().flatMap(({ entries }) => entries.map(({ sequence }) => sequence))).toEqual(
    Array.from({ length: 100 }, (_, i) => i + 1),
  )
})

test("passes a frame and its ORDER to the links in one turn, in the group's order", async () => {
  const turns: string[][] = []
  const { made } = pipeline({
    onSend: (kind) => {
      if (turns.length === 0 || turns.at(-1)!.length === 0) turns.push([])
      if (turns.at(-1)!.push(kind) === 1) queueMicrotask(() => turns.push([]))
    },
  })
  made.send([peer!], { type: "frame", bytes: new Uint8Array(200) })
  made.signAndSend([peer!], view, order(0, 1))
  await made.idle()
  expect(turns.filter((turn) => turn.length > 0)).toEqual([["other", "order"]])
})

test("reports a signature that fails, and sends what came with it", async () => {
  const failures: unknown[] = []
  const { made, sent } = pipeline({ sign: () => Promise.reject(new Error("no key")), fail: (e) => failures.push(e) })
  made.signAndSend([peer!], view, order(0, 1))
  made.send([peer!], { type: "frame", bytes: new Uint8Array(200) })
  await made.idle()
  expect([sent.length, failures]).toEqual([1, [new Error("no key")]])
})

test("an ORDER for somebody else, of another view or of a later place stays by itself", async () => {
  const { made, signatures } = pipeline()
  made.signAndSend([peer!], view, order(0, 1))
  made.signAndSend([self!, peer!], view, order(1, 2))
  made.signAndSend([peer!], "22".repeat(32) as View["id"], order(2, 3))
  made.signAndSend([peer!], "22".repeat(32) as View["id"], order(4, 5))
  await made.idle()
  expect(signatures()).toBe(4)
})

test("does not retransmit where much is still in flight, but does everywhere else", async () => {
  const { made, sent } = pipeline({ congested: true })
  const frame = new Uint8Array(200)
  made.send([peer!], { type: "frame", bytes: frame }, "repeated")
  made.send([peer!], { type: "frame", bytes: frame })
  await made.idle()
  expect(sent.length).toBe(1)
})

test("does not retransmit a frame that its link carries", async () => {
  const { made, sent } = pipeline({ isUnderWay: (bytes) => bytes.at(-1) === 1 })
  for (const last of [1, 2])
    made.send([peer!], { type: "frame", bytes: Uint8Array.of(...new Uint8Array(199), last) }, "repeated")
  made.send([peer!], { type: "frame", bytes: Uint8Array.of(...new Uint8Array(199), 1) })
  await made.idle()
  expect(sent.map((bytes) => bytes.at(-1))).toEqual([2, 1])
})

const flush = { proposal: { epoch: 2, coordinator: self! }, attachment: new Uint8Array(0) }

test("answers a flush once the frame that is being made is in the group", async () => {
  let signed: (signature: Uint8Array) => void = () => undefined
  const { made, steps } = pipeline({ sign: () => new Promise((done) => (signed = done)) })
  made.pushAgreement(new Uint8Array(1))
  made.pushAgreement(new Uint8Array(1))
  made.pump()
  made.flush(flush)
  made.pump()
  await made.idle()
  expect(steps).toEqual([])
  signed(new Uint8Array(64))
  await expect.poll(() => steps).toEqual(["multicast", "flushed"])
})

test("sends nothing between the answer to a flush and the next view", async () => {
  const { made, steps } = pipeline()
  made.flush(flush)
  made.pump()
  made.pushAgreement(new Uint8Array(1))
  made.pump()
  expect([steps, made.fills.agreement]).toEqual([["flushed"], 1])
  made.onView()
  made.pushAgreement(new Uint8Array(1))
  made.pump()
  await expect.poll(() => steps).toEqual(["flushed", "multicast"])
})

test("answers a second flush request in the same view", () => {
  const { made, steps } = pipeline()
  for (let i = 0; i < 2; i++) {
    made.flush(flush)
    made.pump()
  }
  expect(steps).toEqual(["flushed", "flushed"])
})

test("seals no further batch while the bound of own batches is not delivered here", async () => {
  const { made, epoch } = pipeline()
  epoch.onKeyed({ authenticator: null, seal: async () => new Uint8Array(1) } as unknown as Epoch)
  epoch.onSecured({ id: view } as View)
  const message = { channel: "pointer", kind: 0, payload: new Uint8Array(1), sentAtMs: 0 }
  const own = { bulk: false, request: null, outcome: { take: () => undefined } }
  // A batch holds messages of one service, so each of these has its own.
  for (let i = 0; i < 2 * UNSTABLE_FRAMES_MAX; i++) {
    made.push({ message, service: i % 2 === 0 ? "unreliable" : "reliable", ...own })
  }
  await new Promise((done) => setImmediate(done))
  expect([made.fills.unstable, made.fills.outbox]).toEqual([UNSTABLE_FRAMES_MAX, UNSTABLE_FRAMES_MAX])
  made.takeOwn(view, batchNumber("unreliable", 1))
  made.pump()
  await expect.poll(() => made.fills.outbox).toBe(UNSTABLE_FRAMES_MAX - 1)
})

test("seals and sends a batch under one header of the group", async () => {
  const { made, epoch, headers } = pipeline()
  epoch.onKeyed({ authenticator: null, seal: async () => new Uint8Array(1) } as unknown as Epoch)
  epoch.onSecured({ id: view } as View)
  const message = { channel: "pointer", kind: 0, payload: new Uint8Array(1), sentAtMs: 0 }
  const own = { bulk: false, request: null, outcome: { take: () => undefined } }
  made.push({ message, service: "causal", ...own })
  await new Promise((done) => setImmediate(done))
  expect([made.fills.outbox, headers()]).toEqual([0, 1])
})

test("drops messages beyond its bound when a neighbour causes ten times as many", async () => {
  const { made, sent } = pipeline()
  for (let i = 0; i < 10 * SIGNING_MESSAGES_MAX; i++) made.send([peer!], { type: "frame", bytes: new Uint8Array(200) })
  expect(made.fills.signing).toBe(SIGNING_MESSAGES_MAX)
  await made.idle()
  expect(sent.length).toBe(SIGNING_MESSAGES_MAX)
  expect(made.fills.signing).toBe(0)
})

test("keeps no more messages about the key than its bound when many wait", () => {
  const { made } = pipeline()
  for (let i = 0; i < 2 * AGREEMENT_MESSAGES_MAX; i++) made.pushAgreement(new Uint8Array(1))
  expect(made.fills.agreement).toBe(AGREEMENT_MESSAGES_MAX)
})
