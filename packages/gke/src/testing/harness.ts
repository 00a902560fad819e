/**
 * A group in memory, for tests, simulators and benchmarks. The script alone controls delivery, within the guarantees of
 * view synchrony:
 * - All members get the attachments of a proposal.
 * - A multicast reaches every member of its view, its sender included, in its sender's order.
 * - No message is delivered outside the view in which it was sent.
 * - Unicasts of one sender to one member arrive in order with each other, and in any order with that sender's
 *   multicasts.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { createKeyAgreement, type KeyAgreementName } from "../create-key-agreement.ts"
import { type PrimeOrderGroup, RANDOM_BYTES } from "../group/prime-order-group.ts"
import type { KeyAgreement, KeyAgreementOutput } from "../agreement/key-agreement.ts"
import type { MemberId, ProposalId } from "../shared/member-id.ts"

export type Fault = { readonly at: MemberId; readonly member: MemberId; readonly reason: string }
export type Secret = {
  readonly view: View
  readonly member: MemberId
  readonly secret: string
  readonly transcript: string
}
export type Multicast = { readonly view: View; readonly from: MemberId; readonly bytes: Uint8Array }
/** `after`: how many multicasts had been sent in its view before. */
export type Unicast = {
  readonly from: MemberId
  readonly to: MemberId
  readonly bytes: Uint8Array
  readonly after: number
}

/** A view as one set of members installed it. `log`, `unicasts`: everything in it, in the order in which it was sent. */
export type View = {
  readonly sid: Uint8Array
  readonly proposal: ProposalId
  readonly members: readonly MemberId[]
  readonly attachments: ReadonlyMap<MemberId, Uint8Array>
  readonly log: Multicast[]
  readonly unicasts: Unicast[]
}

export type Proposal = {
  readonly id: ProposalId
  readonly members: readonly MemberId[]
  readonly attachments: Map<MemberId, Uint8Array>
  view?: View
}

export type Member = {
  readonly id: MemberId
  agreement: KeyAgreement
  view: View | null
  /** How many multicasts, and unicasts to this member, of each sender in the current view have been delivered here. */
  delivered: Map<MemberId, number>
  deliveredUnicasts: Map<MemberId, number>
  secret: Secret | null
  /** Between contribution and view, when a member must send nothing. */
  flushing: boolean
}

/** Deterministic bytes, different at each call. */
function randomSource(seed: string): () => Uint8Array {
  let counter = 0
  return () => {
    counter++
    const half = (part: string): Uint8Array => sha256(utf8ToBytes(`${seed} ${counter} ${part}`))
    const bytes = new Uint8Array(RANDOM_BYTES)
    bytes.set(half("first"))
    bytes.set(half("second"), RANDOM_BYTES / 2)
    return bytes
  }
}

export class Harness {
  readonly members = new Map<MemberId, Member>()
  readonly faults: Fault[] = []
  readonly secrets: Secret[] = []
  readonly random: () => Uint8Array
  readonly #group: PrimeOrderGroup
  readonly #module: KeyAgreementName
  readonly #create: ((self: MemberId) => KeyAgreement) | null
  #epoch = 0

  /** `create` makes the members' agreements in place of the module. */
  constructor(
    group: PrimeOrderGroup,
    options: { seed?: string; module?: KeyAgreementName; create?: (self: MemberId) => KeyAgreement } = {},
  ) {
    this.#create = options.create ?? null
    this.#group = group
    this.#module = options.module ?? "tgdh"
    this.random = randomSource(options.seed ?? "harness")
  }

  /** A member with fresh state; the same name again is a reload. */
  start(name: string, group: PrimeOrderGroup = this.#group): MemberId {
    return this.startAs(memberNamed(name), group)
  }

