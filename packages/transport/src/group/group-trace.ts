/** Trace events of one member's group, derived from the inputs and outputs of its core. */
import type { MemberId } from "../members/ids.ts"
import type { DeclaredEvent, TraceLevel } from "../trace/declared-event.ts"
import type { GroupFault, GroupInput, GroupOutput } from "../view/group-types.ts"
import { hasInstance, type View } from "../view/view.ts"
import type { ViewId } from "../wire/codec.ts"
import type { FramePayload } from "../wire/frame.ts"
import type { MemberInstance } from "../wire/messages.ts"

/**
 * Why a member is not in the next view, as far as this member can tell.
 *
 * - left: it said goodbye.
 * - link-lost: the link with it ended.
 * - silent: nothing came from it for the suspicion timeout, over a link that is still open.
 * - excluded: it obstructed the others.
 * - coordinator: only the view's coordinator could not reach it. That member's trace says why.
 */
export type Departure = "left" | "link-lost" | "silent" | "excluded" | "coordinator"

/**
 * - entered: the first view of this member.
 * - joined, left: newcomers; goodbyes.
 * - lost: one member is gone without a goodbye. partitioned: several are.
 * - merged: members of another view have come.
 * - rekeyed: the same members, for a new key.
 * - changed: members have come and gone.
 */
export type ViewCause = "entered" | "joined" | "left" | "lost" | "partitioned" | "merged" | "rekeyed" | "changed"

export type GroupEvent = DeclaredEvent<
  "group",
  {
    reachable: { member: MemberId; incarnation: number; overlay: boolean }
    unreachable: { member: MemberId }
    suspected: { member: MemberId }
    trusted: { member: MemberId }
    farewell: { member: MemberId }
    /** A coordinator starts a view change, which this member answers. */
    "view-change": {
      epoch: number
      coordinator: MemberId
      members: number
      adds: readonly MemberId[]
      drops: readonly MemberId[]
    }
    sent: { kind: ControlKind; to: number }
    "member-in": { member: MemberId; incarnation: number; merged: boolean }
    "member-out": { member: MemberId; departure: Departure }
    view: { view: ViewId; epoch: number; coordinator: MemberId; members: number; cause: ViewCause }
    unadmitted: { coordinator: MemberId }
    obstructed: { member: MemberId }
    fault: { member: MemberId; reason: GroupFault }
    divergence: { member: MemberId }
  }
>

type Ids<Name extends GroupEvent["event"]> = Extract<GroupEvent, { readonly event: Name }>["ids"]
type ControlKind = Exclude<FramePayload["kind"], "data" | "agreement" | "order" | "fetch" | "roster">

/** Members listed in one event. A larger change is reported by its first members, and by the views before and after. */
const LISTED_MAX = 16

export class GroupTrace {
  readonly #self: MemberId
  readonly #emit: (event: GroupEvent) => void
  #view: View | null = null
  readonly #linked = new Set<MemberId>()
  #up: ReadonlySet<MemberId> = new Set()
  /** First sign of a departure, for members of the view. */
  readonly #departing = new Map<MemberId, Departure>()
  /** Size of each linked member's view, by its last heartbeat. */
  readonly #viewSizes = new Map<MemberId, number>()

  constructor(self: MemberId, emit: (event: GroupEvent) => void) {
    this.#self = self
    this.#emit = emit
  }

