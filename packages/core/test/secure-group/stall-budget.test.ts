import { aesGcm } from "../../src/ciphers/aes-gcm.ts"
import { createToyGroup } from "@keymoot/gke/testing"
import { memberIdFromBytes, type GroupFrame, type MemberId, type View } from "@keymoot/transport"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import { decodeAgreementBody } from "../../src/secure-group/agreement-body.ts"
import { SecureGroup } from "../../src/secure-group/secure-group.ts"
import { StallBudget } from "../../src/secure-group/stall-budget.ts"

const group = createToyGroup()
const hash = (text: string): Uint8Array => sha256(utf8ToBytes(text))
const NOTHING_SAID = new Uint8Array(32)
const TICK_MS = 50
/** From one view to the next. */
const APART_MS = 15_000

type Waiting = { readonly atMs: number; readonly epoch: number; readonly frame: GroupFrame }

/** Members that agree on keys with TGDH in virtual time; what some of them say comes late, or not at all. */
class World {
  readonly members: readonly MemberId[]
  readonly groups: ReadonlyMap<MemberId, SecureGroup>
  /** How late what a member says in a view reaches the others. */
  readonly lateMs = new Map<MemberId, number>()
  readonly secured = new Set<MemberId>()
  readonly overdue: { readonly by: MemberId; readonly member: MemberId; readonly atMs: number }[] = []
  /** Members that published in the current view more than a key confirmation, in order. */
  published: MemberId[] = []
  tickMs = TICK_MS
  nowMs = 0
  #epoch = 0
  #waiting: Waiting[] = []

