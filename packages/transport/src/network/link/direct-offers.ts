import type { IceServer } from "../../port/port.ts"
import type { MemberId } from "../../members/ids.ts"
import { HALF_OPEN_MAX } from "../../bounds/network-bounds.ts"
import type { Role } from "../association/transcript.ts"
import type { Contact, Discovery, DiscoveryInput } from "../discovery/discovery.ts"
import type { Connections } from "./connections.ts"
import type { Signal } from "../messages/signal.ts"

type DirectSignal = Extract<Signal, { readonly kind: "description" | "candidate" }>

export type DirectOffersConfig = {
  readonly self: MemberId
  readonly iceServers: readonly IceServer[]
  readonly discovery: Discovery
  readonly connections: Connections
  nowMs(): number
  onChange(change: DiscoveryInput & { readonly type: "connection" }): void
  onDropped(reason: string): void
}

/** Begins direct connections: the lower id of two offers, the other one answers offers within their limits. */
export class DirectOffers {
  readonly #config: DirectOffersConfig
  #attempts = 0

  constructor(config: DirectOffersConfig) {
    this.#config = config
  }

  /** Two members number their attempts apart, so a number names one connection of theirs, of whatever kind. */
  nextAttempt(peer: MemberId): number {
    return 2 * ++this.#attempts + (this.#config.self < peer ? 0 : 1)
  }

  offer(member: MemberId): void {
    const contact = this.#config.discovery.contact(member)
    if (contact) this.#open(contact, "initiator", this.nextAttempt(member))
  }

  /** Handles an authenticated signal of a wanted contact. An offer of a new attempt is answered. */
  handleSignal(contact: Readonly<Contact>, signal: DirectSignal): void {
    const { self, discovery, connections, nowMs, onDropped } = this.#config
    const { member } = contact.credential
    const connection = connections.table.get(member, "webrtc")
    const current = connection?.config.peerIncarnation === contact.card.incarnation ? connection : undefined
    if (current?.config.attempt === signal.attempt) return connections.handleSignal(member, signal)
    if (signal.kind !== "description" || signal.type !== "offer" || member > self)
      return onDropped("signal: of no attempt")
    if (!discovery.isNewAttempt(member, signal.attempt)) return onDropped("signal: of a former attempt")
    if (!discovery.mayOffer(member, nowMs())) return onDropped("signal: offers too often")
    if (connection === undefined && discovery.halfOpen >= HALF_OPEN_MAX)
      return onDropped("signal: too many half-open connections")
    // The offerer has given up the former connection, otherwise it would not have made another attempt.
    this.#open(contact, "responder", signal.attempt)
    connections.handleSignal(member, signal)
  }

  #open({ credential, card: { incarnation } }: Readonly<Contact>, role: Role, attempt: number): void {
    const { connections, iceServers, onChange } = this.#config
    const carrier = { type: "webrtc", iceServers } as const
    if (connections.table.newestLife(credential.member) > incarnation) {
      // A later incarnation was reported by others before its card arrived.
      return onChange({ type: "connection", member: credential.member, state: "gone", linked: true })
    }
    connections.open({ credential, incarnation, role, attempt, carrier })
  }
}
