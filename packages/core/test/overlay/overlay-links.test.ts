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
  type Credential,
  type Frame,
  type InvitationKeys,
  type MemberId,
  type OverlayWireMessage,
} from "@keymoot/transport"
import { beforeAll, beforeEach, expect, test } from "vitest"
import { FrameOpener } from "../../src/frames/frame-opener.ts"
import { OverlayLinks, type LinkOutput } from "../../src/overlay/overlay-links.ts"
import { Topology } from "../../src/overlay/topology.ts"
import { createCredentialChecker, type MemberCredential } from "../../src/identity/certificates/credential-checker.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { openIdentity, type OwnIdentity } from "../../src/identity/own-identity.ts"
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
  announced = 0
  charged = 0
  /** `contacts`: others that are here, as far as the room tells. */
  contacts: readonly OwnIdentity[] = [bob!, cleo!, dan!]
  /** Members that linked neighbours hold up. */
  readonly heldUp = new Set<MemberId>()
  /** Linked members whose links have no path. */
  readonly lost = new Set<MemberId>()
  /** People that nobody has let in. */
  readonly waiting = new Set<MemberId>()
  /** People of whom the room has an advertisement, and no answer. */
  readonly replayed = new Set<MemberId>()
  readonly mesh = {
    countContacts: (isCounted: (credential: Credential, keys: InvitationKeys) => boolean, evidence: "proof" | "any") =>
      this.contacts.filter((each) => isCounted(each, keys) && (evidence === "any" || !this.replayed.has(each.member)))
        .length,
    announce: () => void this.announced++,
    hasPath: (peer: MemberId) => [bob!.member, cleo!.member].includes(peer) && !this.lost.has(peer),
    part: (peer: MemberId) => void this.parted.add(peer),
    signal: (to: MemberId) => void this.signalled.push(to),
    send: (to: MemberId, bytes: Uint8Array) => {
      const message = decodeLinkMessage(bytes)
      if (message?.type === "overlay") this.sent.push({ to, message: decodeOverlayMessage(message.bytes)! })
      return true
    },
    certificateOf: async (member: MemberId) => {
      this.asked.push(member)
      return this.#known.get(member) ?? null
    },
  }
  readonly links: OverlayLinks
  readonly topology: Topology
  readonly opener: FrameOpener
  readonly #known = new Map<MemberId, OwnIdentity>()

  /** `meshMax`: 2 are too few for a link with everybody here. */
  constructor(meshMax = 2) {
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
    this.topology = new Topology({ id: ada!.member, incarnation: 1 }, () => 0.5, meshMax)
    this.links = new OverlayLinks({
      conferenceTag,
      signer: ada!.signer,
      own: ada!,
      checker: counting,
      policy: { keys: [keys], mayBeInside: ({ member }) => !this.waiting.has(member) },
      topology: this.topology,
      mesh: this.mesh,
      sink: {
        take: (output) => {
          this.outputs.push(output)
          if (output.type === "carried") this.frames.push(output.carried.frame)
        },
      },
      faults: {
        fail: (error) => {
          throw error
        },
      },
    })
    this.tick(1)
    for (const peer of [bob!, cleo!]) {
      const { member } = peer
      this.links.handle({ type: "linkUp", peer: member, incarnation: 1, credential: peer, keys, features: [] })
      this.links.admitted(member)
    }
  }

  tick(nowMs: number): void {
    this.links.tick(nowMs, this.heldUp)
  }

  /** It says through the room that there are many members. */
  hearsOfMany(from: OwnIdentity): void {
    const bytes = encodeDiscovery({ kind: "many" })
    this.links.handle({ type: "signal", peer: from.member, credential: from, keys, bytes })
  }

  async takes(from: OwnIdentity, message: OverlayWireMessage): Promise<string | null> {
    return this.links.receive(from.member, encodeOverlayMessage(message), this.opener, (signatures) => {
      this.charged += signatures
    })
  }

  /** Until what it tells of itself is signed. */
  async settle(): Promise<void> {
    for (let nowMs = 100; nowMs < 1000; nowMs += 100) {
      this.tick(nowMs)
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

/** The record of `of` about itself, signed by `by`. */
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

test("a member announced by a neighbour is up, with its certificate, and passed on", async () => {
  await tellOfDan()
  expect(attacked.isUp).toContain(dan!.member)
  expect(attacked.asked).toContain(dan!.member)
  expect(attacked.sent.some(({ to, message }) => to === cleo!.member && message.kind === "records")).toBe(true)
})

test("a record with a false signature or conference costs its bearer the link", async () => {
  const forged = await recordOf({ of: dan!, neighbours: [bob!], by: bob! })
  const moved = await recordOf({ of: dan!, neighbours: [cleo!], tag: otherTag })
  await attacked.settle()
  attacked.sent.splice(0)
  expect(await attacked.takes(bob!, { kind: "records", records: [forged] })).toBe("bad-signature")
  expect(await attacked.takes(cleo!, { kind: "records", records: [moved] })).toBe("bad-signature")
  expect([...attacked.parted]).toEqual([bob!.member, cleo!.member])
  expect([bob!, cleo!].map(({ member }) => attacked.topology.wants(member))).toEqual([false, false])
  await attacked.settle()
  expect(attacked.isUp).toEqual([])
  expect(attacked.links.neighbours()).toEqual([])
})

test("a caught member is ignored for a while, through the room too, and never asked", async () => {
  const forged = await recordOf({ of: dan!, neighbours: [bob!], by: bob! })
  await attacked.takes(bob!, { kind: "records", records: [forged] })
  attacked.signalled.splice(0)
  const bytes = encodeDiscovery({ kind: "request", want: "need" })
  attacked.links.handle({ type: "signal", peer: bob!.member, credential: bob!, keys, bytes })
  expect(attacked.signalled).toEqual([])
  expect(attacked.topology.wants(bob!.member)).toBe(false)
})

test("an old record said again costs no verification and changes nothing", async () => {
  await tellOfDan()
  const before = attacked.verifications
  const old = await recordOf({ of: dan!, neighbours: [bob!] })
  const older = await recordOf({ of: dan!, neighbours: [], sequence: 0 })
  for (let i = 0; i < 50; i++)
    expect(await attacked.takes(cleo!, { kind: "records", records: [old, older] })).toBeNull()
  // The two new ones of before were charged.
  expect([attacked.verifications, attacked.charged]).toEqual([before, 2])
  expect(attacked.outputs.some(({ type }) => type === "linkDown")).toBe(false)
})

test("makes nobody reachable by links that others do not know of", async () => {
  await attacked.settle()
  const records = [
    await recordOf({ of: bob!, neighbours: [ada!, cleo!, dan!] }),
    await recordOf({ of: dan!, neighbours: [] }),
  ]
  await attacked.takes(bob!, { kind: "records", records })
  await attacked.settle()
  expect(attacked.isUp).not.toContain(dan!.member)
})

test("a member that shows no knowledge of the invitation is not up, though vouched for", async () => {
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

test("drops a message that has no hops left, or nowhere to go", async () => {
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

test("stays in a full mesh when one member says again and again that there are many", () => {
  const few = new Attacked(24)
  for (let i = 0; i < 9; i++) {
    few.hearsOfMany(bob!)
    few.tick(10 + i)
  }
  expect([few.topology.mode, few.topology.wants(dan!.member)]).toEqual(["mesh", true])
  expect(few.sent).toEqual([])
})

test("joins the overlay when two others, and half of those known, report many members", () => {
  const few = new Attacked(24)
  few.hearsOfMany(bob!)
  expect(few.topology.isWide).toBe(false)
  few.hearsOfMany(cleo!)
  expect(few.topology.isWide).toBe(true)
})

test("forgets what one member said when another says the same much later", () => {
  const few = new Attacked(24)
  few.hearsOfMany(bob!)
  few.tick(100_000)
  few.hearsOfMany(cleo!)
  expect(few.topology.mode).toBe("mesh")
})

test("keeps its full mesh when two neighbours use the overlay", async () => {
  const few = new Attacked(24)
  for (const from of [bob!, cleo!]) expect(await few.takes(from, { kind: "news", versions: [] })).toBeNull()
  expect([few.topology.mode, few.topology.wants(dan!.member)]).toEqual(["helping", true])
})

test("seeks a member that a neighbour has invented for a minute only", () => {
  const few = new Attacked(24)
  few.heldUp.add(dan!.member)
  for (let nowMs = 100; nowMs < 3_000; nowMs += 100) few.tick(nowMs)
  expect(few.topology.mode).toBe("helping")
  for (let nowMs = 3_000; nowMs < 80_000; nowMs += 500) few.tick(nowMs)
  expect(few.topology.mode).toBe("mesh")
  expect(few.isUp).toEqual([])
})

test("shows a link that has come back as direct when a record of its member follows", async () => {
  const few = new Attacked(24)
  few.lost.add(cleo!.member)
  few.heldUp.add(cleo!.member)
  await few.settle()
  const records = [
    await recordOf({ of: bob!, neighbours: [ada!, cleo!] }),
    await recordOf({ of: cleo!, neighbours: [bob!] }),
  ]
  await few.takes(bob!, { kind: "records", records })
  for (let nowMs = 1_000; nowMs < 1_500; nowMs += 100) few.tick(nowMs)
  expect(few.links.isDistant(cleo!.member)).toBe(true)
  few.lost.clear()
  const { member: peer } = cleo!
  few.links.handle({ type: "linkUp", peer, incarnation: 1, credential: cleo!, keys, features: [] })
  few.links.handle({ type: "path", peer, path: "direct" })
  const again = await recordOf({ of: cleo!, neighbours: [bob!], sequence: 2 })
  await few.takes(bob!, { kind: "records", records: [again] })
  for (let nowMs = 1_500; nowMs < 2_000; nowMs += 100) few.tick(nowMs)
  expect(few.links.isDistant(peer)).toBe(false)
  expect(few.outputs.flatMap((output) => (output.type === "path" ? [output.path] : [])).at(-1)).toBe("direct")
})

test("seeks nobody over others when its link has been without a path for a moment", () => {
  const few = new Attacked(24)
  few.heldUp.add(bob!.member)
  few.lost.add(bob!.member)
  for (const nowMs of [100, 200, 300]) few.tick(nowMs)
  few.lost.clear()
  for (const nowMs of [400, 500, 600, 700]) few.tick(nowMs)
  expect(few.topology.mode).toBe("mesh")
})

test("announces itself to the room in a large conference, not in a full mesh", () => {
  const announced = (meshMax: number): number => {
    const member = new Attacked(meshMax)
    for (let nowMs = 100; nowMs <= 30_000; nowMs += 100) member.tick(nowMs)
    return member.announced
  }
  expect(announced(24)).toBe(0)
  // Every second round of a second: the room bears no more.
  expect(announced(2)).toBeGreaterThan(10)
  expect(announced(2)).toBeLessThanOrEqual(20)
})

test("stays in a full mesh when many wait that nobody has let in", () => {
  const few = new Attacked(4)
  few.contacts = [bob!, cleo!, dan!, dan!]
  few.waiting.add(dan!.member)
  for (const nowMs of [1000, 2000]) few.tick(nowMs)
  expect(few.topology.mode).toBe("mesh")
  few.waiting.clear()
  few.tick(3000)
  expect(few.topology.mode).toBe("overlay")
})

test("stays in a full mesh when the server replays advertisements of people who left", () => {
  const few = new Attacked(4)
  few.contacts = [bob!, cleo!, dan!, dan!]
  few.replayed.add(dan!.member)
  for (const nowMs of [1000, 2000]) few.tick(nowMs)
  expect(few.topology.mode).toBe("mesh")
  few.replayed.clear()
  few.tick(3000)
  expect(few.topology.mode).toBe("overlay")
})

test("stays in the overlay when most members are advertised and not greeted", () => {
  const { topology } = attacked
  for (const { member } of [bob!, cleo!, dan!]) attacked.replayed.add(member)
  for (let nowMs = 1000; nowMs <= 120_000; nowMs += 1000) attacked.tick(nowMs)
  expect(topology.isWide).toBe(true)
})

test("returns to a full mesh after a time with few members, and reaches linked ones", () => {
  const { topology, outputs, parted } = attacked
  expect([topology.isWide, topology.wants(dan!.member)]).toEqual([true, false])
  attacked.contacts = []
  attacked.tick(30_000)
  attacked.contacts = [bob!]
  attacked.tick(70_000)
  attacked.contacts = []
  attacked.tick(80_000)
  attacked.tick(139_000)
  expect(topology.isWide).toBe(true)
  parted.clear()
  attacked.tick(141_000)
  expect([topology.isWide, topology.wants(dan!.member)]).toEqual([false, true])
  expect(outputs.filter((output) => output.type === "linkDown")).toEqual([])
  // Neither does somebody's silence over the overlay end its link any more.
  for (let nowMs = 142_000; nowMs < 150_000; nowMs += 500) attacked.tick(nowMs)
  expect([...parted]).toEqual([])
})

test("goes over the overlay again at once when there are many again", () => {
  attacked.contacts = []
  for (const nowMs of [1000, 62_000]) attacked.tick(nowMs)
  expect(attacked.topology.isWide).toBe(false)
  attacked.contacts = [bob!, cleo!, dan!]
  attacked.tick(63_000)
  expect(attacked.topology.isWide).toBe(true)
})

test("is not moved by others' words when it has been there long enough to count itself", () => {
  const few = new Attacked(24)
  few.tick(100_000)
  for (const from of [bob!, cleo!]) few.hearsOfMany(from)
  expect([few.topology.isWide, few.topology.wants(dan!.member)]).toEqual([false, true])
})
