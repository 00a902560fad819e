import { equalBytes } from "../bytes.ts"
import { completedEpoch, encodedState, secretOf } from "../clusters/completed-epoch.ts"
import { Outbox } from "../clusters/outbox.ts"
import type { RunInput, ViewRun } from "../clusters/view-agreement.ts"
import { unreachable } from "../errors.ts"
import { isRejection } from "../group/prime-order-group.ts"
import type { Element, PrimeOrderGroup, Scalar } from "../group/prime-order-group.ts"
import type { FaultReason, KeyAgreementOutput } from "../key-agreement.ts"
import type { MemberId } from "../member-id.ts"
import type { SeatAttachmentCodec } from "../seniority/attachment.ts"
import { seatingOf } from "../seniority/seating.ts"
import { encodeApart, transcriptOf } from "../transcript.ts"
import type { DeliveredMulticast } from "../transcript.ts"
import type { GdhCodec, Message, PartialKeyList } from "./codec.ts"
import { commitmentTo, encodeGdhState, factorOut, trailOf, withShareReplaced } from "./partial-keys.ts"
import type { GdhEpoch } from "./partial-keys.ts"
import { isRefreshing, othersBySeat, planOf } from "./plan.ts"
import type { Plan } from "./plan.ts"

/**
 * chaining: the token is still to come through this member.
 * passed: it has, or need not; the broadcast is to come. `token`: what this member passed on.
 * collecting: this is the controller of a merge; some have not yet factored their share out of `token`. `key` is made while they do.
 * awaitingList: the list is to come. `token`: what was broadcast, null where nothing is.
 * listed: this is the controller, and waits for its own list to come back: the others have it then, too.
 */
type Phase =
  | { readonly name: "new" }
  | { readonly name: "chaining" }
  | { readonly name: "passed"; readonly token: Element | null }
  | { readonly name: "collecting"; readonly token: Element; readonly received: Received; key: Element | null }
  | { readonly name: "awaitingList"; readonly token: Element | null }
  | { readonly name: "listed"; readonly partials: ReadonlyMap<MemberId, Element>; readonly key: Element }
  | { readonly name: "completed" }
  | { readonly name: "failed" }
type Received = {
  readonly token: Uint8Array
  readonly factored: Map<MemberId, { readonly element: Element; readonly bytes: Uint8Array }>
}

export type GdhRunInput = Omit<RunInput<GdhEpoch>, "random"> & {
  readonly group: PrimeOrderGroup
  readonly codecs: { readonly attachments: SeatAttachmentCodec; readonly messages: GdhCodec }
}

/** One view under GDH. The `step` functions tell whether such a message is prescribed now, from this sender. */
export class GdhRun implements ViewRun<GdhEpoch> {
  readonly #input: GdhRunInput
  readonly #outbox = new Outbox()
  /** null: the attachments lead to none. */
  readonly #plan: Plan | null
  /** This member's in the new epoch; a copy, for the one before may still be needed. */
  readonly #share: Scalar
  /** As controller: to compare with what comes back. */
  readonly #sent: Uint8Array[] = []
  /** The controller's: nobody else multicasts. */
  readonly #delivered: DeliveredMulticast[] = []
  #phase: Phase = { name: "new" }
  #completed: GdhEpoch | null = null

