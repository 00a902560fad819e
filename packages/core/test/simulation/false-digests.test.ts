/** Members that claim in their SYNCs to know other statements of hosts than they do, so that views get no key. */
import {
  decodeFrame,
  decodeLinkMessage,
  defaultTimes,
  encodeLinkMessage,
  type GroupConfig,
  type MemberId,
} from "@keymoot/transport"
import {
  type Fault,
  memberNames,
  simulatedId,
  type Sends,
  type WireMessage,
  type World,
} from "@keymoot/transport/testing"
import { expect, test } from "vitest"
import { DifferingViews } from "../../src/admission/differing-views.ts"
import type { DriverEvent } from "../../src/driver/driver-config.ts"
import { toyCryptography } from "./cryptography.ts"
import { DrivenMember, type MeshMessage } from "./members/driven-member.ts"
import { playSecure } from "./run.ts"

const SEED = 1
const NAMES = memberNames(4)
const BY_ID = NAMES.toSorted((a, b) => (simulatedId(a, SEED) < simulatedId(b, SEED) ? -1 : 1))
const LIARS = { lowest: BY_ID[0]!, highest: BY_ID.at(-1)! }
const FROM_MS = 4000
/** Interval of requests for a new key, as the members allow it. */
const WISHES_MS = 15_000
/** The lowest liar replaces its views just before the others' patience with a stalled agreement ends. */
const DAWDLES_MS = 23_000
/** Chance of a message at a tick. */
const SENDS = 0.01
const TRUE_DIGEST = new Uint8Array(32)
const FALSE_DIGEST = new Uint8Array(32).fill(1)
const cryptography = toyCryptography()

/** `lies`: false digests between two secured views. `untilMs`: end of the lies. */
type Lies = {
  readonly liar: "highest" | "lowest"
  readonly lies: number
  readonly untilMs: number
  /** It comes when the liar begins. */
  readonly newcomer?: string
  /** The newcomer states its links to the lowest member only, and only after a lie. */
  readonly isHiding?: boolean
}

/** `leftOut`: names of members that honest ones leave out while there are lies. */
type Course = { readonly leftOut: Set<string>; lieMs: number }
/** By then everybody waits for the lowest member. */
const HIDES_MS = 100

function decoded(message: MeshMessage | WireMessage): ReturnType<typeof decodeLinkMessage> {
  return message.type === "bytes" ? decodeLinkMessage(message.bytes) : null
}

function isProposal(message: MeshMessage | WireMessage): boolean {
  const sent = decoded(message)
  return sent?.type === "frame" && decodeFrame(sent.bytes)?.kind === "propose"
}

/** A heartbeat that states no links. */
function hiding(message: MeshMessage | WireMessage): MeshMessage | WireMessage {
  const sent = decoded(message)
  if (sent?.type !== "heartbeat") return message
  return { type: "bytes", bytes: encodeLinkMessage({ ...sent, heartbeat: { ...sent.heartbeat, up: [] } }) }
}

class StatingMember extends DrivenMember {
  readonly #lies: Lies
  readonly #differing: DifferingViews
  #falseViews = 0
  #securedAtMs: number | null = null
  #differsSinceMs = 0
  readonly #course: Course

  constructor(world: World, name: string, id: MemberId, config: GroupConfig, sends: Sends, lies: Lies, course: Course) {
    super(world, name, id, config, { cryptography, module: "tgdh", postQuantum: "off", sends })
    this.#lies = lies
    this.#course = course
    this.#differing = new DifferingViews(id)
  }

  get #isLiar(): boolean {
    return this.name === LIARS[this.#lies.liar]
  }