  startAs(id: MemberId, group: PrimeOrderGroup = this.#group): MemberId {
    const agreement = this.#create?.(id) ?? createKeyAgreement(this.#module, { group, self: id })
    this.members.set(id, {
      id,
      agreement,
      view: null,
      delivered: new Map(),
      deliveredUnicasts: new Map(),
      secret: null,
      flushing: false,
    })
    return id
  }

  member(id: MemberId): Member {
    return this.members.get(id)!
  }

  /** PROPOSE and SYNC: every member contributes; `between` happens after each. */
  propose(ids: readonly MemberId[], between: () => void = () => {}): Proposal {
    const members = [...ids].sort()
    const id = { epoch: ++this.#epoch, coordinator: members[0]! }
    const attachments = new Map<MemberId, Uint8Array>()
    for (const member of members) {
      attachments.set(member, this.contribute(member, id, members))
      between()
    }
    return { id, members, attachments }
  }

  contribute(member: MemberId, proposal: ProposalId, members: readonly MemberId[]): Uint8Array {
    const input = { type: "contribute", proposal, members, random: this.random() } as const
    const [output, ...others] = this.member(member).agreement.step(input)
    if (output?.type !== "contribution" || others.length > 0)
      throw new Error("a proposal is answered by one contribution")
    this.member(member).flushing = true
    return output.bytes
  }

  /** INSTALL at every member of the proposal. */
  install(proposal: Proposal, at: readonly MemberId[] = proposal.members): View {
    const view = this.viewOf(proposal)
    for (const id of at) this.installAt(id, view)
    return view
  }

  viewOf(proposal: Proposal): View {
    const sid = sha256(utf8ToBytes(`view ${proposal.id.epoch} ${proposal.id.coordinator}`))
    return {
      sid,
      proposal: proposal.id,
      members: proposal.members,
      attachments: proposal.attachments,
      log: [],
      unicasts: [],
    }
  }

  installAt(id: MemberId, view: View): void {
    const member = this.member(id)
    member.view = view
    member.delivered = new Map()
    member.deliveredUnicasts = new Map()
    member.secret = null
    member.flushing = false
    const { sid, members, proposal, attachments } = view
    const input = {
      type: "view",
      view: { sid, self: id, members, proposal, attachments },
      random: this.random(),
    } as const
    this.#take(member, member.agreement.step(input))
  }

  /** Senders with undelivered messages to this member in its view. */
  sendersWaiting(id: MemberId): MemberId[] {
    const { view, delivered, deliveredUnicasts } = this.member(id)
    if (!view) return []
    const open = new Map<MemberId, number>()
    const note = (sender: MemberId, by: number): void => void open.set(sender, (open.get(sender) ?? 0) + by)
    for (const { from } of view.log) note(from, 1)
    for (const { from, to } of view.unicasts) if (to === id) note(from, 1)
    if (open.size === 0) return []
    for (const counts of [delivered, deliveredUnicasts]) for (const [sender, count] of counts) note(sender, -count)
    return view.members.filter((sender) => (open.get(sender) ?? 0) > 0)
  }

  /**
   * Delivers the next message of `sender`; true if there was one. If a multicast and a unicast may be next, they take
   * turns, unless `only` says which.
   */
  deliverNext(id: MemberId, sender: MemberId, only?: "unicast" | "multicast"): boolean {
    const waiting = this.#waiting(id, sender).filter(({ via }) => (only ?? via) === via)
    const { delivered, deliveredUnicasts } = this.member(id)
    const turn = ((delivered.get(sender) ?? 0) + (deliveredUnicasts.get(sender) ?? 0)) % 2
    const next = waiting[turn] ?? waiting[0]
    if (!next) return false
    const counts = next.via === "multicast" ? delivered : deliveredUnicasts
    counts.set(sender, (counts.get(sender) ?? 0) + 1)
    this.inject(id, sender, next.bytes, next.via)
    return true
  }

  /** Delivers arbitrary bytes to a member. */
  inject(
    id: MemberId,
    from: MemberId,
    bytes: Uint8Array,
    via: "unicast" | "multicast" = "multicast",
  ): readonly KeyAgreementOutput[] {
    const member = this.member(id)
    const outputs = member.agreement.step({ type: "message", from, via, bytes: bytes.slice() })
    this.#take(member, outputs)
    return outputs
  }

  /** Delivers everything, one communication round at a time; gives the number of rounds in which something was sent. */
  settle(ids: Iterable<MemberId> = this.members.keys()): number {
    const all = [...ids]
    for (let rounds = 0; ; rounds++) {
      const round = all.flatMap((id) =>
        this.sendersWaiting(id).map((sender) => ({ id, sender, ...this.#open(id, sender) })),
      )
      if (round.length === 0) return rounds
      for (const { id, sender, multicasts, unicasts } of round) {
        for (let i = 0; i < multicasts; i++) this.deliverNext(id, sender, "multicast")
        for (let i = 0; i < unicasts; i++) this.deliverNext(id, sender, "unicast")
      }
    }
  }

  /** One undisturbed view change; gives its rounds. */
  change(ids: readonly MemberId[]): { view: View; rounds: number } {
    const view = this.install(this.propose(ids))
    return { view, rounds: this.settle(view.members) }
  }

  /** Messages of `sender` that may be delivered here next: at most one of each service, a multicast first. */
  #waiting(id: MemberId, sender: MemberId): { readonly via: "unicast" | "multicast"; readonly bytes: Uint8Array }[] {
    const { view, delivered, deliveredUnicasts } = this.member(id)
    if (!view) return []
    const multicast = multicastsOf(view, sender)[delivered.get(sender) ?? 0]
    const unicast = unicastsOf(view, sender, id)[deliveredUnicasts.get(sender) ?? 0]
    return [
      ...(multicast ? [{ via: "multicast" as const, bytes: multicast.bytes }] : []),
      ...(unicast ? [{ via: "unicast" as const, bytes: unicast.bytes }] : []),
    ]
  }

  /** How many are still to be delivered. */
  #open(id: MemberId, sender: MemberId): { readonly multicasts: number; readonly unicasts: number } {
    const { view, delivered, deliveredUnicasts } = this.member(id)
    return {
      multicasts: multicastsOf(view!, sender).length - (delivered.get(sender) ?? 0),
      unicasts: unicastsOf(view!, sender, id).length - (deliveredUnicasts.get(sender) ?? 0),
    }
  }

  #take(member: Member, outputs: readonly KeyAgreementOutput[]): void {
    const view = member.view
    for (const output of outputs) {
      const isSending = output.type === "multicast" || output.type === "unicast"
      if (isSending && member.flushing) throw new Error("a member that flushes sends nothing")
      if (output.type === "multicast") view!.log.push({ view: view!, from: member.id, bytes: output.bytes })
      else if (output.type === "unicast")
        view!.unicasts.push({ from: member.id, to: output.to, bytes: output.bytes, after: view!.log.length })
      else if (output.type === "fault")
        this.faults.push({ at: member.id, member: output.member, reason: output.reason })
      else if (output.type === "secret") {
        const { secret, transcript } = output
        member.secret = {
          view: view!,
          member: member.id,
          secret: bytesToHex(secret),
          transcript: bytesToHex(transcript),
        }
        this.secrets.push(member.secret)
      } else throw new Error(`unexpected ${output.type}`)
    }
  }
}

function multicastsOf(view: View, sender: MemberId): Multicast[] {
  return view.log.filter(({ from }) => from === sender)
}

function unicastsOf(view: View, sender: MemberId, receiver: MemberId): Unicast[] {
  return view.unicasts.filter(({ from, to }) => from === sender && to === receiver)
}

/** "a" and "b" sort as their names do. */
export function memberNamed(name: string): MemberId {
  return bytesToHex(utf8ToBytes(name)).padEnd(32, "0").slice(0, 32) as MemberId
}
