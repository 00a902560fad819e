import {
  completeLinkRecord,
  decodeLinkMessage,
  decodeOverlayMessage,
  encodeDiscovery,
  encodeFrame,
  encodeLinkRecord,
  encodeOverlayMessage,
  encodeStaticPart,
  frameDigest,
  invitationProof,
  signedBytes,
  signedLinkRecord,
  type Frame,
  type InvitationKeys,
  type MemberId,
  type OverlayWireMessage,
} from "@keymoot/transport"
import { beforeAll, beforeEach, expect, test } from "vitest"
import { FrameOpener } from "../../src/engine/frame-opener.ts"
import { OverlayLinks, type LinkOutput } from "../../src/engine/overlay-links.ts"
import {
  createCredentialChecker,
  createMemoryStore,
  openIdentity,
  type MemberCredential,
  type OwnIdentity,
} from "../../src/identity/index.ts"
import { LruMap } from "../../src/wire/index.ts"

const VOID = "0".repeat(64) as Frame["view"]
const conferenceTag = new Uint8Array(32).fill(1)
const otherTag = new Uint8Array(32).fill(2)
const key = (fill: number): InvitationKeys => {
  const bytes = new Uint8Array(32).fill(fill)
  return { signal: bytes, advertisement: bytes, association: bytes }
}
const keys = key(3)

/** Ada is who is attacked; Bob and Cleo are linked with her; Dan is somewhere behind them. */
let [ada, bob, cleo, dan]: OwnIdentity[] = []
beforeAll(async () => {
  const open = (name: string) => openIdentity({ name, store: createMemoryStore() })
  ;[ada, bob, cleo, dan] = await Promise.all(["Ada", "Bob", "Cleo", "Dan"].map(open))
})

class Attacked {
  readonly outputs: LinkOutput[] = []
  readonly frames: Frame[] = []
  readonly sent: { to: MemberId; message: OverlayWireMessage }[] = []
  readonly parted = new Set<MemberId>()
  readonly asked: MemberId[] = []
  readonly signalled: MemberId[] = []
  verifications = 0
  readonly links: OverlayLinks
  readonly opener: FrameOpener
  readonly #known = new Map<MemberId, OwnIdentity>()

  constructor() {
    for (const identity of [ada!, bob!, cleo!, dan!]) this.#known.set(identity.member, identity)
    const checker = createCredentialChecker()
    const counting = {
      check: checker.check.bind(checker),
      verify: (...args: Parameters<typeof checker.verify>) => {
        this.verifications++
        return checker.verify(...args)
      },
    }
    this.opener = new FrameOpener(conferenceTag, new LruMap<MemberId, MemberCredential>(8), counting)
    this.links = new OverlayLinks({
      conferenceTag,
      incarnation: 1,
      signer: ada!.signer,
      own: ada!,
      checker: counting,
      keys: () => [keys],
      random: () => 0.5,
      meshMax: 2,
      mesh: () => ({
        contactCount: 3,
        announce: () => {},
        part: (peer) => void this.parted.add(peer),
        signal: (to) => void this.signalled.push(to),
        send: (to, bytes) => {
          const message = decodeLinkMessage(bytes)
          if (message?.type === "overlay") this.sent.push({ to, message: decodeOverlayMessage(message.bytes)! })
          return true
        },
        certificateOf: async (member) => {
          this.asked.push(member)
          return this.#known.get(member) ?? null
        },
      }),
      admits: () => true,
      emit: (output) => void this.outputs.push(output),
      onHeartbeat: () => {},
      onFrame: ({ frame }) => void this.frames.push(frame),
      fail: (error) => {
        throw error
      },
    })
    this.links.tick(1)
    for (const peer of [bob!, cleo!]) {
      this.links.handle({ type: "linkUp", peer: peer.member, incarnation: 1, credential: peer, keys })
      this.links.admitted(peer.member)
    }
  }

  async takes(from: OwnIdentity, message: OverlayWireMessage): Promise<string | null> {
    return this.links.receive(from.member, encodeOverlayMessage(message), this.opener)
  }

