/**
 * Sorts neighbours: a neighbour reaches the group only while the rules admit it. Hosts also keep links with neighbours
 * that are not admitted: waiting people, and removed members that are still to be notified.
 */
import { decodeLinkMessage, type InvitationKeys, type MemberId } from "@keymoot/transport"
import type { LinkOutput } from "../overlay/overlay-links.ts"
import { LruMap } from "../wire/index.ts"
import { type Certified, type EntryRules, keyOf, printOf } from "./entry-rules.ts"
import type { Waiting } from "./knock-trust.ts"
import { SeenPeople } from "./seen-people.ts"
import type { PersonKey } from "./statements/statement.ts"

export type NeighbourUp = Extract<LinkOutput, { type: "linkUp" }>

/** Delay before the link of a neighbour that is not admitted ends. It gives time for the notice of the reason. */
const EXPEL_AFTER_MS = 1_000
/**
 * Delays after which a newly admitted member announces itself to the room again. Some members may not know of the
 * admission at first.
 */
const ANNOUNCE_MS: readonly number[] = [0, 500, 2_000]
/** Backoff before an expelled neighbour that comes back is notified again. */
const EXPELLED_MS = 5_000
/** Time for which a refusal counts. Then the person may knock again, so a host can correct a wrong answer. */
export const REFUSED_MS = 60_000
/** Refused or expelled people that this host remembers. An evicted one may come again. */
const UNHEARD_MAX = 64

/**
 * Bound on waiting people at one host, and on those besides who were admitted before. So strangers cannot keep out
 * members that return. Further people get no link and retry by themselves.
 */
export const KNOCKS_MAX = 32

export type GateOutput =
  /** For the group: a neighbour was admitted, or is not any more. */
  | { readonly type: "pass"; readonly output: Extract<LinkOutput, { type: "linkUp" | "linkDown" }> }
  /** End the link with it. */
  | { readonly type: "expel"; readonly member: MemberId; readonly reason: string }
  /** Announce this member to the room again. */
  | { readonly type: "announce" }

type Neighbour = { readonly link: NeighbourUp; name: string; inside: boolean; expelAtMs: number | null }

export class Gate {
  readonly #rules: EntryRules
  readonly #emit: (output: GateOutput) => void
  readonly #neighbours = new Map<MemberId, Neighbour>()
  /** Time until which a person gets no link, unless it is admitted. */
  readonly #unheardUntilMs = new LruMap<PersonKey, number>(UNHEARD_MAX)
  readonly #seen = new SeenPeople()
  #waiting: boolean
  #announceAtMs: number[] = []
  #nowMs = 0

  constructor(rules: EntryRules, emit: (output: GateOutput) => void) {
    this.#rules = rules
    this.#emit = emit
    this.#waiting = !rules.admitsSelf()
  }

  /** Whether this member itself is not admitted yet. It may knock. */
  get waiting(): boolean {
    return this.#waiting
  }

