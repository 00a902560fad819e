import { bytesToHex } from "@noble/hashes/utils.js"
import type { Credential } from "../../members/credentials.ts"
import type { PeerCommand, RoomAddress } from "../../port/port.ts"
import type { MemberId } from "../../members/ids.ts"
import {
  CONTACT_STALE_MS,
  NEIGHBOURS_MAX,
  RELAYS_BROUGHT_MAX,
  RELAYS_HALF_OPEN_MAX,
} from "../../bounds/network-bounds.ts"
import { RelayCircuits, type CircuitOffer } from "./relay-circuits.ts"
import type { DirectOffers } from "../link/direct-offers.ts"
import type { MeshBase } from "../base/mesh-base.ts"
import type { Connection } from "../path/connection.ts"
import type { Connections } from "../link/connections.ts"
import type { RelayControl } from "../messages/control.ts"
import type { Contact } from "../base/contact.ts"
import type { Discovery } from "../discovery/discovery.ts"
import { KnownCertificates } from "./known-certificates.ts"
import type { Signal } from "../messages/signal.ts"
import type { Presence } from "../discovery/presence.ts"
import { Relaying } from "./relaying.ts"
import { RoutingTable } from "./routing-table.ts"

type RelaySignal = Extract<Signal, { readonly kind: "relay" }>

/**
 * Manages links that are not direct: routes through relaying members, frames relayed for others, and the certificates
 * of members met that way.
 */
export class RelayRoutes {
  readonly #base: MeshBase
  readonly #discovery: Discovery
  readonly #connections: Connections
  readonly #directOffers: DirectOffers
  readonly #presence: Presence
  readonly #self: MemberId
  readonly #routes: RoutingTable
  readonly #circuits: RelayCircuits
  readonly #certificates: KnownCertificates
  readonly #relaying: Relaying
  /** The neighbour list that was sent last, and the members that have received it. */
  #announced = ""
  readonly #announcedTo = new Set<MemberId>()

  constructor(
    base: MeshBase,
    discovery: Discovery,
    connections: Connections,
    directOffers: DirectOffers,
    presence: Presence,
  ) {
    this.#base = base
    this.#discovery = discovery
    this.#connections = connections
    this.#directOffers = directOffers
    this.#presence = presence
    this.#self = base.mesh.signer.member
    this.#routes = new RoutingTable(this.#self)
    this.#certificates = new KnownCertificates(base, connections, discovery)
    this.#circuits = new RelayCircuits(base, connections)
    const { table } = connections
    this.#relaying = new Relaying({ self: this.#self, random: base.mesh.random, routes: this.#routes, table })
  }

