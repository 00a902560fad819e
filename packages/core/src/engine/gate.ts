/**
 * Who is in. It stands between the links and the group: a member with whom there is a link is handed on to the group only
 * if the descriptor's policy and what hosts have said let it in. Everybody judges for itself, from the same signed
 * statements, so nobody's word but the hosts' counts.
 *
 * Hosts also keep links with people who are not in: those who knock, and those who are to hear that they have been removed.
 */
import type { InvitationKeys, MemberId, View } from "@keymoot/transport"
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import type { AdmissionState, Person, SecurityEvent } from "../api.ts"
import { roleOf, type PersonKey, type Role, type Standing } from "../admission/index.ts"
import type { Descriptor } from "../conference/index.ts"
import { fingerprintOf, type MemberCredential } from "../identity/index.ts"
import { statementsDigestIn } from "../secure-group/index.ts"
import { LruMap } from "../wire/index.ts"
import type { Invitations } from "./invitations.ts"
import type { LinkOutput } from "./overlay-links.ts"

export type LinkUp = Extract<LinkOutput, { type: "linkUp" }>
type Certified = Pick<MemberCredential, "member" | "publicKey" | "certificate">

/** Links of people who are not in, and are not to be kept, end after this long: they are told why first. */
const EXPEL_AFTER_MS = 1_000
/** Somebody who has just been let in tells the room again after these: not everybody may have heard of it at the first time. */
const ANNOUNCE_MS: readonly number[] = [0, 500, 2_000]
/** Standings of the last views, by their digest. */
const STANDINGS_MAX = 16
/** Who was told that it has been removed, and comes back, is told again after this. */
const EXPELLED_MS = 5_000
/** People whom this host has refused or expelled; the one longest ago may come again. */
const UNHEARD_MAX = 64

export type GateConfig = {
  readonly descriptor: Descriptor
  readonly self: Certified
  readonly invitations: Invitations
  readonly standing: () => Standing
  readonly vouched: () => boolean
  readonly now: () => number
  readonly known: { get(member: MemberId): MemberCredential | undefined }
  /** To the group. */
  readonly pass: (output: Extract<LinkOutput, { type: "linkUp" | "linkDown" | "frame" }>) => void
  readonly expel: (member: MemberId, reason: string) => void
  readonly announce: () => void
  readonly report: (code: SecurityEvent["code"], member: MemberId, detail: string) => void
  readonly emit: (state: AdmissionState) => void
}

type Neighbour = { readonly link: LinkUp; name: string; inside: boolean; expelAtMs: number | null }

export class Gate {
  readonly #config: GateConfig
  readonly #neighbours = new Map<MemberId, Neighbour>()
  readonly #standings = new LruMap<string, Standing>(STANDINGS_MAX)
  /** Until when somebody is not linked with. */
  readonly #unheardUntilMs = new LruMap<PersonKey, number>(UNHEARD_MAX)
  /** Everybody who was in while this member was. */
  readonly seen = new Set<PersonKey>()
  #waiting = false
  #announceAtMs: number[] = []
  #told = ""
  #nowMs = 0

  constructor(config: GateConfig) {
    this.#config = config
    this.#waiting = !this.#isSelfAdmitted()
  }

  /** This member is not in: it may knock. */
  get waiting(): boolean {
    return this.#waiting
  }

  get isHost(): boolean {
    return this.#config.standing().hosts.includes(keyOf(this.#config.self))
  }

