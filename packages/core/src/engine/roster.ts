import type { MemberId, View } from "@keymoot/transport"
import type { ConferenceView, Member, ViewChange, ViewStatus } from "../api.ts"
import type { KnownCredentials } from "./known-credentials.ts"

/** The view as the application sees it, and what changed since the last one that was secured. */
export class Roster {
  readonly #self: MemberId
  readonly #known: KnownCredentials
  #view: ConferenceView
  #lastSecured: readonly Member[] | null = null

  constructor(self: MemberId, known: KnownCredentials) {
    this.#self = self
    this.#known = known
    this.#view = { id: "", epoch: 0, status: "joining", members: [this.member(self)], securedAtMs: null }
  }

  get view(): ConferenceView {
    return this.#view
  }

  member(id: MemberId): Member {
    return { id, name: this.#known.get(id)?.name ?? "", self: id === this.#self }
  }

  advance({ id, epoch, members }: View, status: ViewStatus, nowMs: number): ConferenceView {
    const securedAtMs = status === "secured" ? nowMs : null
    this.#view = { id, epoch, status, members: members.map((member) => this.member(member.id)), securedAtMs }
    return this.#view
  }

  /** To be asked once for each secured view. */
  change(): ViewChange {
    const before = this.#lastSecured
    const now = this.#view.members
    this.#lastSecured = now
    if (!before) return { joined: now, left: [], cause: "created" }
    const joined = without(now, before)
    const left = without(before, now)
    return { joined, left, cause: causeOf(joined.length, left.length) }
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
