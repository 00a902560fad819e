import type { MemberId } from "../members/ids.ts"
import type { DiscoveryInput } from "./base/contact.ts"
import type { MeshClock } from "./base/mesh-base.ts"
import type { Discovery } from "./discovery/discovery.ts"
import type { Presence } from "./discovery/presence.ts"
import type { Connections } from "./link/connections.ts"
import type { DirectOffers } from "./link/direct-offers.ts"
import type { ServerRelays } from "./link/server-relays.ts"
import type { Signal } from "./messages/signal.ts"

export type IntroductionsConfig = {
  readonly clock: MeshClock
  readonly discovery: Discovery
  readonly presence: Presence
  readonly connections: Connections
  readonly directOffers: DirectOffers
  readonly serverRelays: ServerRelays
}

/** Introduces this member to others in the room, and makes offers to those that discovery wants as neighbours. */
export class Introductions {
  readonly #config: IntroductionsConfig

  constructor(config: IntroductionsConfig) {
    this.#config = config
  }

  discover(input: DiscoveryInput): void {
    const { clock, discovery, connections, directOffers } = this.#config
    for (const output of discovery.step(input, clock.nowMs)) {
      if (output.type === "connect") directOffers.offer(output.member)
      else if (output.type === "evict") connections.endings.forget(output.member, "a newer incarnation has come")
      else if (output.type === "entered") this.#onEntry(output.member)
      else this.#welcome(output.member)
    }
  }

  /** The room may have lost what was sent before this entry. Others know the sender of a signal by its card. */
  repeatSignals(): void {
    const { clock, discovery, connections } = this.#config
    for (const connection of connections.table.ofLink.values()) {
      const { member } = connection.config.peer
      if (!connection.isNegotiating) continue
      if (discovery.greet(member, clock.nowMs)) this.greet(member)
      connections.repeat(connection)
    }
  }

  /** Sends this member's card. */
  greet(member: MemberId): void {
    const { entry } = this.#config.presence
    if (entry !== null) this.signal(member, { kind: "hello", card: entry.card })
  }

  signal(to: MemberId, signal: Signal): void {
    const { presence, discovery } = this.#config
    presence.signal(to, (member) => discovery.contact(member), signal)
  }

  #onEntry(member: MemberId): void {
    const { discovery, connections, serverRelays } = this.#config
    const contact = discovery.contact(member)
    if (contact) serverRelays.renew(contact)
    const direct = connections.table.get(member, "webrtc")
    if (direct) connections.repeat(direct)
  }

  /** An advertisement is answered with a request for a relay too. That saves a newcomer a round trip. */
  #welcome(member: MemberId): void {
    const { discovery, serverRelays } = this.#config
    this.greet(member)
    const contact = discovery.contact(member)
    if (contact && !contact.fresh && discovery.speaks(contact)) serverRelays.welcome(contact)
  }
}