  get linked(): readonly MemberId[] {
    return [...this.#neighbours.keys()]
  }

  get state(): AdmissionState {
    const knocks = this.isHost ? [...this.#neighbours.values()].filter((each) => this.#knocks(each)) : []
    return { waiting: this.#waiting, vouched: this.#config.vouched(), knocks: knocks.map(personOf) }
  }

  isInside(member: MemberId): boolean {
    return this.#neighbours.get(member)?.inside ?? false
  }

  /** Who is in, and has not shown that it holds the present invitation. */
  get behind(): readonly MemberId[] {
    const { invitations, standing } = this.#config
    const inside = [...this.#neighbours].filter(([, each]) => each.inside)
    return inside.filter(([, { link }]) => !invitations.isPresent(link.keys, standing())).map(([member]) => member)
  }

  isLinkedHost(member: MemberId): boolean {
    const neighbour = this.#neighbours.get(member)
    return neighbour !== undefined && this.#config.standing().hosts.includes(keyOf(neighbour.link.credential))
  }

  /** Of somebody who is not in. */
  outsider(member: MemberId): Certified | null {
    const neighbour = this.#neighbours.get(member)
    return neighbour && this.#knocks(neighbour) ? neighbour.link.credential : null
  }

  /** Over what hosts have said so far: for the next view. */
  digest(): Uint8Array {
    const standing = this.#config.standing()
    this.#standings.set(standing.digest, standing)
    return hexToBytes(standing.digest)
  }

  /** Under what all members of the view had heard when it began: the same at all of them. */
  roleIn(view: View, member: MemberId): Role {
    const digest = statementsDigestIn(view, this.#config.self.member)
    return this.#roleBy((digest && this.#standings.get(bytesToHex(digest))) ?? this.#config.standing(), member)
  }

  /** As far as is known now. */
  role(member: MemberId): Role {
    return this.#roleBy(this.#config.standing(), member)
  }

  isRemoved(member: MemberId): boolean {
    const credential = this.#config.known.get(member)
    return credential !== undefined && this.#config.standing().removed.has(keyOf(credential))
  }

  #roleBy(standing: Standing, member: MemberId): Role {
    const { known, self } = this.#config
    const credential = member === self.member ? self : known.get(member)
    return credential ? roleOf(standing, keyOf(credential), printOf(credential)) : "editor"
  }

  /**
   * Whether to be linked with somebody at all. `keys`: null where another member has told of it; the association will show
   * which invitation it holds.
   */
  mayLink(credential: Certified, keys: InvitationKeys | null): boolean {
    if (this.#isUnheard(keyOf(credential))) return false
    if (this.#config.descriptor.admission.policy === "roster" && !this.#isNamed(credential)) return false
    // Who waits is to meet hosts, and cannot know them all; they know it.
    return this.isHost || this.#waiting || this.#admits(credential, keys)
  }

  /** May it be in, as far as is known; if it knocks, no. */
  mayBeInside(credential: Certified, keys: InvitationKeys | null): boolean {
    return !this.#isUnheard(keyOf(credential)) && this.#admits(credential, keys)
  }

  up(link: LinkUp): void {
    const neighbour = { link, name: this.#neighbours.get(link.peer)?.name ?? "", inside: false, expelAtMs: null }
    this.#neighbours.set(link.peer, neighbour)
    this.#sort(neighbour)
  }

  down(output: Extract<LinkOutput, { type: "linkDown" }>): void {
    if (this.isInside(output.peer)) this.#config.pass(output)
    this.#neighbours.delete(output.peer)
    this.#tell()
  }

  /** Shown to hosts. */
  named(member: MemberId, name: string): void {
    const neighbour = this.#neighbours.get(member)
    if (!neighbour) return
    neighbour.name = name
    this.#tell()
  }

  /** What hosts have said has changed, or what this member holds. */
  review(): void {
    const before = this.#waiting
    this.#waiting = !this.#isSelfAdmitted()
    if (before && !this.#waiting) this.#announceAtMs = ANNOUNCE_MS.map((laterMs) => this.#nowMs + laterMs)
    for (const neighbour of this.#neighbours.values()) this.#sort(neighbour)
    this.#tell()
  }

  /** This host does not let it in, nor will it hear it again. */
  refuse(member: MemberId): void {
    const neighbour = this.#neighbours.get(member)
    if (!neighbour) return
    this.#unheardUntilMs.set(keyOf(neighbour.link.credential), Number.POSITIVE_INFINITY)
    neighbour.expelAtMs = this.#nowMs + EXPEL_AFTER_MS
    this.#tell()
  }

  tick(nowMs: number): void {
    this.#nowMs = nowMs
    for (const [member, { inside, expelAtMs, link }] of this.#neighbours) {
      if (inside || expelAtMs === null || nowMs < expelAtMs) continue
      // Whoever was removed has been told so.
      const key = keyOf(link.credential)
      if (!this.#isUnheard(key)) this.#unheardUntilMs.set(key, nowMs + EXPELLED_MS)
      this.#config.expel(member, "it is not in the conference")
    }
    const due = this.#announceAtMs.filter((atMs) => nowMs >= atMs)
    this.#announceAtMs = this.#announceAtMs.filter((atMs) => nowMs < atMs)
    if (due.length > 0) this.#config.announce()
    this.#tell()
  }

  #isSelfAdmitted(): boolean {
    const { self, invitations, standing } = this.#config
    return this.#isAdmitted(self, invitations.present(standing()) !== null)
  }

  #admits(credential: Certified, keys: InvitationKeys | null): boolean {
    const { invitations, standing } = this.#config
    return this.#isAdmitted(credential, keys === null || invitations.isPresent(keys, standing()))
  }

  #isAdmitted(credential: Certified, holdsPresentInvitation: boolean): boolean {
    const { descriptor, standing, now } = this.#config
    const { removed, hosts, generation, closed, tickets } = standing()
    const { policy } = descriptor.admission
    const key = keyOf(credential)
    if (removed.has(key)) return false
    if (policy === "roster") return this.#isNamed(credential)
    if (hosts.includes(key) || generation?.said.staying.includes(key)) return true
    const ticket = tickets.get(printOf(credential))
    if (ticket && now() < ticket.expiresAtMs) return true
    return (policy === "link" || policy === "ca") && holdsPresentInvitation && !closed
  }

  #isNamed({ member }: Certified): boolean {
    const { admission } = this.#config.descriptor
    return admission.policy === "roster" && admission.roster.some((person) => person.member === member)
  }

  #sort(neighbour: Neighbour): void {
    const { link } = neighbour
    const { peer, credential, keys } = link
    const inside = !this.#waiting && this.#admits(credential, keys)
    if (inside) this.seen.add(keyOf(credential))
    if (inside && !neighbour.inside) this.#config.pass(link)
    if (!inside && neighbour.inside) this.#config.pass({ type: "linkDown", peer, reason: "it is not in any more" })
    neighbour.inside = inside
    const kept = inside || this.#waiting || this.#knocks(neighbour)
    neighbour.expelAtMs = kept ? null : (neighbour.expelAtMs ?? this.#nowMs + EXPEL_AFTER_MS)
  }

  #knocks({ inside, link: { credential } }: Neighbour): boolean {
    const key = keyOf(credential)
    return !inside && this.isHost && !this.#config.standing().removed.has(key) && !this.#isUnheard(key)
  }

  #isUnheard(key: PersonKey): boolean {
    return (this.#unheardUntilMs.get(key) ?? 0) > this.#nowMs
  }

  #tell(): void {
    const { state } = this
    const text = JSON.stringify(state)
    if (text === this.#told) return
    this.#told = text
    this.#config.emit(state)
  }
}

export function keyOf({ publicKey }: Pick<Certified, "publicKey">): PersonKey {
  return bytesToHex(publicKey)
}

export function printOf({ certificate }: Pick<Certified, "certificate">): string {
  const known = prints.get(certificate)
  if (known !== undefined) return known
  const print = bytesToHex(fingerprintOf(certificate))
  prints.set(certificate, print)
  return print
}
/** A role is asked for with every batch, and hashing a certificate takes as long as opening several messages. */
const prints = new WeakMap<Uint8Array, string>()

function personOf({ link: { credential }, name }: Neighbour): Person {
  return { id: credential.member, name, fingerprint: printOf(credential) }
}
