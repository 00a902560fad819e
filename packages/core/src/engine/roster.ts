import type { MemberId, View } from "@keymoot/transport"
import { KeymootError, type ConferenceView, type Member, type ViewChange, type ViewStatus } from "../api.ts"
import type { Role } from "../admission/index.ts"
import type { MemberCredential, VerifiedPeople } from "../identity/index.ts"
import type { KnownCredentials } from "./known-credentials.ts"

/** The view as the application sees it, and what changed since the last one that was secured. */
export class Roster {
  readonly #self: MemberId
  readonly #known: KnownCredentials
  readonly #people: VerifiedPeople
  readonly #departed: Set<MemberId>
  readonly #roleOf: (member: MemberId) => Role
  readonly #isRemoved: (member: MemberId) => boolean
  #view: ConferenceView
  #lastSecured: readonly Member[] | null = null
  #impostors: ReadonlySet<MemberId> = new Set()
  #warnedOf: ReadonlySet<MemberId> = new Set()

  /** `departed`: who said goodbye; taken out again when that has been told. */
  constructor(
    self: MemberId,
    known: KnownCredentials,
    people: VerifiedPeople,
    departed: Set<MemberId>,
    roleOf: (member: MemberId) => Role,
    isRemoved: (member: MemberId) => boolean,
  ) {
    this.#roleOf = roleOf
    this.#isRemoved = isRemoved
    this.#departed = departed
    this.#self = self
    this.#known = known
    this.#people = people
    this.#view = { id: "", epoch: 0, status: "joining", members: [this.member(self)], securedAtMs: null }
  }

  get view(): ConferenceView {
    return this.#view
  }

  /** @throws KeymootError `invalid-argument` for oneself or somebody who was never here */
  otherThanSelf(member: MemberId): MemberCredential {
    const other = this.#known.get(member)
    if (other && member !== this.#self) return other
    throw new KeymootError("invalid-argument", "Give another member of this conference.")
  }

  member(id: MemberId): Member {
    const credential = this.#known.get(id)
    const self = id === this.#self
    const verified = !self && credential !== undefined && this.#people.isVerified(credential.publicKey)
    return {
      id,
      name: credential?.name ?? "",
      self,
      verified,
      changedKey: this.#impostors.has(id),
      role: this.#roleOf(id),
    }
  }

  advance({ id, epoch, members }: View, status: ViewStatus, nowMs: number): ConferenceView {
    const securedAtMs = status === "secured" ? nowMs : null
    const ids = members.map((member) => member.id)
    this.#view = { id, epoch, status, members: this.#present(ids), securedAtMs }
    return this.#view
  }

  /** The same view, after somebody was verified or is not any more, or has another role. */
  renew(): ConferenceView {
    this.#view = { ...this.#view, members: this.#present(this.#view.members.map(({ id }) => id)) }
    return this.#view
  }

  /** Under the name of somebody verified, with another key, and not told before in the time that they are here. */
  newImpostors(): readonly Member[] {
    const before = this.#warnedOf
    this.#warnedOf = this.#impostors
    return this.#view.members.filter(({ id }) => this.#impostors.has(id) && !before.has(id))
  }

  /** To be asked once for each secured view. */
  change(): ViewChange {
    const before = this.#lastSecured
    const now = this.#view.members
    this.#lastSecured = now
    if (!before) return { joined: now, left: [], lost: [], removed: [], cause: "created" }
    const joined = without(now, before)
    const left = without(before, now)
    const removed = left.filter(({ id }) => this.#isRemoved(id))
    const lost = left.filter((member) => !this.#departed.has(member.id) && !removed.includes(member))
    for (const { id } of [...left, ...joined]) this.#departed.delete(id)
    return { joined, left, lost, removed, cause: causeOf(joined.length, left.length) }
  }

  #present(ids: readonly MemberId[]): Member[] {
    const others = ids.flatMap((id) => (id === this.#self ? [] : (this.#known.get(id) ?? [])))
    this.#impostors = this.#people.impostors(others.map((other) => ({ ...other, id: other.member })))
    return ids.map((id) => this.member(id))
  }
}

function without(members: readonly Member[], others: readonly Member[]): Member[] {
  return members.filter((member) => !others.some(({ id }) => id === member.id))
}

function causeOf(joined: number, left: number): ViewChange["cause"] {
  if (joined > 0 && left > 0) return "changed"
  if (joined > 0) return "joined"
  return left > 0 ? "left" : "refreshed"
}