  constructor(input: GdhRunInput) {
    const { codecs, view, base, share } = input
    this.#input = input
    const seating = seatingOf(codecs.attachments, view, base, this.#outbox)
    this.#plan = seating && planOf(seating.order, base?.seats.length ?? 0, view.proposal.epoch)
    const keepsShare = base !== null && this.#plan !== null && !isRefreshing(this.#plan, view.self)
    this.#share = (keepsShare ? base.share : share).slice() as Scalar
  }

  takeCompleted(): GdhEpoch | null {
    const completed = this.#completed
    this.#completed = null
    return completed
  }

  /** Only the controller sees who of the others is silent; where it is this member's turn to wait for it, it may be waiting itself. */
  awaiting(): readonly MemberId[] {
    const { name } = this.#phase
    if (!this.#plan) return []
    if (this.#phase.name === "collecting") {
      const { factored } = this.#phase.received
      return othersBySeat(this.#plan).filter((member) => !factored.has(member))
    }
    return this.#plan.kind === "refresh" && name === "awaitingList" ? [this.#plan.controller] : []
  }

  abandon(): void {
    if (this.#phase.name !== "completed") this.#becomeFailed()
  }

  start(): readonly KeyAgreementOutput[] {
    if (!this.#plan) this.#becomeFailed()
    else if (this.#plan.kind === "alone") this.#completeAlone(this.#plan)
    else if (this.#plan.kind === "refresh") this.#startRefresh(this.#plan)
    else this.#startMerge(this.#plan)
    return this.#outbox.flush()
  }

  receive(from: MemberId, via: "unicast" | "multicast", bytes: Uint8Array): readonly KeyAgreementOutput[] {
    if (this.#plan && this.#phase.name !== "failed") {
      const message = this.#input.codecs.messages.decode(bytes)
      if (!message) this.#outbox.fault(from, "malformed-message")
      else if (!this.#step(this.#plan, from, via, message, bytes)) this.#outbox.fault(from, "unexpected-message")
    }
    return this.#outbox.flush()
  }

  #step(plan: Plan, from: MemberId, via: "unicast" | "multicast", message: Message, bytes: Uint8Array): boolean {
    const isUnicast = message.kind === "token" || message.kind === "factored"
    if (isUnicast !== (via === "unicast")) return false
    if (message.kind === "token") return this.#stepToken(plan, from, message.element, bytes)
    if (message.kind === "factored") return this.#stepFactored(plan, from, message.element, bytes)
    if (from !== plan.controller) return false
    if (from === this.#input.view.self) return this.#stepOwn(plan, bytes)
    if (message.kind === "broadcast") return this.#stepBroadcast(plan, message.element, bytes)
    return this.#stepList(plan, message.list, bytes)
  }

  // --- alone, or all of one cluster ------------------------------------------------------------------------------------

  #completeAlone(plan: Plan): void {
    const { group } = this.#input
    const key = group.multiplyBase(this.#share)
    this.#complete(plan, new Map([[plan.controller, factorOut(group, key, this.#share)]]), key)
  }

  #startRefresh(plan: Plan): void {
    const { group, view, base } = this.#input
    this.#phase = { name: "awaitingList", token: null }
    if (plan.controller !== view.self) return
    const { partials, share } = base ?? unreachable("who refreshes stands on a state")
    const others = othersBySeat(plan).map((member) => partials.get(member)!)
    const own = partials.get(view.self)!
    this.#list(plan, withShareReplaced(group, others, share, this.#share), own, group.multiply(own, this.#share), [])
  }

  // --- the token goes up the chain, and is broadcast --------------------------------------------------------------------

  #startMerge(plan: Plan & { kind: "merge" }): void {
    const { group, view, base } = this.#input
    const place = plan.chain.indexOf(view.self)
    this.#phase = place > 0 ? { name: "chaining" } : { name: "passed", token: null }
    if (place !== 0) return
    // Without a first cluster there is no group key yet to refresh: the chain starts from the generator.
    const isSenior = plan.seats[0]!.owner !== view.self
    const partial = isSenior ? base?.partials.get(view.self) : undefined
    this.#pass(plan, partial ? group.multiply(partial, this.#share) : group.multiplyBase(this.#share), [])
  }

  #stepToken(plan: Plan, from: MemberId, bytesOfToken: Uint8Array, bytes: Uint8Array): boolean {
    const { group, view } = this.#input
    if (plan.kind !== "merge" || this.#phase.name !== "chaining") return false
    if (plan.chain[plan.chain.indexOf(view.self) - 1] !== from) return false
    const token = this.#decodeElement(from, bytesOfToken)
    if (!token) return true
    if (view.self !== plan.controller) this.#pass(plan, group.multiply(token, this.#share), [bytes])
    else {
      this.#phase = { name: "collecting", token, key: null, received: { token: bytes, factored: new Map() } }
      this.#multicast({ kind: "broadcast", element: token })
    }
    return true
  }

  #pass({ chain }: Plan & { kind: "merge" }, token: Element, received: readonly Uint8Array[]): void {
    const { codecs, view } = this.#input
    const next = chain[chain.indexOf(view.self) + 1]!
    this.#phase = { name: "passed", token }
    this.#outbox.unicast(next, codecs.messages.encode({ kind: "token", trail: trailOf(received), element: token }))
  }

  /** Whoever is before the controller sees that the token is the one it passed on: another could hold no share but the controller's. */
  #stepBroadcast(plan: Plan, bytesOfToken: Uint8Array, bytes: Uint8Array): boolean {
    const { group, codecs, view } = this.#input
    if (plan.kind !== "merge" || this.#phase.name !== "passed") return false
    const token = this.#decodeElement(plan.controller, bytesOfToken)
    if (!token) return true
    if (plan.chain.at(-2) === view.self && !equalBytes(token, this.#phase.token!)) {
      this.#failAt(plan.controller, "wrong-key")
      return true
    }
    this.#deliver(plan, bytes)
    this.#phase = { name: "awaitingList", token }
    const factored = codecs.messages.encode({ kind: "factored", element: factorOut(group, token, this.#share) })
    this.#outbox.unicast(plan.controller, factored)
    return true
  }

  // --- the controller collects, and lists -------------------------------------------------------------------------------

  #stepFactored(plan: Plan, from: MemberId, bytesOfElement: Uint8Array, bytes: Uint8Array): boolean {
    if (this.#phase.name !== "collecting") return false
    const { token, received } = this.#phase
    const others = othersBySeat(plan)
    if (!others.includes(from) || received.factored.has(from)) return false
    const element = this.#decodeElement(from, bytesOfElement)
    if (!element) return true
    received.factored.set(from, { element, bytes })
    if (received.factored.size < others.length) return true
    const factored = others.map((member) => received.factored.get(member)!)
    const partials = factored.map((one) => this.#input.group.multiply(one.element, this.#share))
    const key = this.#collectedKey(this.#phase)
    this.#list(plan, partials, token, key, [received.token, ...factored.map((one) => one.bytes)])
    return true
  }

  /** Not before the token is out: nobody waits for this multiplication then. */
  #collectedKey(phase: Phase & { name: "collecting" }): Element {
    phase.key ??= this.#input.group.multiply(phase.token, this.#share)
    return phase.key
  }

  #list(plan: Plan, partials: readonly Element[], own: Element, key: Element, unicasts: readonly Uint8Array[]): void {
    this.#phase = { name: "listed", partials: this.#bySeat(plan, partials, own), key }
    const list = { unicasts: trailOf(unicasts), commitment: commitmentTo(key), partials }
    this.#multicast({ kind: "list", list })
  }

  #stepOwn(plan: Plan, bytes: Uint8Array): boolean {
    const sent = this.#sent[this.#delivered.length]
    if (!sent) return false
    if (!equalBytes(sent, bytes)) this.#failAt(this.#input.view.self, "wrong-key")
    else {
      this.#deliver(plan, bytes)
      if (this.#phase.name === "collecting") this.#collectedKey(this.#phase)
      const isLast = this.#delivered.length === this.#sent.length
      if (isLast && this.#phase.name === "listed") this.#complete(plan, this.#phase.partials, this.#phase.key)
    }
    return true
  }

  #stepList(plan: Plan, list: PartialKeyList, bytes: Uint8Array): boolean {
    const { group, view, base } = this.#input
    if (this.#phase.name !== "awaitingList") return false
    const { token } = this.#phase
    const partials = list.partials.map((partial) => group.decode(partial))
    if (partials.length !== plan.seats.length - 1 || partials.some(isRejection)) {
      this.#failAt(plan.controller, "malformed-message")
      return true
    }
    // Where nothing is broadcast, the controller's own partial key stays as it was.
    const bySeat = this.#bySeat(plan, partials as Element[], token ?? base!.partials.get(plan.controller)!)
    const key = group.multiply(bySeat.get(view.self)!, this.#share)
    if (!equalBytes(commitmentTo(key), list.commitment)) {
      key.fill(0)
      this.#failAt(plan.controller, "wrong-key")
      return true
    }
    this.#deliver(plan, bytes)
    this.#complete(plan, bySeat, key)
    return true
  }

  // --- the end ----------------------------------------------------------------------------------------------------------

  /** The list is the last multicast: it can only be made when every other has been delivered and answered. */
  #complete(plan: Plan, partials: ReadonlyMap<MemberId, Element>, key: Element): void {
    const { view, share } = this.#input
    const transcript = transcriptOf(encodeApart(view.attachments), this.#delivered)
    this.#outbox.secret(secretOf("gdh", key, view.members.length), transcript)
    const epoch = completedEpoch("gdh", encodedState(encodeGdhState(plan.seats, partials)), view.sid, transcript)
    this.#completed = { ...epoch, seats: plan.seats, partials, share: this.#share }
    this.#phase = { name: "completed" }
    key.fill(0)
    share.fill(0)
  }

  #failAt(member: MemberId, reason: FaultReason): void {
    this.#outbox.fault(member, reason)
    this.#becomeFailed()
  }

  #becomeFailed(): void {
    if (this.#phase.name === "collecting" || this.#phase.name === "listed") this.#phase.key?.fill(0)
    this.#input.share.fill(0)
    this.#share.fill(0)
    this.#phase = { name: "failed" }
  }

  // --- small things -----------------------------------------------------------------------------------------------------

  #decodeElement(from: MemberId, bytes: Uint8Array): Element | null {
    const element = this.#input.group.decode(bytes)
    if (!isRejection(element)) return element
    this.#outbox.fault(from, "malformed-message")
    return null
  }

  #multicast(message: Message): void {
    const bytes = this.#input.codecs.messages.encode(message)
    this.#sent.push(bytes)
    this.#outbox.multicast(bytes)
  }

  #deliver(plan: Plan, bytes: Uint8Array): void {
    const rounds = plan.kind === "merge" ? [plan.chain.length, plan.chain.length + 2] : [1]
    this.#delivered.push({ round: rounds[this.#delivered.length]!, sender: plan.controller, bytes })
  }

  #bySeat(plan: Plan, partials: readonly Element[], controllers: Element): Map<MemberId, Element> {
    const bySeat = new Map(othersBySeat(plan).map((member, i) => [member, partials[i]!]))
    return bySeat.set(plan.controller, controllers)
  }
}