  constructor(count: number) {
    this.members = Array.from({ length: count }, (_, i) => memberIdFromBytes(new Uint8Array(16).fill(i + 1)))
    this.groups = new Map(this.members.map((self) => [self, this.#groupOf(self)]))
  }

  #groupOf(self: MemberId): SecureGroup {
    const place = {
      conferenceId: new Uint8Array(16),
      descriptorHash: new Uint8Array(32),
      cipher: aesGcm,
      postQuantum: "off",
      kem: null,
      invitation: new Uint8Array(32),
    } as const
    const prints = { of: (member: MemberId) => hash(member) }
    return new SecureGroup({ ...place, self, group, module: "tgdh", prints, random: { bytes: randomBytes } })
  }

  /** All of `members` flush, and go to their next view. */
  view(members: readonly MemberId[] = this.members): void {
    const epoch = ++this.#epoch
    const proposal = { epoch, coordinator: members[0]! }
    const instances = members.map((id) => ({ id, incarnation: 1 }))
    const attachments = new Map<MemberId, Uint8Array>()
    for (const id of members) {
      for (const output of this.groups
        .get(id)!
        .step({ type: "flushRequest", proposal, members: instances, first: true, statementsDigest: NOTHING_SAID })) {
        if (output.type === "flushed") attachments.set(id, output.attachment)
      }
    }
    const id = bytesToHex(hash(`view ${epoch}`)) as View["id"]
    const view: View = { id, epoch, proposal, members: instances, transitional: members, features: [], attachments }
    this.secured.clear()
    this.published = []
    for (const member of members) this.#step(member, { type: "view", view })
    this.#deliver()
  }

  run(forMs: number): void {
    for (const untilMs = this.nowMs + forMs; this.nowMs < untilMs;) {
      this.nowMs += this.tickMs
      this.#deliver()
      for (const member of this.members)
        this.#step(member, { type: "tick", nowMs: this.nowMs, proposer: this.members[0]! })
    }
  }

  #step(member: MemberId, input: Parameters<SecureGroup["step"]>[0]): void {
    for (const output of this.groups.get(member)!.step(input)) {
      if (output.type === "secured") this.secured.add(member)
      if (output.type === "overdue") this.overdue.push({ by: member, member: output.member, atMs: this.nowMs })
      if (output.type !== "multicast" && output.type !== "proof") continue
      const message = { dependencies: [], body: output.body }
      const frame = { kind: "agreement", origin: member, message } as unknown as GroupFrame
      this.#waiting.push({ atMs: this.nowMs + (this.lateMs.get(member) ?? 0), epoch: this.#epoch, frame })
    }
  }

  #deliver(): void {
    const isDue = ({ atMs }: { readonly atMs: number }): boolean => atMs <= this.nowMs
    for (let at = this.#waiting.findIndex(isDue); at >= 0; at = this.#waiting.findIndex(isDue)) {
      const [{ epoch, frame }] = this.#waiting.splice(at, 1) as [Waiting]
      if (epoch !== this.#epoch) continue
      if (decodeAgreementBody(frame.message.body)?.type === "message") this.published.push(frame.origin)
      for (const id of this.members) {
        this.#step(id, { type: "deliver", delivery: { frame, globalSequence: 0 } })
      }
    }
  }

  get late(): Set<MemberId> {
    return new Set(this.overdue.map(({ member }) => member))
  }
}

test("names the member that is silent about the key before the agreement restarts", () => {
  const world = new World(4)
  const silent = world.members[2]!
  world.lateMs.set(silent, Infinity)
  world.view()
  world.run(8000)
  expect(world.late).toEqual(new Set([silent]))
  // By each of the others.
  expect(new Set(world.overdue.map(({ by }) => by)).size).toBe(3)
})

test("names a member that is often a little late: all its delays share one budget", () => {
  const world = new World(4)
  const late = world.members[2]!
  // It speaks once or twice in each view.
  world.lateMs.set(late, 3900)
  for (let views = 0; views < 12 && world.overdue.length === 0; views++) {
    world.view()
    world.run(APART_MS)
    if (world.overdue.length === 0) expect(world.secured.size).toBe(4)
  }
  expect(world.late).toEqual(new Set([late]))
})

test("has little budget left when a named member comes again", () => {
  const world = new World(4)
  const silent = world.members[2]!
  world.lateMs.set(silent, Infinity)
  world.view()
  world.run(8000)
  const named = world.overdue.length
  world.run(4000)
  world.view()
  const fromMs = world.nowMs
  world.run(8000)
  expect(world.overdue.length).toBeGreaterThan(named)
  expect(world.overdue[named]!.atMs - fromMs).toBeLessThan(5000)
})

test("spares a member that could not speak because another was silent", () => {
  // Eight in a new tree publish its keys in three rounds: the last of them waits for the first.
  const inTime = new World(8)
  inTime.view()
  const [first, last] = [inTime.published[0]!, inTime.published.at(-1)!]
  expect(first).not.toBe(last)
  const world = new World(8)
  world.lateMs.set(first, 6500)
  world.lateMs.set(last, 2000)
  world.view()
  world.run(20_000)
  expect(world.secured.size).toBe(8)
  expect(world.late).toEqual(new Set([first]))
})

test("does not name members on slow lines that are late in many successive views", () => {
  const world = new World(6)
  for (const member of world.members) world.lateMs.set(member, 1500)
  for (let views = 0; views < 30; views++) {
    world.view()
    for (let i = 0; i < 10 && world.secured.size < 6; i++) world.run(1000)
    expect(world.secured.size).toBe(6)
  }
  expect(world.overdue).toEqual([])
})

test("a member that is late itself, or whose view is about to end, names nobody", () => {
  const world = new World(3)
  world.lateMs.set(world.members[2]!, Infinity)
  world.view()
  world.tickMs = 2000
  world.run(30_000)
  expect(world.overdue).toEqual([])
  const proposal = { epoch: 100, coordinator: world.members[0]! }
  for (const member of world.groups.values()) {
    member.step({ type: "flushRequest", proposal, members: [], first: true, statementsDigest: NOTHING_SAID })
  }
  world.tickMs = TICK_MS
  world.run(30_000)
  expect(world.overdue).toEqual([])
})

/** Time after which members that never answer are named. */
function patienceMs(members: number, tickMs: number, silentMembers = 1): number {
  const silent = Array.from({ length: silentMembers }, (_, i) => memberIdFromBytes(new Uint8Array(16).fill(i + 1)))
  const budget = new StallBudget()
  budget.begin(members)
  let nowMs = 0
  budget.tick(nowMs, silent)
  while (budget.tick((nowMs += tickMs), silent).length === 0) if (nowMs > 600_000) return Infinity
  return nowMs
}

test("a member that does not answer is named after 7.5 s, or 18.75 s among 60", () => {
  expect(patienceMs(3, 50)).toBe(7_550)
  expect(patienceMs(24, 50)).toBe(7_550)
  expect(patienceMs(60, 50)).toBe(18_800)
})

test("members that do not answer at the same time share the time of one", () => {
  expect(patienceMs(6, 50, 5)).toBe(27_550)
})

test("liars that stall together delay the others no longer than one after another", () => {
  for (const liars of [2, 3, 5]) expect(patienceMs(6, 50, liars)).toBeLessThanOrEqual(liars * patienceMs(6, 50))
})

test("a member that is late itself is patient with others, but not for ever", () => {
  expect(patienceMs(3, 200)).toBe(7_600)
  expect(patienceMs(3, 1_000)).toBeGreaterThan(60_000)
  expect(patienceMs(3, 1_000)).toBeLessThan(200_000)
})
