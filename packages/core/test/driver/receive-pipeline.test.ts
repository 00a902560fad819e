import {
  encodeFrame,
  encodeLinkMessage,
  encodeStaticPart,
  memberIdFromBytes,
  type FramePayload,
  type GroupInput,
  type Heartbeat,
  type MemberId,
  type View,
} from "@keymoot/transport"
import { expect, test } from "vitest"
import type { DriverEvent } from "../../src/driver/driver-config.ts"
import {
  INBOUND_BYTES_MAX,
  INBOUND_CHECKS_BURST,
  INBOUND_CHECKS_PER_SECOND,
  INBOUND_FRAMES_MAX,
  ReceivePipeline,
  type ReceivePipelineConfig,
} from "../../src/driver/receive-pipeline.ts"
import { FrameOpener } from "../../src/frames/frame-opener.ts"
import type { MemberCredential, MemberCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { LruMap } from "../../src/wire/index.ts"

const [ada, mallory] = ["ada", "mallory"] as unknown as [MemberId, MemberId]
const FRAME = encodeLinkMessage({ type: "frame", bytes: new Uint8Array(300) })
const SECONDS = 10
/** As many as an INSTALL may hold. */
const SYNCS = 320

/** Checks of signatures are counted, and find nothing wrong. */
function inbound(opener?: FrameOpener) {
  let checks = 0
  const flooded: MemberId[] = []
  const steps: GroupInput[] = []
  const way = new ReceivePipeline({
    known: { get: () => undefined, set: () => undefined } as never,
    checker: { check: async () => null } as never,
    opener: opener ?? {
      open: async () => {
        checks++
        return { frame: {}, syncs: [] }
      },
    },
    inputs: { take: (input: GroupInput) => void steps.push(input) },
    sink: {
      take: (event: DriverEvent) => {
        if (event.type === "security" && event.event.code === "flooding") flooded.push(event.event.member!)
      },
    },
    links: { overlay: null },
    containment: {
      failed: (_: unknown, error: unknown) => {
        throw error
      },
    },
  } as unknown as ReceivePipelineConfig)
  way.tick(0)
  const of = (peer: MemberId): number => steps.filter((input) => "from" in input && input.from === peer).length
  return { way, steps, flooded, of, checks: () => checks }
}

const settled = (): Promise<void> => new Promise((done) => setImmediate(done))
const frames = (way: ReceivePipeline, peer: MemberId, count: number): void => {
  for (let i = 0; i < count; i++) way.handle({ type: "frame", peer, bytes: FRAME })
}

test("checks at most its budget of signatures when a neighbour sends ten times more", async () => {
  const { way, checks, flooded } = inbound()
  for (let nowMs = 0; nowMs < SECONDS * 1000; nowMs += 50) {
    way.tick(nowMs)
    frames(way, mallory, (10 * INBOUND_CHECKS_PER_SECOND * 50) / 1000)
    await settled()
  }
  expect(checks()).toBeLessThanOrEqual(INBOUND_CHECKS_BURST + SECONDS * INBOUND_CHECKS_PER_SECOND)
  expect(checks()).toBeGreaterThan(SECONDS * INBOUND_CHECKS_PER_SECOND * 0.5)
  expect(new Set(flooded)).toEqual(new Set([mallory]))
})

test("decodes a repeated heartbeat once, and another one again", async () => {
  const { way, steps } = inbound()
  const beat = (epoch: number): Uint8Array => encodeLinkMessage({ type: "heartbeat", heartbeat: heartbeatOf(epoch) })
  for (const epoch of [1, 1, 2]) way.handle({ type: "frame", peer: ada, bytes: beat(epoch) })
  await settled()
  const heard = steps.map((input) => (input.type === "heartbeat" ? input.heartbeat : null))
  expect(heard).toEqual([1, 1, 2].map(heartbeatOf))
  expect(heard[0]).toBe(heard[1])
})

function heartbeatOf(epoch: number): Heartbeat {
  const none = { view: "0".repeat(64) as View["id"], received: [], orderLength: 0, acknowledged: 0 }
  const promised = { epoch, coordinator: memberIdFromBytes(new Uint8Array(16)) }
  const chains = { frameChains: new Uint8Array(0), orderChain: new Uint8Array(8) }
  return { ...none, ...chains, incarnation: 1, epoch, promised, viewMembers: [], up: [] }
}

/** Neither the coordinator nor any member has signed any of it. */
function inventedInstall(origin: MemberId): Uint8Array {
  const proposal = { epoch: 2, coordinator: origin }
  const bytes32 = new Uint8Array(32)
  const encoded = (payload: FramePayload): Uint8Array => {
    const content = { conferenceTag: bytes32, view: "0".repeat(64) as View["id"], origin, service: "none" } as const
    return encodeFrame(encodeStaticPart({ ...content, sequence: 0, ...payload }), new Uint8Array(64))
  }
  const sync = encoded({
    kind: "sync",
    message: {
      proposal,
      membersDigest: bytes32,
      previousView: "0".repeat(64) as View["id"],
      incarnation: 1,
      received: [],
      receivedDigest: bytes32,
      orderFirst: 0,
      order: [],
      deliveredOrder: 0,
      nonce: new Uint8Array(16),
      features: [],
      attachment: new Uint8Array(0),
    },
  })
  const syncs = Array.from({ length: SYNCS }, () => sync)
  return encodeLinkMessage({ type: "frame", bytes: encoded({ kind: "install", message: { proposal, syncs } }) })
}

test("checks at most its budget of signatures inside a neighbour's messages", async () => {
  const member = memberIdFromBytes(new Uint8Array(16).fill(1))
  let checks = 0
  const checker = { check: async () => null, verify: async () => ++checks < 0 } as unknown as MemberCredentialChecker
  const known = new LruMap<MemberId, MemberCredential>(1)
  known.set(member, { publicKey: new Uint8Array(32) } as MemberCredential)
  const { way } = inbound(new FrameOpener(new Uint8Array(32), known, checker))
  const bytes = inventedInstall(member)
  for (let nowMs = 0; nowMs < 1000; nowMs += 50) {
    way.tick(nowMs)
    for (let i = 0; i < 3; i++) way.handle({ type: "frame", peer: member, bytes })
    await settled()
  }
  expect(checks).toBeLessThanOrEqual(INBOUND_CHECKS_BURST + INBOUND_CHECKS_PER_SECOND + SYNCS)
  expect(checks).toBeGreaterThan(INBOUND_CHECKS_BURST)
})

test("takes another neighbour's frame at once when one has used up its budget", async () => {
  const { way, of } = inbound()
  frames(way, mallory, INBOUND_FRAMES_MAX)
  await settled()
  frames(way, ada, 1)
  await settled()
  expect(of(ada)).toBe(1)
  expect(of(mallory)).toBeLessThan(INBOUND_FRAMES_MAX)
})

test("takes everything an honest neighbour sends at once, in order, within seconds", async () => {
  const { way, of, flooded } = inbound()
  frames(way, ada, INBOUND_FRAMES_MAX)
  for (let nowMs = 0; nowMs <= 4_000; nowMs += 50) {
    way.tick(nowMs)
    await settled()
  }
  expect(of(ada)).toBe(INBOUND_FRAMES_MAX)
  expect(flooded).toEqual([])
})

test("keeps so many bytes of a neighbour that sends ten times as many", async () => {
  const { way, flooded, of } = inbound()
  const bytes = new Uint8Array(1024 * 1024)
  bytes.set(FRAME)
  const sent = (10 * INBOUND_BYTES_MAX) / bytes.length
  for (let i = 0; i < sent; i++) way.handle({ type: "frame", peer: mallory, bytes })
  await settled()
  expect(of(mallory)).toBe(INBOUND_BYTES_MAX / bytes.length)
  expect(flooded).toHaveLength(sent - INBOUND_BYTES_MAX / bytes.length)
})

test("keeps so many frames of a neighbour that sends ten times as many", async () => {
  const { way, flooded, of } = inbound()
  frames(way, mallory, 10 * INBOUND_FRAMES_MAX)
  expect(flooded).toHaveLength(9 * INBOUND_FRAMES_MAX)
  await settled()
  expect(of(mallory)).toBeLessThanOrEqual(INBOUND_CHECKS_BURST)
})

test("takes the end of a link at once when its neighbour has used up its budget", async () => {
  const { way, steps } = inbound()
  frames(way, mallory, INBOUND_FRAMES_MAX)
  await settled()
  way.handle({ type: "linkDown", peer: mallory, reason: "gone" })
  await settled()
  expect(steps.at(-1)).toEqual({ type: "linkDown", peer: mallory })
})