  get #isTime(): boolean {
    return this.now() > FROM_MS && this.now() < this.#lies.untilMs
  }

  protected override get statementsDigest(): Uint8Array {
    return this.#isLiar && this.#isTime && this.#falseViews < this.#lies.lies ? FALSE_DIGEST : TRUE_DIGEST
  }

  protected override onEvent(event: DriverEvent): void | Promise<void> {
    if (event.type === "agreeing") this.#differing.onView()
    if (event.type === "secured") {
      this.#differing.onSecured()
      this.#falseViews = 0
      this.#securedAtMs = this.now()
    }
    const isLeftOut = event.type === "security" && event.event.code === "obstruction"
    const isHonest = !this.#isLiar && this.name !== this.#lies.newcomer
    if (isLeftOut && this.#isTime && isHonest) this.#course.leftOut.add(this.nameOf(event.event.member!))
    return event.type === "differing" ? this.#onDiffering(event) : super.onEvent(event)
  }

  #onDiffering({ view, members }: Extract<DriverEvent, { type: "differing" }>): void {
    this.#falseViews++
    this.#differsSinceMs = this.now()
    if (this.#isLiar) this.#course.lieMs = this.now()
    const others = members.filter((member) => member !== this.id)
    for (const member of this.#differing.onDiffering(view, others, this.now()))
      if (!this.#isLiar) this.driver.obstructed(member)
  }

  protected override onLinkUp(peer: MemberId, incarnation: number, distant: boolean): void {
    super.onLinkUp(peer, incarnation, distant)
    if (this.#isTime && this.#lies.newcomer === this.nameOf(peer) && !this.#lies.isHiding) this.driver.refresh()
  }

  /** The newcomer proposes nothing. */
  protected override transmit(to: readonly MemberId[], message: MeshMessage | WireMessage, unreliable = false): void {
    if (this.#lies.newcomer !== this.name) return super.transmit(to, message, unreliable)
    if (isProposal(message)) return
    for (const peer of to) super.transmit([peer], this.#isHidingFrom(peer) ? hiding(message) : message, unreliable)
  }

  #isHidingFrom(peer: MemberId): boolean {
    if (!this.#lies.isHiding || this.now() >= this.#lies.untilMs) return false
    return this.nameOf(peer) !== BY_ID[1] || this.now() < this.#course.lieMs + HIDES_MS
  }

  protected override onTick(): void {
    const isHeldBack = this.#isLiar && this.#isTime && this.now() - this.#differsSinceMs < DAWDLES_MS
    if (this.#differing.tick(this.now()) && !isHeldBack) this.driver.replaceView()
    if (this.#isNewKeyDue) {
      this.#securedAtMs = null
      this.#course.lieMs = Infinity
      this.driver.refresh()
    }
    super.onTick()
  }

  /** The liar requests a new key as often as it may. The lowest member grants that. */
  get #isNewKeyDue(): boolean {
    const { members } = this.driver.view
    const isWhole = members.length === this.world.ids.size - (this.#lies.isHiding ? 1 : 0)
    const isLowest = members[0]?.id === this.id && isWhole
    const waitMs = this.#lies.liar === "lowest" ? 0 : WISHES_MS
    return isLowest && this.#isTime && this.#securedAtMs !== null && this.now() - this.#securedAtMs >= waitMs
  }
}

/** Names of the members that honest ones have left out. */
async function leftOutBy(lies: Lies): Promise<string[]> {
  const course: Course = { leftOut: new Set(), lieMs: Infinity }
  const { newcomer: member, untilMs: calmMs } = lies
  const faults: Fault[] = []
  if (member) faults.push({ atMs: 0, type: "absent", member }, { atMs: FROM_MS, type: "recover", member })
  const scenario = { seed: SEED, members: NAMES.length, faults, calmMs }
  await playSecure(scenario, {
    times: { ...defaultTimes, aloneAfterMs: 1500 },
    delayMs: 20,
    create: ({ untilMs }) => {
      const sends = { untilMs, chance: () => SENDS }
      return (world, name, id, config) => new StatingMember(world, name, id, config, sends, lies, course)
    },
  })
  return [...course.leftOut]
}

test("leaves out the member whose digest is false in five of six views, and no other", async () => {
  expect(await leftOutBy({ liar: "highest", lies: 5, untilMs: FROM_MS + 60_000 })).toEqual([LIARS.highest])
})

test("leaves out a lowest member whose digest is false and that replaces no view", async () => {
  expect(await leftOutBy({ liar: "lowest", lies: 5, untilMs: FROM_MS + 30_000 })).toEqual([LIARS.lowest])
})

test("leaves out a newcomer that proposes nothing after a lie, not the lowest member", async () => {
  const newcomer = LIARS.lowest
  expect(await leftOutBy({ liar: "highest", lies: 1, untilMs: FROM_MS + 25_000, newcomer })).toEqual([newcomer])
})

test("keeps the lowest member when a newcomer shows itself to that one only", async () => {
  const untilMs = FROM_MS + 60_000
  const lies = { liar: "highest", lies: 1, untilMs, newcomer: LIARS.lowest, isHiding: true } as const
  expect(await leftOutBy(lies)).toEqual([])
})
