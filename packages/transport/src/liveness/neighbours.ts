/**
 * Who can be reached now. A neighbour is up while its link stands and it was heard of within its time-out; the
 * time-out grows when a suspicion proves wrong and decays again (an eventually strong detector, ◇S).
 */
import type { MemberId } from "../ids.ts"
import { compareProposals, type Heartbeat } from "../wire/messages.ts"
import { sameInstances } from "../group/view.ts"
import { BlameBook } from "./blame.ts"

export type LivenessConfig = {
  readonly heartbeatMs: number
  /** Silence after which a neighbour is suspected, before any mistake was made. */
  readonly suspectMs: number
  readonly proposalMs: number
}

const SUSPECT_GROWTH = 1.5
const SUSPECT_GROWTH_MAX = 8
/** Part of the excess that is left after a second without a mistake. */
const DECAY_PER_SECOND = 0.98
/** Times `proposalMs`: as long as anybody waits before it lays blame. */
const BLAMELESS_AFTER_SLEEP = 5
/** Below this a time-out counts as the initial one again, and nothing about the member is kept. */
const GROWTH_MIN = 1.01

type Neighbour = {
  incarnation: number
  /** Reached over the overlay: it is up while link state says that there is a way, and sees all who can be reached. */
  readonly distant: boolean
  linkedAtMs: number
  heardAtMs: number
  suspected: boolean
  /** Said goodbye: never up again in this incarnation. */
  gone: boolean
  heartbeat: Heartbeat | null
}

export class Neighbours {
  readonly #self: MemberId
  readonly #config: LivenessConfig
  readonly #neighbours = new Map<MemberId, Neighbour>()
  /** Kept after a link is gone, so that a flapping member does not start afresh each time. */
  readonly #growth = new Map<MemberId, number>()
  readonly #blame: BlameBook
  #lastTickMs: number | null = null
  /** Grows whenever who is up, or what the neighbours say of that, may have changed. */
  version = 0
  /** Those whose silence counts. */
  readonly #near = new Set<MemberId>()
  /** Grows whenever a neighbour shows another view, or another promise, than before. */
  standing = 0

  constructor(self: MemberId, config: LivenessConfig) {
    this.#self = self
    this.#config = config
    this.#blame = new BlameBook(config.proposalMs)
  }

  /** Of a neighbour that is reached in another way from now on, what it has said stays. */
  linkUp(peer: MemberId, incarnation: number, nowMs: number, distant = false): void {
    this.version++
    this.standing++
    if (!this.#neighbours.has(peer)) this.#linked = null
    if (distant) this.#near.delete(peer)
    else this.#near.add(peer)
    const known = this.#neighbours.get(peer)
    const sameLife = known?.incarnation === incarnation && (distant || known.distant) ? known : null
    this.#neighbours.set(peer, {
      incarnation,
      distant,
      linkedAtMs: nowMs,
      heardAtMs: nowMs,
      suspected: false,
      gone: sameLife?.gone ?? false,
      heartbeat: sameLife?.heartbeat ?? null,
    })
  }

  linkDown(peer: MemberId): void {
    this.version++
    this.standing++
    this.#near.delete(peer)
    if (this.#neighbours.delete(peer)) this.#linked = null
  }

  heard(peer: MemberId, nowMs: number): void {
    const neighbour = this.#neighbours.get(peer)
    if (!neighbour) return
    neighbour.heardAtMs = nowMs
    if (!neighbour.suspected) return
    neighbour.suspected = false
    this.version++
    this.#growth.set(peer, Math.min(SUSPECT_GROWTH_MAX, this.#growthOf(peer) * SUSPECT_GROWTH))
  }

  heartbeat(peer: MemberId, heartbeat: Heartbeat): void {
    const neighbour = this.#neighbours.get(peer)
    if (neighbour?.incarnation !== heartbeat.incarnation) return
    if (!neighbour.heartbeat || !sayTheSame(neighbour.heartbeat, heartbeat)) this.version++
    if (!neighbour.heartbeat || !standTheSame(neighbour.heartbeat, heartbeat)) this.standing++
    neighbour.heartbeat = heartbeat
  }

  /** False for a goodbye of another life, or of somebody who is no neighbour. */
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
    for (const [peer, growth] of this.#growth) {
      const decayed = 1 + (growth - 1) * DECAY_PER_SECOND ** (Math.min(gapMs, 60_000) / 1000)
      if (decayed < GROWTH_MIN) this.#growth.delete(peer)
      else this.#growth.set(peer, decayed)
    }
    // A gap this long means that this member slept, not that all the others did: start the detector afresh.
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

  /** True if the member is left out from now on (blame.ts), be it there at the moment or not. */
  blame(peer: MemberId, weight: number): boolean {
    return this.#leftOut(this.#blame.blame(peer, weight))
  }

  /** The same, of one that is out of the view. */
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

  heartbeatOf(peer: MemberId): Heartbeat | null {
    return this.#neighbours.get(peer)?.heartbeat ?? null
  }

  isDistant(peer: MemberId): boolean {
    return this.#neighbours.get(peer)?.distant ?? false
  }

  /** Somebody is reached over the overlay: views are made of whom link state shows to be joined by paths. */
  get overOverlay(): boolean {
    return this.up().some((peer) => this.isDistant(peer))
  }

  /** As far as `peer` has said, or as ways over the overlay, which are everybody's, tell. */
  holdsUp(peer: MemberId, other: MemberId): boolean {
    if (this.isDistant(peer) && (other === this.#self || this.isUp(other))) return true
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
  /** Put in order when it is asked for: of many, many come and go at once. */
  #linked: readonly MemberId[] | null = null

  #growthOf(peer: MemberId): number {
    return this.#growth.get(peer) ?? 1
  }
}

function standTheSame(a: Heartbeat, b: Heartbeat): boolean {
  return a.view === b.view && compareProposals(a.promised, b.promised) === 0
}

/** Of what others build views on. */
function sayTheSame(a: Heartbeat, b: Heartbeat): boolean {
  const sameUp = a.up.length === b.up.length && a.up.every((id, i) => id === b.up[i])
  return sameUp && sameInstances(a.viewMembers, b.viewMembers)
}