  /** Until what it tells of itself is signed. */
  async settle(): Promise<void> {
    for (let nowMs = 100; nowMs < 1000; nowMs += 100) {
      this.links.tick(nowMs)
      await new Promise((done) => setImmediate(done))
    }
  }

  get isUp(): MemberId[] {
    return this.outputs.flatMap((output) => (output.type === "linkUp" && output.distant ? [output.peer] : []))
  }

  passedOn(kind: OverlayWireMessage["kind"]): MemberId[] {
    return this.sent.flatMap(({ to, message }) => (message.kind === kind ? [to] : []))
  }
}

let attacked: Attacked
beforeEach(() => {
  attacked = new Attacked()
})

type RecordOf = {
  readonly of: OwnIdentity
  readonly neighbours: readonly OwnIdentity[]
  readonly sequence?: number
  readonly by?: OwnIdentity
  readonly tag?: Uint8Array
  readonly holds?: InvitationKeys
}

/** What `of` would say of itself, signed by `by`. */
async function recordOf({ of, neighbours, sequence = 1, by = of, tag = conferenceTag, holds = keys }: RecordOf) {
  const origin = of.member
  const proofs = [invitationProof(holds.association, tag, origin, 1)]
  const sorted = neighbours.map(({ member }) => member).sort()
  const part = encodeLinkRecord({ origin, incarnation: 1, sequence, neighbours: sorted, proofs, status: null })
  return completeLinkRecord(part, await by.signer.sign(signedLinkRecord(tag, part))).bytes
}

async function frameOf(of: OwnIdentity, by = of, tag = conferenceTag): Promise<Uint8Array> {
  const content = { kind: "leave", message: { incarnation: 1 } } as const
  const header = { conferenceTag: tag, view: VOID, origin: of.member, service: "none", sequence: 0 } as const
  const staticPart = encodeStaticPart({ ...header, ...content })
  return encodeFrame(staticPart, await by.signer.sign(signedBytes(frameDigest({ staticPart }))))
}

async function tellOfDan(): Promise<void> {
  await attacked.settle()
  const records = [
    await recordOf({ of: bob!, neighbours: [ada!, dan!] }),
    await recordOf({ of: dan!, neighbours: [bob!] }),
  ]
  expect(await attacked.takes(bob!, { kind: "records", records })).toBeNull()
  await attacked.settle()
}

test("somebody whom an honest neighbour tells of is up, its certificate fetched from that neighbour, and told on", async () => {
  await tellOfDan()
  expect(attacked.isUp).toContain(dan!.member)
  expect(attacked.asked).toContain(dan!.member)
  expect(attacked.sent.some(({ to, message }) => to === cleo!.member && message.kind === "records")).toBe(true)
})

test("a record that its origin has not signed, or for another conference, costs its bearer the link, and goes no further", async () => {
  const forged = await recordOf({ of: dan!, neighbours: [bob!], by: bob! })
  const moved = await recordOf({ of: dan!, neighbours: [cleo!], tag: otherTag })
  await attacked.settle()
  attacked.sent.splice(0)
  expect(await attacked.takes(bob!, { kind: "records", records: [forged] })).toBe("bad-signature")
  expect(await attacked.takes(cleo!, { kind: "records", records: [moved] })).toBe("bad-signature")
  expect([...attacked.parted]).toEqual([bob!.member, cleo!.member])
  expect([bob!, cleo!].map(({ member }) => attacked.links.wants(member))).toEqual([false, false])
  await attacked.settle()
  expect(attacked.isUp).toEqual([])
  expect(attacked.links.neighbours()).toEqual([])
})

test("whoever was caught is not heard through the room either, and asked for nothing, for a while", async () => {
  const forged = await recordOf({ of: dan!, neighbours: [bob!], by: bob! })
  await attacked.takes(bob!, { kind: "records", records: [forged] })
  attacked.signalled.splice(0)
  const bytes = encodeDiscovery({ kind: "request", want: "need" })
  attacked.links.handle({ type: "signal", peer: bob!.member, credential: bob!, keys, bytes })
  expect(attacked.signalled).toEqual([])
  expect(attacked.links.wants(bob!.member)).toBe(false)
})