  #report<Name extends GroupEvent["event"]>(level: TraceLevel, event: Name, ids: Ids<Name>): void {
    this.#emit({ level, layer: "group", event, ids } as GroupEvent)
  }

  observe(input: GroupInput, outputs: readonly GroupOutput[]): void {
    this.#observeInput(input)
    for (const output of outputs) this.#observeOutput(output)
  }

  #observeInput(input: GroupInput): void {
    switch (input.type) {
      case "linkUp": {
        const { peer: member, incarnation, distant: overlay = false } = input
        this.#linked.add(member)
        this.#departing.delete(member)
        return this.#report("debug", "reachable", { member, incarnation, overlay })
      }
      case "linkDown":
        this.#linked.delete(input.peer)
        this.#viewSizes.delete(input.peer)
        this.#depart(input.peer, "link-lost")
        return this.#report("debug", "unreachable", { member: input.peer })
      case "heartbeat":
        if (this.#linked.has(input.from)) this.#viewSizes.set(input.from, input.heartbeat.viewMembers.length)
        return
      case "obstructed":
        this.#depart(input.by, "excluded")
        return this.#report("warn", "obstructed", { member: input.by })
    }
  }

  #observeOutput(output: GroupOutput): void {
    switch (output.type) {
      case "heartbeat":
        return this.#compareUp(output.heartbeat.up)
      case "sign":
        return this.#onSent(output.payload.kind, output.to.length)
      case "flushRequest":
        return this.#onViewChange(output)
      case "view":
        return this.#onView(output.view)
      case "farewell":
        this.#depart(output.member, "left")
        return this.#report("info", "farewell", { member: output.member })
      case "unadmitted":
        return this.#report("info", "unadmitted", { coordinator: output.coordinator })
      case "fault": {
        const { member, reason } = output
        if (reason === "obstruction") this.#depart(member, "excluded")
        return this.#report("warn", "fault", { member, reason })
      }
      case "divergence":
        return this.#report("warn", "divergence", { member: output.from })
    }
  }

  /** A core sends a heartbeat whenever a suspicion changes, so these show every change. */
  #compareUp(up: readonly MemberId[]): void {
    const before = this.#up
    if (before.size === up.length && up.every((member) => before.has(member))) return
    const now = new Set(up)
    this.#up = now
    for (const member of before) if (!now.has(member)) this.#onNotUp(member)
    for (const member of now) if (!before.has(member)) this.#onUp(member)
  }

  #onNotUp(member: MemberId): void {
    const known = this.#departing.get(member)
    if (!this.#linked.has(member) || known === "left" || known === "excluded") return
    this.#depart(member, "silent")
    this.#report("info", "suspected", { member })
  }

  #onUp(member: MemberId): void {
    if (!this.#departing.delete(member)) return
    this.#report("info", "trusted", { member })
  }

  /** The first sign counts: the link of a silent member ends later. A goodbye explains both. */
  #depart(member: MemberId, departure: Departure): void {
    const isInView = this.#view?.members.some(({ id }) => id === member) ?? false
    if (!isInView || (this.#departing.has(member) && departure !== "left")) return
    this.#departing.set(member, departure)
  }

  #onSent(kind: FramePayload["kind"], to: number): void {
    if (kind === "data" || kind === "agreement" || kind === "order" || kind === "fetch" || kind === "roster") return
    this.#report("debug", "sent", { kind, to })
  }

  #onViewChange({ proposal, members }: GroupOutput & { readonly type: "flushRequest" }): void {
    const { epoch, coordinator } = proposal
    const before = this.#view?.members ?? []
    const adds = idsOf(without(members, before).filter(({ id }) => id !== this.#self))
    const drops = idsOf(without(before, members))
    const ids = { epoch, coordinator, members: members.length, adds, drops }
    this.#report("info", "view-change", ids)
  }

  #onView(view: View): void {
    const before = this.#view
    this.#view = view
    const newcomers = without(view.members, before?.members ?? []).filter(({ id }) => id !== this.#self)
    const isMerge = newcomers.some(({ id }) => (this.#viewSizes.get(id) ?? 1) > 1)
    const merged = before !== null && isMerge
    for (const { id: member, incarnation } of newcomers.slice(0, LISTED_MAX))
      this.#report("info", "member-in", { member, incarnation, merged })
    const departures = without(before?.members ?? [], view.members).map(({ id }) => ({
      member: id,
      departure: this.#departing.get(id) ?? "coordinator",
    }))
    for (const ids of departures.slice(0, LISTED_MAX)) this.#report("info", "member-out", ids)
    for (const member of this.#departing.keys())
      if (!view.members.some(({ id }) => id === member)) this.#departing.delete(member)
    const causes = departures.map(({ departure }) => departure)
    const cause = before === null ? "entered" : causeOf(newcomers.length, merged, causes)
    const { id, epoch, members, proposal } = view
    this.#report("info", "view", { view: id, epoch, coordinator: proposal.coordinator, members: members.length, cause })
  }
}

function causeOf(joined: number, merged: boolean, departures: readonly Departure[]): ViewCause {
  const lost = departures.filter((departure) => departure !== "left").length
  if (joined > 0 && departures.length > 0) return "changed"
  if (joined > 0) return merged ? "merged" : "joined"
  if (lost > 1) return "partitioned"
  if (lost === 1) return "lost"
  return departures.length > 0 ? "left" : "rekeyed"
}

/** Members that the other list lacks, or has in another incarnation. */
function without(members: readonly MemberInstance[], others: readonly MemberInstance[]): MemberInstance[] {
  return members.filter((member) => !hasInstance(others, member))
}

function idsOf(members: readonly MemberInstance[]): MemberId[] {
  return members.slice(0, LISTED_MAX).map(({ id }) => id)
}
