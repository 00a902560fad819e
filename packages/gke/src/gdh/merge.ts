import { equalBytes } from "../shared/bytes.ts"
import type { Element } from "../group/prime-order-group.ts"
import type { MemberId } from "../shared/member-id.ts"
import type { Agreement, Part } from "./agreement.ts"
import type { Message, PartialKeyList } from "./gdh-codec.ts"
import { factorOut, type Listed, trailOf } from "./partial-keys.ts"
import { othersBySeat } from "./plan.ts"

/**
 * chaining: the token is still to come through this member.
 * passed: it has, or need not; the broadcast is to come. `token`: what this member passed on.
 * collecting: this is the controller; some have not yet factored their share out of `token`. `key` is made while they do.
 * awaitingList: the list is to come. `token`: what was broadcast, which is the controller's own partial key.
 * listed: this is the controller, and waits for its own list to come back: the others have it then, too.
 */
type Phase =
  | { readonly name: "chaining" }
  | { readonly name: "passed"; readonly token: Element | null }
  | { readonly name: "collecting"; readonly token: Element; readonly received: Received; key: Element | null }
  | { readonly name: "awaitingList"; readonly token: Element }
  | { readonly name: "listed"; readonly listed: Listed }
type Received = {
  readonly token: Uint8Array
  readonly factored: Map<MemberId, { readonly element: Element; readonly bytes: Uint8Array }>
}

/** Handles a join or merge: a token goes up the chain, is broadcast, comes back to the controller factored, and is listed. */
export class Merge implements Part {
  readonly #agreement: Agreement
  readonly #chain: readonly MemberId[]
  readonly #self: MemberId
  readonly #controller: MemberId
  #phase: Phase

  constructor(agreement: Agreement, chain: readonly MemberId[]) {
    this.#agreement = agreement
    this.#chain = chain
    this.#self = agreement.input.view.self
    this.#controller = chain.at(-1)!
    this.#phase = chain.indexOf(this.#self) > 0 ? { name: "chaining" } : { name: "passed", token: null }
  }

  /** Only the controller sees who of the others is silent; where it is this member's turn to wait for it, it may be waiting itself. */
  awaiting(): readonly MemberId[] {
    if (this.#phase.name !== "collecting") return []
    const { factored } = this.#phase.received
    return othersBySeat(this.#agreement.plan, this.#self).filter((member) => !factored.has(member))
  }

  erase(): void {
    if (this.#phase.name === "collecting") this.#phase.key?.fill(0)
    if (this.#phase.name === "listed") this.#phase.listed.key.fill(0)
  }

  start(): void {
    const { input, plan, share } = this.#agreement
    const { group, base } = input
    if (this.#chain[0] !== this.#self) return
    // Without a first cluster there is no group key yet to refresh: the chain starts from the generator.
    const isSenior = plan.seats[0]!.owner !== this.#self
    const partial = isSenior ? base?.partials.get(this.#self) : undefined
    this.#pass(partial ? group.multiply(partial, share) : group.multiplyBase(share), [])
  }

  step(from: MemberId, message: Message, bytes: Uint8Array): boolean {
    if (message.kind === "token") return this.#stepToken(from, message.element, bytes)
    if (message.kind === "factored") return this.#stepFactored(from, message.element, bytes)
    if (from !== this.#controller) return false
    if (from === this.#self) return this.#stepOwn(bytes)
    if (message.kind === "broadcast") return this.#stepBroadcast(message.element, bytes)
    return this.#stepList(message.list, bytes)
  }

  // --- the token goes up the chain, and is broadcast --------------------------------------------------------------------

  #stepToken(from: MemberId, bytesOfToken: Uint8Array, bytes: Uint8Array): boolean {
    if (this.#phase.name !== "chaining" || this.#chain[this.#chain.indexOf(this.#self) - 1] !== from) return false
    const { input, share } = this.#agreement
    const token = this.#agreement.decodeElement(from, bytesOfToken)
    if (!token) return true
    if (this.#self !== this.#controller) this.#pass(input.group.multiply(token, share), [bytes])
    else {
      this.#phase = { name: "collecting", token, key: null, received: { token: bytes, factored: new Map() } }
      this.#agreement.multicast({ kind: "broadcast", element: token })
    }
    return true
  }

  #pass(token: Element, received: readonly Uint8Array[]): void {
    const { input, outbox } = this.#agreement
    const next = this.#chain[this.#chain.indexOf(this.#self) + 1]!
    this.#phase = { name: "passed", token }
    outbox.unicast(next, input.codecs.messages.encode({ kind: "token", trail: trailOf(received), element: token }))
  }

  /**
   * The member before the controller checks that the token is the one it passed on. Another token might contain no
   * share but the controller's.
   */
  #stepBroadcast(bytesOfToken: Uint8Array, bytes: Uint8Array): boolean {
    const { input, share, outbox } = this.#agreement
    if (this.#phase.name !== "passed") return false
    const token = this.#agreement.decodeElement(this.#controller, bytesOfToken)
    if (!token) return true
    if (this.#chain.at(-2) === this.#self && !equalBytes(token, this.#phase.token!)) {
      this.#agreement.failAt(this.#controller, "wrong-key")
      return true
    }
    this.#agreement.deliver(bytes)
    this.#phase = { name: "awaitingList", token }
    const element = factorOut(input.group, token, share)
    outbox.unicast(this.#controller, input.codecs.messages.encode({ kind: "factored", element }))
    return true
  }

  // --- the controller collects, and lists -------------------------------------------------------------------------------

  #stepFactored(from: MemberId, bytesOfElement: Uint8Array, bytes: Uint8Array): boolean {
    if (this.#phase.name !== "collecting") return false
    const { input, plan, share } = this.#agreement
    const { token, received } = this.#phase
    const others = othersBySeat(plan, this.#self)
    if (!others.includes(from) || received.factored.has(from)) return false
    const element = this.#agreement.decodeElement(from, bytesOfElement)
    if (!element) return true
    received.factored.set(from, { element, bytes })
    if (received.factored.size < others.length) return true
    const factored = others.map((member) => received.factored.get(member)!)
    const partials = factored.map((one) => input.group.multiply(one.element, share))
    const unicasts = [received.token, ...factored.map((one) => one.bytes)]
    const listed = this.#agreement.list(partials, token, this.#collectedKey(this.#phase), unicasts)
    this.#phase = { name: "listed", listed }
    return true
  }

  /** Called after the token is sent, so that no member waits for this multiplication. */
  #collectedKey(phase: Phase & { name: "collecting" }): Element {
    phase.key ??= this.#agreement.input.group.multiply(phase.token, this.#agreement.share)
    return phase.key
  }

  #stepOwn(bytes: Uint8Array): boolean {
    const taken = this.#agreement.takeOwn(bytes)
    if (taken !== "failed" && this.#phase.name === "collecting") this.#collectedKey(this.#phase)
    if (this.#phase.name === "listed" && taken === "all taken") this.#agreement.complete(this.#phase.listed)
    return taken !== "never sent"
  }

  #stepList(list: PartialKeyList, bytes: Uint8Array): boolean {
    if (this.#phase.name !== "awaitingList") return false
    const listed = this.#agreement.open(this.#controller, list, this.#phase.token, this.#agreement.share)
    if (!listed) return true
    this.#agreement.deliver(bytes)
    this.#agreement.complete(listed)
    return true
  }
}
