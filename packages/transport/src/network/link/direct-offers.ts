import type { MemberId } from "../../members/ids.ts"
import { HALF_OPEN_MAX } from "../../bounds/network-bounds.ts"
import type { Role } from "../association/transcript.ts"
import type { Contact } from "../base/contact.ts"
import type { Contacts } from "../rendezvous/contacts.ts"
import type { MeshBase } from "../base/mesh-base.ts"
import type { Connections } from "./connections.ts"
import type { Signal } from "../messages/signal.ts"

type DirectSignal = Extract<Signal, { readonly kind: "description" | "candidate" }>

/** Begins direct connections: the lower id of two offers, the other one answers offers within their limits. */
export class DirectOffers {
  readonly #base: MeshBase
  readonly #self: MemberId
  readonly #contacts: Contacts
  readonly #connections: Connections
  #attempts = 0

  constructor(base: MeshBase, contacts: Contacts, connections: Connections) {
    this.#base = base
    this.#self = base.mesh.signer.member
    this.#contacts = contacts
    this.#connections = connections
  }

  /** Two members number their attempts apart, so a number names one connection of theirs, of whatever kind. */
  nextAttempt(peer: MemberId): number {
    return 2 * ++this.#attempts + (this.#self < peer ? 0 : 1)
  }

  offer(member: MemberId): void {
    const contact = this.#contacts.get(member)
    if (contact) this.#open(contact, "initiator", this.nextAttempt(member))
  }

  /** Handles an authenticated signal of a wanted contact. An offer of a new attempt is answered. */
  handleSignal(contact: Readonly<Contact>, signal: DirectSignal): void {
    const [contacts, connections, { faults, clock }] = [this.#contacts, this.#connections, this.#base]
    const { member } = contact.credential
    const connection = connections.table.get(member, "webrtc")
    const current = connection?.config.peerIncarnation === contact.card.incarnation ? connection : undefined
    if (current?.config.attempt === signal.attempt) return connections.handleSignal(member, signal)
    if (signal.kind !== "description" || signal.type !== "offer" || member > this.#self)
      return faults.drop("signal: of no attempt")
    if (!contacts.isNewAttempt(member, signal.attempt)) return faults.drop("signal: of a former attempt")
    if (!contacts.mayOffer(member, clock.nowMs)) return faults.drop("signal: offers too often")
    if (connection === undefined && contacts.halfOpen >= HALF_OPEN_MAX)
      return faults.drop("signal: too many half-open connections")
    // The offerer has given up the former connection, otherwise it would not have made another attempt.
    this.#open(contact, "responder", signal.attempt)
    connections.handleSignal(member, signal)
  }

  #open({ credential, card: { incarnation } }: Readonly<Contact>, role: Role, attempt: number): void {
    if (this.#connections.table.provedIncarnation(credential.member) > incarnation) {
      // A later incarnation was linked through others before its card arrived.
      return this.#base.sink.take({ type: "connection", member: credential.member, state: "gone", linked: true })
    }
    const carrier = { type: "webrtc" } as const
    this.#connections.open({ peer: credential, peerIncarnation: incarnation, role, attempt, carrier })
  }
}