  get linked(): readonly MemberId[] {
    return [...this.#neighbours.keys()]
  }

  /** People that wait at this host. */
  get knocks(): readonly Waiting[] {
    if (!this.#rules.isHost) return []
    return [...this.#neighbours.values()].filter((each) => this.#knocks(each)).map(personOf)
  }

  /** Whether a host is a neighbour of this waiting person. */
  get hostHere(): boolean {
    return this.#waiting && this.linked.some((member) => this.isLinkedHost(member))
  }

  isInside(member: MemberId): boolean {
    return this.#neighbours.get(member)?.inside ?? false
  }

  /** Admitted neighbours that have not proved that they hold the present invitation. */
  get behind(): readonly MemberId[] {
    const inside = [...this.#neighbours].filter(([, each]) => each.inside)
    return inside.filter(([, { link }]) => !this.#rules.holdsPresent(link.keys)).map(([member]) => member)
  }

  /** People that were admitted while this member was, as far as they are remembered. Longest presence first. */
  get seen(): readonly PersonKey[] {
    return this.#seen.keys(this.#nowMs)
  }

  isLinkedHost(member: MemberId): boolean {
    const neighbour = this.#neighbours.get(member)
    return neighbour !== undefined && this.#rules.isHostKey(keyOf(neighbour.link.credential))
  }

  /** Returns the certificate of a host that is a neighbour; null for another one. */
  linkedHost(member: MemberId): Certified | null {
    return this.isLinkedHost(member) ? this.#neighbours.get(member)!.link.credential : null
  }

  /** Returns the certificate of a waiting person; null for an admitted or unknown one. */
  outsider(member: MemberId): Certified | null {
    const neighbour = this.#neighbours.get(member)
    return neighbour && this.#knocks(neighbour) ? neighbour.link.credential : null
  }

  /** Whether a link with this member is allowed. `keys` as in `EntryRules.admits`. */
  mayLink(credential: Certified, keys: InvitationKeys | null): boolean {
    if (!this.#rules.mayBeNamed(credential)) return false
    // Another host may have admitted a person that this one has refused.
    if (this.#rules.admits(credential, keys)) return true
    if (this.#isUnheard(keyOf(credential))) return false
    // A waiting person must find hosts but cannot know them all. Hosts recognise it.
    if (this.#waiting || this.#rules.mayProve(keys)) return true
    return this.#rules.isHost && this.#hasRoomFor(credential)
  }

  up(link: NeighbourUp): void {
    // Several links may have been in progress for the last free place.
    if (!this.#hasRoomFor(link.credential) && !this.#rules.admits(link.credential, link.keys)) {
      this.#unheardUntilMs.set(keyOf(link.credential), this.#nowMs + EXPELLED_MS)
    }
    const former = this.#neighbours.get(link.peer)
    if (former) this.#goes(former)
    const neighbour = { link, name: former?.name ?? "", inside: false, expelAtMs: null }
    this.#neighbours.set(link.peer, neighbour)
    this.#sort(neighbour)
  }

  down(output: Extract<LinkOutput, { type: "linkDown" }>): void {
    const neighbour = this.#neighbours.get(output.peer)
    if (neighbour?.inside) this.#emit({ type: "pass", output })
    if (neighbour) this.#goes(neighbour)
    this.#neighbours.delete(output.peer)
  }

  /** Sets the name that hosts see. */
  named(member: MemberId, name: string): void {
    const neighbour = this.#neighbours.get(member)
    if (neighbour) neighbour.name = name
  }

  /** Re-evaluates all neighbours after a change of the statements or of this member's invitations. */
  review(): void {
    const before = this.#waiting
    this.#waiting = !this.#rules.admitsSelf()
    if (before && !this.#waiting) this.#announceAtMs = ANNOUNCE_MS.map((laterMs) => this.#nowMs + laterMs)
    for (const neighbour of this.#neighbours.values()) this.#sort(neighbour)
  }

  /** Refuses a waiting person: for `REFUSED_MS` this host links with it only if another host admits it. */
  refuse(member: MemberId): void {
    const neighbour = this.#neighbours.get(member)
    if (!neighbour) return
    this.#unheardUntilMs.set(keyOf(neighbour.link.credential), this.#nowMs + REFUSED_MS)
    neighbour.expelAtMs = this.#nowMs + EXPEL_AFTER_MS
  }

  /** Whether this member is admitted, and neither announces itself again nor ends a link soon. */
  get isCalm(): boolean {
    const isExpelling = [...this.#neighbours.values()].some(({ expelAtMs }) => expelAtMs !== null)
    return !this.#waiting && this.#announceAtMs.length === 0 && !isExpelling
  }

  tick(nowMs: number): void {
    this.#nowMs = nowMs
    for (const [member, { inside, expelAtMs, link }] of this.#neighbours) {
      if (inside || expelAtMs === null || nowMs < expelAtMs) continue
      // A removed member has already been notified.
      const key = keyOf(link.credential)
      if (!this.#isUnheard(key)) this.#unheardUntilMs.set(key, nowMs + EXPELLED_MS)
      this.#emit({ type: "expel", member, reason: "it is not in the conference" })
    }
    const due = this.#announceAtMs.filter((atMs) => nowMs >= atMs)
    this.#announceAtMs = this.#announceAtMs.filter((atMs) => nowMs < atMs)
    if (due.length > 0) this.#emit({ type: "announce" })
  }

  #sort(neighbour: Neighbour): void {
    const { link } = neighbour
    const { peer, credential, keys } = link
    const inside = !this.#waiting && this.#rules.admits(credential, keys)
    if (inside && !neighbour.inside) {
      this.#seen.entered(keyOf(credential), this.#nowMs)
      this.#emit({ type: "pass", output: link })
    }
    if (!inside && neighbour.inside) {
      this.#goes(neighbour)
      this.#emit({ type: "pass", output: { type: "linkDown", peer, reason: "it has left the conference" } })
    }
    neighbour.inside = inside
    const kept = inside || this.#waiting || this.#knocks(neighbour)
    neighbour.expelAtMs = kept ? null : (neighbour.expelAtMs ?? this.#nowMs + EXPEL_AFTER_MS)
  }

  #goes({ inside, link }: Neighbour): void {
    if (inside) this.#seen.left(keyOf(link.credential), this.#nowMs)
  }

  #knocks({ inside, link: { credential } }: Neighbour): boolean {
    const key = keyOf(credential)
    return !inside && this.#rules.isHost && !this.#rules.standing.removed.has(key) && !this.#isUnheard(key)
  }

  /** Whether a place is free. A person that already waits needs no second one. */
  #hasRoomFor(person: Certified): boolean {
    const returns = this.#rules.wasAdmittedByHost(person)
    const waiting = [...this.#neighbours.values()].filter((each) => this.#knocks(each))
    const others = waiting.filter(({ link: { credential } }) => credential.member !== person.member)
    const alike = others.filter(({ link }) => this.#rules.wasAdmittedByHost(link.credential) === returns)
    return alike.length < KNOCKS_MAX
  }

  #isUnheard(key: PersonKey): boolean {
    return (this.#unheardUntilMs.get(key) ?? 0) > this.#nowMs
  }
}

function personOf({ link: { credential }, name }: Neighbour): Waiting {
  return { id: credential.member, name, fingerprint: printOf(credential), publicKey: credential.publicKey }
}

const OUT_OF_GROUP_TAG = 4

/** Decodes a notice; null for other messages. Frames are the common case, so they are not decoded twice. */
export function decodeOutOfGroup(bytes: Uint8Array): Uint8Array | null {
  if (bytes[0] !== OUT_OF_GROUP_TAG) return null
  const message = decodeLinkMessage(bytes)
  return message?.type === "outOfGroup" ? message.bytes : null
}
