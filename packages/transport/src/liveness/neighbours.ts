/**
 * The failure detector, eventually strong (◇S). A neighbour is up while it has a link and was heard of within its
 * timeout. The timeout grows when a suspicion proves wrong, and decays again.
 */
import type { MemberId } from "../members/ids.ts"
import { compareProposals, type Heartbeat } from "../wire/messages.ts"
import { sameInstances } from "../view/view.ts"
import { BlameBook } from "./blame.ts"
import { EarlyLinks } from "./early-links.ts"

export type LivenessConfig = {
  readonly heartbeatMs: number
  /** Silence after which a neighbour is suspected, before any mistake was made. */
  readonly suspectMs: number
  readonly proposalMs: number
}

const SUSPECT_GROWTH = 1.5
const SUSPECT_GROWTH_MAX = 8
/** Share of a timeout's excess that remains after a second without a mistake. */
const DECAY_PER_SECOND = 0.98
/** In units of `proposalMs`: the longest time that any member waits before it blames another. */
const BLAMELESS_AFTER_SLEEP = 5
/** Below this growth a timeout counts as the initial one, and nothing about the member is stored. */
const GROWTH_MIN = 1.01

type Neighbour = {
  incarnation: number
  /** Reached over the overlay. The member is up while link state shows a path, and holds up every reachable member. */
  readonly distant: boolean
  /** Its heartbeat came over the overlay, and so names neither the members of its view nor those that it holds up. */
  isBrief: boolean
  heardAtMs: number
  /** The layer below answers what is sent to it, for instance with acknowledgements. */
  answers: boolean
  suspected: boolean
  /** True after a goodbye: never up again in this incarnation. */
  gone: boolean
  heartbeat: Heartbeat | null
}

export class Neighbours {
  readonly #self: MemberId
  readonly #config: LivenessConfig
  readonly #neighbours = new Map<MemberId, Neighbour>()
  /** Kept after a link is gone, so that a flapping member does not start with the initial timeout each time. */
  readonly #growth = new Map<MemberId, number>()
  readonly #blame: BlameBook
  readonly #earlyLinks: EarlyLinks
  #lastTickMs: number | null = null
  /** Incremented when the set of reachable members, or the neighbours' lists of them, may have changed. */
  version = 0
  /** Neighbours whose silence counts. */
  readonly #near = new Set<MemberId>()
  /** Incremented when a neighbour shows another view, or another promise, than before. */
  standing = 0

  constructor(self: MemberId, config: LivenessConfig) {
    this.#self = self
    this.#config = config
    this.#blame = new BlameBook(config.proposalMs)
    this.#earlyLinks = new EarlyLinks(config.proposalMs)
  }