  /** See `Mesh.certificateOf`. */
  certificateOf(member: MemberId, from: MemberId): Promise<Credential | null> {
    return new Promise((resolve) => this.#certificates.resolve(member, from, resolve))
  }

  /** Unknown members are allowed. */
  #wantsById(member: MemberId): boolean {
    const credential = this.#certificates.get(member)
    return !credential || (this.#base.mesh.policy.wants?.(credential, null) ?? true)
  }

  /** See `Mesh.nextTickMs`. */
  get nextTickMs(): number {
    return this.#certificates.isWaiting ? -Infinity : this.#relaying.nextTickMs
  }

  tick(nowMs: number): void {
    this.#certificates.tick()
    this.#announceNeighbours()
    const wanted = (member: MemberId): boolean => this.#wantsById(member)
    for (const output of this.#relaying.tick(this.#discovery.freshContacts(), wanted, nowMs)) {
      if (output.type === "openThroughMembers")
        this.#openThroughMembers(output.member, output.incarnation, output.route)
      else this.#openThroughServer(output.contact, this.#directOffers.nextAttempt(output.contact.credential.member))
    }
  }

  /** Handles a command for a connection that runs through other members. */
  post(command: PeerCommand): void {
    this.#circuits.handle(command)
  }

  /** Opens the circuit of a new connection that runs through other members. */
  opened({ config: { link, role, attempt, peer, carrier, peerIncarnation } }: Connection): void {
    if (carrier.type !== "members") return
    const { route } = carrier
    if (role === "initiator") this.#circuits.open(link, peer.member, attempt, route)
    else this.#circuits.accept(link, { origin: peer.member, incarnation: peerIncarnation, attempt, route })
  }

  /** `isDirect`: the message came over a direct connection. */
  handle(from: MemberId, control: RelayControl, isDirect: boolean): void {
    if (!this.#isInside(from)) return this.#base.faults.drop("relay: not for those who are not inside")
    switch (control.kind) {
      case "neighbours":
        this.#routes.report(from, control.members)
        return this.#circuits.endWhere(({ peer, route }) => route[0] === from && !this.#routes.stands(route, peer))
      case "certificateRequest":
        return this.#certificates.answer(from, control.member)
      case "certificate":
        return this.#certificates.handle(from, control.member, control.certificate)
      case "relay":
        if (isDirect) {
          const offer = this.#circuits.receive(from, control.relay)
          if (offer) this.#handleOffer(offer)
        }
    }
  }

  #isInside(member: MemberId): boolean {
    return this.#base.mesh.policy.isInside?.(member) ?? true
  }

  /**
   * Requests a relay from a member that has advertised itself, before it has proved that it is in the room. The
   * advertisement may be a replay by the server, so this ends no link and leaves room for members that have proved it.
   */
  welcome(contact: Readonly<Contact>): void {
    const { table } = this.#connections
    const { member } = contact.credential
    if (table.members.has(member)) return this.renew(contact)
    if (table.relaysHalfOpen >= RELAYS_HALF_OPEN_MAX / 2) return
    if (this.#wantsById(member)) this.#openThroughServer(contact, this.#directOffers.nextAttempt(member))
  }

  /**
   * Requests a relay again whose member has entered the room anew: the former request leads to no address. The card may
   * be a replay, so it ends no link to another incarnation.
   */
  renew(contact: Readonly<Contact>): void {
    const { card } = contact
    const { member } = contact.credential
    const { config, isNegotiating = false } = this.#connections.table.get(member, "server") ?? {}
    if (!isNegotiating || config?.carrier.type !== "server" || config.role !== "initiator") return
    if (config.peerIncarnation === card.incarnation && config.carrier.to !== bytesToHex(card.address))
      this.#openThroughServer(contact, this.#directOffers.nextAttempt(member))
  }

  /** Handles a member's signal that requests a link through the server. */
  handleSignal(contact: Readonly<Contact>, { attempt, opening }: RelaySignal): void {
    const { member } = contact.credential
    const present = this.#connections.table.get(member, "server")
    if (present?.config.attempt === attempt && present.config.peerIncarnation === contact.card.incarnation) return
    // If both ends have requested a relay, that of the lower id counts.
    const isOwnFirst = present?.config.role === "initiator" && !present.up && this.#self < member
    if (!this.#mayAsk(member, member)) return
    // The other end would not have asked if it had our request.
    if (isOwnFirst) return this.#connections.repeat(present)
    if (this.#connections.table.relaysHalfOpen < RELAYS_HALF_OPEN_MAX)
      return this.#openThroughServer(contact, attempt, opening)
    this.#base.faults.drop("relay: too many half-open connections")
  }

  /**
   * The link to a member has a new path. The neighbour list sent on the former path may be lost, so it is sent again.
   */
  announceAgain(member: MemberId): void {
    this.#announcedTo.delete(member)
  }

  /** The link to a member is down. */
  forget(member: MemberId): void {
    this.#routes.forget(member)
    this.#announcedTo.delete(member)
  }

  /** The direct connection to a neighbour has ended, and with it every circuit through that neighbour. */
  directEnded(neighbour: MemberId): void {
    this.#circuits.endWhere(({ route }) => route[0] === neighbour)
  }

  #handleOffer(offer: CircuitOffer): void {
    const { faults } = this.#base
    const previous = offer.route[0]
    if (previous === undefined || !this.#mayAccept(offer.origin, previous)) return
    this.#certificates.resolve(offer.origin, previous, (credential) => {
      if (!credential) return
      if (!this.#wantsById(offer.origin)) return faults.drop("relay: of somebody who is no neighbour")
      if (this.#isOtherIncarnation(offer.origin, offer.incarnation)) return faults.drop("relay: of another incarnation")
      if (!this.#base.mesh.policy.admits(credential, null)) return faults.drop("relay: of somebody who is not admitted")
      if (!this.#makeRoomFor(previous)) return faults.drop("relay: too many half-open connections")
      const { attempt, incarnation, route } = offer
      this.#connections.open({
        credential,
        incarnation,
        role: "responder",
        attempt,
        carrier: { type: "members", route },
      })
    })
  }

  #mayAccept(origin: MemberId, by: MemberId): boolean {
    if (origin < this.#self) return this.#mayAsk(origin, by)
    this.#base.faults.drop("relay: not its turn to open")
    return false
  }

  /** `by`: see `Relaying.mayOpen`. */
  #mayAsk(origin: MemberId, by: MemberId): boolean {
    const { faults, clock } = this.#base
    if (this.#relaying.mayOpen(origin, by, clock.nowMs)) return true
    faults.drop("relay: opens too often")
    return false
  }

  /**
   * At the bound the neighbour that has brought most loses its oldest circuit, so none can fill all places. Returns
   * false if the others have no more than one above the share of `by`.
   */
  #makeRoomFor(by: MemberId): boolean {
    const { brought } = this.#connections.table
    const shares = [...brought.values()].toSorted((one, other) => other.length - one.length)
    if (shares.flat().length < RELAYS_BROUGHT_MAX) return true
    const most = shares[0]!
    if (most.length < (brought.get(by)?.length ?? 0) + 2) return false
    const link = most[0]!
    this.#circuits.handle({ type: "peer-close", link })
    const reason = "another neighbour has brought fewer"
    this.#connections.handlePeer({ type: "peer-closed", link, byPeer: false, reason })
    return true
  }

  /**
   * Only an association or a member's fresh card proves its incarnation. A claim of others must neither end a link to
   * another incarnation nor take its place.
   */
  #isOtherIncarnation(member: MemberId, incarnation: number): boolean {
    const { table } = this.#connections
    const contact = this.#discovery.contact(member)
    // A card may be outdated that was not heard for long, or since this member lost the server.
    const isPresent =
      this.#presence.entry !== null && contact?.fresh && this.#base.clock.nowMs - contact.heardAtMs <= CONTACT_STALE_MS
    const shown = isPresent ? contact.card.incarnation : 0
    const expected = table.provedIncarnation(member) || shown || table.newestIncarnation(member)
    return expected !== 0 && expected !== incarnation
  }

  #openThroughMembers(member: MemberId, incarnation: number, route: readonly MemberId[]): void {
    const { table } = this.#connections
    if (this.#isOtherIncarnation(member, incarnation) || table.relaysHalfOpen >= RELAYS_HALF_OPEN_MAX) return
    const carrier = { type: "members", route } as const
    // The last hop reported this member. So it has a link to the member, or relays for one that has.
    this.#certificates.resolve(member, route.at(-1)!, (credential) => {
      if (!credential || table.pathOf(member) === "direct" || this.#isOtherIncarnation(member, incarnation)) return
      if (!this.#base.mesh.policy.admits(credential, null)) return
      this.#connections.open({
        credential,
        incarnation,
        role: "initiator",
        attempt: this.#directOffers.nextAttempt(member),
        carrier,
      })
    })
  }

  /** `opening`: of the initiator, to which this end responds. */
  #openThroughServer(contact: Readonly<Contact>, attempt: number, opening?: Uint8Array): void {
    const { mesh, room } = this.#base
    const { credential, card } = contact
    const { incarnation } = card
    if (this.#connections.table.provedIncarnation(credential.member) > incarnation) return
    const to = bytesToHex(card.address) as RoomAddress
    this.#connections.open({
      credential,
      incarnation,
      role: opening ? "responder" : "initiator",
      attempt,
      carrier: { type: "server", server: mesh.server, room, to },
      ...(opening && { opening }),
    })
  }

  /** Sends the neighbour list to every linked member, once to each new one and again at each change. */
  #announceNeighbours(): void {
    const members = this.#connections.table.direct().slice(0, NEIGHBOURS_MAX)
    const text = members.map(({ member, incarnation }) => `${member} ${incarnation}`).join()
    if (text !== this.#announced) this.#announcedTo.clear()
    this.#announced = text
    for (const member of this.#connections.table.linked()) {
      if (this.#announcedTo.has(member) || !this.#isInside(member)) continue
      this.#announcedTo.add(member)
      this.#connections.sendControl(member, { kind: "neighbours", members })
    }
  }
}
