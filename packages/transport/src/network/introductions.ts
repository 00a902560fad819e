import type { MemberId } from "../members/ids.ts"
import type { ContactsInput } from "./base/contact.ts"
import type { MeshClock } from "./base/mesh-base.ts"
import type { Contacts } from "./rendezvous/contacts.ts"
import type { Presence } from "./rendezvous/presence.ts"
import type { Connections } from "./link/connections.ts"
import type { DirectOffers } from "./link/direct-offers.ts"
import type { ServerRelays } from "./link/server-relays.ts"
import type { Signal } from "./messages/signal.ts"

export type IntroductionsConfig = {
  readonly clock: MeshClock
  readonly contacts: Contacts
  readonly presence: Presence
  readonly connections: Connections
  readonly directOffers: DirectOffers
  readonly serverRelays: ServerRelays
}

/** Introduces this member to others in the room, and makes the offers that `Contacts` asks for. */
export class Introductions {
  readonly #config: IntroductionsConfig

  constructor(config: IntroductionsConfig) {
    this.#config = config
  }

  meet(input: ContactsInput): void {
    const { clock, contacts, connections, directOffers } = this.#config
    for (const output of contacts.step(input, clock.nowMs)) {
      if (output.type === "connect") directOffers.offer(output.member)
      else if (output.type === "evict") connections.endings.forget(output.member, "a newer incarnation has come")
      else if (output.type === "entered") this.#onEntry(output.member)
      else this.#welcome(output.member)
    }
  }

  /** The room may have lost what was sent before this entry. Others know the sender of a signal by its card. */
  repeatSignals(): void {
    const { clock, contacts, connections } = this.#config
    for (const connection of connections.table.byId.values()) {
      const { member } = connection.config.peer
      if (!connection.isNegotiating) continue
      if (contacts.greet(member, clock.nowMs)) this.greet(member)
      connections.repeat(connection)
    }
  }

  /** Sends this member's card. */
  greet(member: MemberId): void {
    const { entry } = this.#config.presence
    if (entry !== null) this.signal(member, { kind: "hello", card: entry.card })
  }

  signal(to: MemberId, signal: Signal): void {
    const { presence, contacts } = this.#config
    presence.signal(to, (member) => contacts.get(member), signal)
  }

  #onEntry(member: MemberId): void {
    const { contacts, connections, serverRelays } = this.#config
    const contact = contacts.get(member)
    if (contact) serverRelays.renew(contact)
    const direct = connections.table.get(member, "webrtc")
    if (direct) connections.repeat(direct)
  }

  /** An advertisement is answered with a request for a relay too. That saves a newcomer a round trip. */
  #welcome(member: MemberId): void {
    const { contacts, serverRelays } = this.#config
    this.greet(member)
    const contact = contacts.get(member)
    if (contact && !contact.fresh && contacts.speaks(contact)) serverRelays.welcome(contact)
  }
}