  /** If a neighbour changes between link and overlay, its last heartbeat stays valid. */
  linkUp(peer: MemberId, incarnation: number, nowMs: number, distant = false): void {
    this.version++
    this.standing++
    this.#earlyLinks.forget(peer)
    if (!this.#neighbours.has(peer)) this.#linked = null
    if (distant) this.#near.delete(peer)
    else this.#near.add(peer)
    const known = this.#neighbours.get(peer)
    const sameIncarnation = known?.incarnation === incarnation && (distant || known.distant) ? known : null
    this.#neighbours.set(peer, {
      incarnation,
      distant,
      isBrief: sameIncarnation?.distant ?? false,
      heardAtMs: nowMs,
      answers: false,
      suspected: false,
      gone: sameIncarnation?.gone ?? false,
      heartbeat: sameIncarnation?.heartbeat ?? null,
    })
  }

  linkDown(peer: MemberId): void {
    this.version++
    this.standing++
    this.#near.delete(peer)
    this.#earlyLinks.forget(peer)
    if (this.#neighbours.delete(peer)) this.#linked = null
  }

  /** Returns true if that ends a suspicion. */
  heard(peer: MemberId, nowMs: number): boolean {
    const neighbour = this.#neighbours.get(peer)
    if (!neighbour) return false
    const silentMs = nowMs - neighbour.heardAtMs
    neighbour.heardAtMs = nowMs
    if (!neighbour.suspected) return false
    neighbour.suspected = false
    this.version++
    // Beyond any timeout the member was out of reach, and the suspicion no mistake.
    if (silentMs <= SUSPECT_GROWTH_MAX * this.#config.suspectMs)
      this.#growth.set(peer, Math.min(SUSPECT_GROWTH_MAX, this.#growthOf(peer) * SUSPECT_GROWTH))
    return true
  }

  /** The layer below has reported that the member is alive. */
  answers(peer: MemberId): void {
    const neighbour = this.#neighbours.get(peer)
    if (neighbour) neighbour.answers = true
  }

  isAnswering(peer: MemberId): boolean {
    return this.#neighbours.get(peer)?.answers ?? false
  }

  heartbeat(peer: MemberId, heartbeat: Heartbeat, nowMs: number): void {
    const neighbour = this.#neighbours.get(peer)
    if (neighbour?.incarnation !== heartbeat.incarnation) return
    if (!neighbour.heartbeat || !sayTheSame(neighbour.heartbeat, heartbeat)) {
      this.version++
      const up = heartbeat.up.filter((id) => this.#neighbours.has(id))
      this.#earlyLinks.state(peer, up, nowMs)
    }
    if (!neighbour.heartbeat || !standTheSame(neighbour.heartbeat, heartbeat)) this.standing++
    neighbour.heartbeat = heartbeat
    neighbour.isBrief = neighbour.distant
  }

  /** Returns false for a goodbye of another incarnation, or of a member that is no neighbour. */
  left(peer: MemberId, incarnation: number): boolean {
    const neighbour = this.#neighbours.get(peer)
    if (neighbour?.incarnation !== incarnation) return false
    neighbour.gone = true
    this.version++
    return true
  }

  tick(nowMs: number): void {
    const first = this.#lastTickMs === null
    const gapMs = nowMs - (this.#lastTickMs ?? 0)
    this.#lastTickMs = nowMs
    if (this.#blame.tick(nowMs)) this.version++
    if (this.#earlyLinks.tick(nowMs)) this.version++
    for (const [peer, growth] of this.#growth) {
      const decayed = 1 + (growth - 1) * DECAY_PER_SECOND ** (Math.min(gapMs, 60_000) / 1000)
      if (decayed < GROWTH_MIN) this.#growth.delete(peer)
      else this.#growth.set(peer, decayed)
    }
    // A gap this long means that this device slept, not that all others were silent. The detector starts anew.
    const slept = gapMs > this.#config.suspectMs / 2
    if (slept && !first) this.#blame.pause(BLAMELESS_AFTER_SLEEP * this.#config.proposalMs)
    if (slept) for (const neighbour of this.#neighbours.values()) neighbour.heardAtMs = nowMs
    for (const peer of this.#near) {
      const neighbour = this.#neighbours.get(peer)!
      if (neighbour.suspected || nowMs - neighbour.heardAtMs <= this.#config.suspectMs * this.#growthOf(peer)) continue
      neighbour.suspected = true
      this.version++
    }
  }

  /** See `GroupCore.nextTickMs`. Ticks come often enough that a rest does not look like sleep. */
  get nextTickMs(): number {
    const { suspectMs } = this.#config
    if (this.#lastTickMs === null) return -Infinity
    const near = [...this.#near].map((peer) => this.#neighbours.get(peer)!).filter(({ suspected }) => !suspected)
    const suspicions = near.map(({ heardAtMs }) => heardAtMs + suspectMs)
    const { nextTickMs } = this.#earlyLinks
    return Math.min(this.#lastTickMs + suspectMs / 4, this.#blame.nextTickMs, nextTickMs, ...suspicions)
  }

  /** Returns true if the member is excluded from now on (blame.ts), whether it is up or not. */
  blame(peer: MemberId, weight: number): boolean {
    return this.#leftOut(this.#blame.blame(peer, weight))
  }

  /** As `blame`, for a member that has left the view. */
  departed(peer: MemberId): boolean {
    return this.#leftOut(this.#blame.departed(peer))
  }

  #leftOut(out: boolean): boolean {
    if (out) this.version++
    return out
  }

  isUp(peer: MemberId): boolean {
    const neighbour = this.#neighbours.get(peer)
    return neighbour !== undefined && !neighbour.suspected && !neighbour.gone && !this.#blame.isOut(peer)
  }

  incarnationOf(peer: MemberId): number | undefined {
    return this.#neighbours.get(peer)?.incarnation
  }

  /** Time of the last sign of life. 0 for a member that is no neighbour. */
  heardAtMs(peer: MemberId): number {
    return this.#neighbours.get(peer)?.heardAtMs ?? 0
  }

  heartbeatOf(peer: MemberId): Heartbeat | null {
    return this.#neighbours.get(peer)?.heartbeat ?? null
  }

  /** Neighbours that have just stated a link to that one, which may not know yet that the link is up. */
  justLinkedTo(peer: MemberId): readonly MemberId[] {
    return this.#earlyLinks.to(peer)
  }

  /** Other members that linked neighbours hold up. */
  get heldUp(): ReadonlySet<MemberId> {
    if (this.#heldUp?.version !== this.version) {
      const members = new Set([...this.#near].flatMap((peer) => this.heartbeatOf(peer)?.up ?? []))
      members.delete(this.#self)
      this.#heldUp = { version: this.version, members }
    }
    return this.#heldUp.members
  }
  #heldUp: { readonly version: number; readonly members: ReadonlySet<MemberId> } | null = null

  isDistant(peer: MemberId): boolean {
    return this.#neighbours.get(peer)?.distant ?? false
  }

  /** Its heartbeat names neither the members of its view nor those that it holds up. */
  isBrief(peer: MemberId): boolean {
    return this.#neighbours.get(peer)?.isBrief ?? false
  }

  /**
   * True if a member is reached over the overlay. Then views consist of members that link state shows to be connected.
   */
  get overOverlay(): boolean {
    return this.up().some((peer) => this.#isOverOverlay(peer))
  }

  /** A member whose link has just come back counts as distant until its first heartbeat over the link. */
  #isOverOverlay(peer: MemberId): boolean {
    const neighbour = this.#neighbours.get(peer)
    return neighbour !== undefined && (neighbour.distant || neighbour.isBrief)
  }

  /** According to the heartbeat of `peer`, or to paths over the overlay, which are the same for all members. */
  holdsUp(peer: MemberId, other: MemberId): boolean {
    if (this.#isOverOverlay(peer) && (other === this.#self || this.isUp(other))) return true
    return this.heartbeatOf(peer)?.up.includes(other) ?? false
  }

  /** Sorted. */
  up(): readonly MemberId[] {
    if (this.#up?.version !== this.version) {
      const peers = this.linked().filter((peer) => this.isUp(peer))
      this.#up = { version: this.version, peers }
    }
    return this.#up.peers
  }
  #up: { readonly version: number; readonly peers: readonly MemberId[] } | null = null

  /** Sorted. */
  linked(): readonly MemberId[] {
    return (this.#linked ??= [...this.#neighbours.keys()].sort())
  }
  /** Sorted lazily: in a large conference many members come and go at once. */
  #linked: readonly MemberId[] | null = null

  #growthOf(peer: MemberId): number {
    return this.#growth.get(peer) ?? 1
  }
}

function standTheSame(a: Heartbeat, b: Heartbeat): boolean {
  return a.view === b.view && compareProposals(a.promised, b.promised) === 0
}

/** True if both heartbeats agree on everything that view changes depend on. */
function sayTheSame(a: Heartbeat, b: Heartbeat): boolean {
  const sameUp = a.up.length === b.up.length && a.up.every((id, i) => id === b.up[i])
  return sameUp && sameInstances(a.viewMembers, b.viewMembers)
}
