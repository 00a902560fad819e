import { bytesToHex } from "@noble/hashes/utils.js"
import type { RoomAddress } from "../../port/port.ts"
import { RELAYS_HALF_OPEN_MAX } from "../../bounds/network-bounds.ts"
import type { Contact } from "../base/contact.ts"
import type { MeshBase } from "../base/mesh-base.ts"
import type { Contacts } from "../rendezvous/contacts.ts"
import type { Signal } from "../messages/signal.ts"
import type { Connections } from "./connections.ts"
import type { DirectOffers } from "./direct-offers.ts"
import { RelaySchedule } from "./relay-schedule.ts"

type RelaySignal = Extract<Signal, { readonly kind: "relay" }>

/** Opens relayed connections through the server. */
export class ServerRelays {
  readonly #base: MeshBase
  readonly #contacts: Contacts
  readonly #connections: Connections
  readonly #directOffers: DirectOffers
  readonly #schedule: RelaySchedule

  constructor(base: MeshBase, contacts: Contacts, connections: Connections, directOffers: DirectOffers) {
    this.#base = base
    this.#contacts = contacts
    this.#connections = connections
    this.#directOffers = directOffers
    this.#schedule = new RelaySchedule(base.mesh.signer.member, base.mesh.random, connections.table)
  }

  /** See `Mesh.nextTickMs`. */
  get nextTickMs(): number {
    return this.#schedule.nextTickMs
  }

  tick(nowMs: number): void {
    const wanted = this.#contacts.freshContacts().filter((contact) => this.#wants(contact))
    for (const contact of this.#schedule.due(wanted, nowMs)) this.#request(contact)
  }

  #wants({ credential }: Readonly<Contact>): boolean {
    return this.#base.mesh.policy.wants?.(credential, null) ?? true
  }

  /**
   * Requests a relay from a member that has advertised itself, before it has proved that it is in the room. The
   * advertisement may be a replay by the server, so this ends no link and leaves room for members that have proved it.
   * A member without a path has come back from an outage, and waits for no back-off from before.
   */
  welcome(contact: Readonly<Contact>): void {
    const { table } = this.#connections
    const { credential, card } = contact
    const known = table.members.get(credential.member)
    if (known && (known.incarnation !== card.incarnation || known.link.path || known.connections.has("server")))
      return this.renew(contact)
    if (table.relaysHalfOpen < RELAYS_HALF_OPEN_MAX / 2 && this.#wants(contact)) this.#request(contact)
  }

  /**
   * Requests a relay again whose member has entered the room anew: the former request leads to no address. The card may
   * be a replay, so it ends no link to another incarnation.
   */
  renew(contact: Readonly<Contact>): void {
    const { credential, card } = contact
    const { config, isNegotiating = false } = this.#connections.table.get(credential.member, "server") ?? {}
    if (!isNegotiating || config?.carrier.type !== "server" || config.role !== "initiator") return
    if (config.peerIncarnation === card.incarnation && config.carrier.to !== bytesToHex(card.address))
      this.#request(contact)
  }

  /** Handles a member's request. */
  handleSignal(contact: Readonly<Contact>, { attempt, opening }: RelaySignal): void {
    const { faults, clock, mesh } = this.#base
    const { table } = this.#connections
    const { member } = contact.credential
    const present = table.get(member, "server")
    if (present?.config.attempt === attempt && present.config.peerIncarnation === contact.card.incarnation) return
    // If both ends have requested a relay, that of the lower id counts.
    const isOwnFirst = present?.config.role === "initiator" && !present.up && mesh.signer.member < member
    if (!this.#schedule.mayAsk(member, clock.nowMs)) return faults.drop("relay: opens too often")
    // The other end would not have asked if it had our request.
    if (isOwnFirst) return this.#connections.repeat(present)
    if (table.relaysHalfOpen < RELAYS_HALF_OPEN_MAX) return this.#open(contact, attempt, opening)
    faults.drop("relay: too many half-open connections")
  }

  #request(contact: Readonly<Contact>): void {
    this.#open(contact, this.#directOffers.nextAttempt(contact.credential.member))
  }

  /** `opening`: of the initiator, to which this end responds. */
  #open({ credential, card }: Readonly<Contact>, attempt: number, opening?: Uint8Array): void {
    const { mesh, room } = this.#base
    const { incarnation } = card
    if (this.#connections.table.provedIncarnation(credential.member) > incarnation) return
    const to = bytesToHex(card.address) as RoomAddress
    this.#connections.open({
      peer: credential,
      peerIncarnation: incarnation,
      role: opening ? "responder" : "initiator",
      attempt,
      carrier: { type: "server", server: mesh.server, room, to },
      ...(opening && { opening }),
    })
  }
}