test("an old record said again costs no verification and changes nothing", async () => {
  await tellOfDan()
  const before = attacked.verifications
  const old = await recordOf({ of: dan!, neighbours: [bob!] })
  const older = await recordOf({ of: dan!, neighbours: [], sequence: 0 })
  for (let i = 0; i < 50; i++)
    expect(await attacked.takes(cleo!, { kind: "records", records: [old, older] })).toBeNull()
  expect(attacked.verifications).toBe(before)
  expect(attacked.outputs.some(({ type }) => type === "linkDown")).toBe(false)
})

test("who claims links that the others do not know of brings nobody up", async () => {
  await attacked.settle()
  const records = [
    await recordOf({ of: bob!, neighbours: [ada!, cleo!, dan!] }),
    await recordOf({ of: dan!, neighbours: [] }),
  ]
  await attacked.takes(bob!, { kind: "records", records })
  await attacked.settle()
  expect(attacked.isUp).not.toContain(dan!.member)
})

test("who shows no knowledge of the invitation is not up, though a member takes its part", async () => {
  await attacked.settle()
  const records = [
    await recordOf({ of: bob!, neighbours: [ada!, dan!] }),
    await recordOf({ of: dan!, neighbours: [bob!], holds: key(9) }),
  ]
  expect(await attacked.takes(bob!, { kind: "records", records })).toBeNull()
  await attacked.settle()
  expect(attacked.isUp).toContain(bob!.member)
  expect(attacked.isUp).not.toContain(dan!.member)
})

test.each(["gossip", "routed"] as const)(
  "%s: a forged frame is neither taken nor passed on, and ends the link",
  async (kind) => {
    await tellOfDan()
    attacked.sent.splice(0)
    const frame = await frameOf(dan!, bob!)
    const message = kind === "gossip" ? { kind, frame } : { kind, frame, target: cleo!.member, hopsLeft: 4 }
    expect(await attacked.takes(bob!, message)).toBe("bad-signature")
    expect(attacked.frames).toEqual([])
    expect(attacked.passedOn(kind)).toEqual([])
    expect([...attacked.parted]).toEqual([bob!.member])
  },
)

test("a frame of another conference is neither taken nor passed on", async () => {
  attacked.sent.splice(0)
  expect(await attacked.takes(bob!, { kind: "gossip", frame: await frameOf(bob!, bob!, otherTag) })).toBe(
    "other-conference",
  )
  expect(attacked.passedOn("gossip")).toEqual([])
})

test("a good frame is taken and passed on once, however often it is said", async () => {
  const frame = await frameOf(dan!)
  for (const from of [bob!, cleo!, bob!, cleo!])
    expect(await attacked.takes(from, { kind: "gossip", frame })).toBeNull()
  expect(attacked.frames.map(({ origin }) => origin)).toEqual([dan!.member])
  expect(attacked.passedOn("gossip")).toEqual([cleo!.member])
  expect(attacked.verifications).toBe(1)
})

test("what has no hops left, or nowhere to go, ends here", async () => {
  await attacked.settle()
  attacked.sent.splice(0)
  const frame = await frameOf(bob!)
  await attacked.takes(bob!, { kind: "routed", target: cleo!.member, hopsLeft: 1, frame })
  await attacked.takes(bob!, { kind: "routed", target: "d4".repeat(16) as MemberId, hopsLeft: 9, frame })
  expect(attacked.passedOn("routed")).toEqual([])
  await attacked.takes(bob!, { kind: "routed", target: cleo!.member, hopsLeft: 2, frame })
  expect(attacked.passedOn("routed")).toEqual([cleo!.member])
})

test("frames of somebody whose certificate nobody has are dropped, and blame nobody", async () => {
  const stranger = await openIdentity({ name: "Eve", store: createMemoryStore() })
  expect(await attacked.takes(bob!, { kind: "gossip", frame: await frameOf(stranger) })).toBeNull()
  expect(attacked.asked).toEqual([stranger.member])
  expect(attacked.passedOn("gossip")).toEqual([])
  expect(attacked.parted.size).toBe(0)
})
