import { bytesToHex } from "@noble/hashes/utils.js"
import type { Credential } from "../../members/credentials.ts"
import type { PeerCommand, RoomAddress } from "../../port/port.ts"
import type { MemberId } from "../../members/ids.ts"
import { NEIGHBOURS_MAX, RELAYS_HALF_OPEN_MAX } from "../../bounds/network-bounds.ts"
import { RelayCircuits, type CircuitOffer } from "./relay-circuits.ts"
import type { MeshConfig } from "../shared/config.ts"
import type { Connection } from "../path/connection.ts"
import type { Connections } from "../link/connections.ts"
import type { Control } from "../messages/control.ts"
import type { Contact, Discovery } from "../discovery/discovery.ts"
import { KnownCertificates } from "./known-certificates.ts"
import type { Lanes } from "../shared/lanes.ts"
import type { Signal } from "../messages/signal.ts"
import { Relaying } from "./relaying.ts"
import { RoutingTable } from "./routing-table.ts"

export type RelayRoutesConfig = {
  readonly mesh: MeshConfig
  /** The conference id in hex. */
  readonly room: string
  readonly lanes: Lanes
  readonly discovery: Discovery
  readonly connections: Connections
  nextAttempt(peer: MemberId): number
  nowMs(): number
  onDropped(reason: string): void
  onBadCertificate(from: MemberId): void
}

type RelaySignal = Extract<Signal, { readonly kind: "relay" }>
type RelayControl = Extract<Control, { readonly kind: "neighbours" | "relay" | "certificateRequest" | "certificate" }>

/**
 * Manages links that are not direct: routes through relaying members, frames relayed for others, and the certificates
 * of members met that way.
 */
export class RelayRoutes {
  readonly #config: RelayRoutesConfig
  readonly #self: MemberId
  readonly #routes: RoutingTable
  readonly #circuits: RelayCircuits
  readonly #certificates: KnownCertificates
  readonly #relaying: Relaying
  /** The neighbour list that was sent last, and the members that have received it. */
  #told = ""
  readonly #toldTo = new Set<MemberId>()

  constructor(config: RelayRoutesConfig) {
    this.#config = config
    const { mesh, connections, discovery, lanes, nowMs, onDropped } = config
    this.#self = mesh.signer.member
    this.#routes = new RoutingTable(this.#self)
    const sendTo = (to: MemberId, control: Control): boolean => connections.sendDirect(to, control)
    this.#certificates = new KnownCertificates({
      checker: mesh.credentials,
      lanes,
      present: (member) => connections.table.credentialOf(member) ?? discovery.contact(member)?.credential,
      // The previous hop may itself be linked only through relays.
      sendTo: (to, control) => connections.sendControl(to, control),
      nowMs,
      onBad: config.onBadCertificate,
    })
    this.#circuits = new RelayCircuits({
      self: this.#self,
      incarnation: mesh.incarnation,
      sendTo,
      bufferedBytes: (neighbour) => connections.table.get(neighbour, "webrtc")?.bufferedBytes ?? 0,
      event: (event) => connections.handlePeer(event),
      onOpen: (offer) => this.#handleOffer(offer),
      onDropped,
    })
    this.#relaying = new Relaying({
      self: this.#self,
      wants: (member) => this.#wantsById(member),
      random: mesh.random,
      routes: this.#routes,
      contacts: () => discovery.freshContacts(),
      directNeighbours: () => connections.table.direct().map(({ member }) => member),
      stateOf: (member) => ({ path: connections.table.pathOf(member), relays: connections.table.relaysTo(member) }),
      openThroughMembers: (member, incarnation, route) => this.#openThroughMembers(member, incarnation, route),
      openThroughServer: (contact) => {
        if (connections.table.relaysHalfOpen >= RELAYS_HALF_OPEN_MAX) return false
        this.#openThroughServer(contact, config.nextAttempt(contact.credential.member))
        return true
      },
    })
  }

  /** See `Mesh.certificateOf`. */
  certificateOf(member: MemberId, from: MemberId): Promise<Credential | null> {
    return new Promise((resolve) => this.#certificates.resolve(member, from, resolve))
  }

  /** Unknown members are allowed. */
  #wantsById(member: MemberId): boolean {
    const { mesh } = this.#config
    const credential = this.#certificates.get(member)
    return !credential || (mesh.wants?.(credential, null) ?? true)
  }

  tick(nowMs: number): void {
    this.#certificates.tick()
    this.#tellNeighbours()
    this.#relaying.tick(nowMs)
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
    if (!this.#isInside(from)) return this.#config.onDropped("relay: not for those who are not inside")
    switch (control.kind) {
      case "neighbours":
        this.#routes.tell(from, control.members)
        return this.#circuits.endWhere(({ peer, route }) => route[0] === from && !this.#routes.stands(route, peer))
      case "certificateRequest":
        return this.#certificates.answer(from, control.member)
      case "certificate":
        return this.#certificates.handle(from, control.member, control.certificate)
      case "relay":
        if (isDirect) this.#circuits.receive(from, control.relay)
    }
  }

  #isInside(member: MemberId): boolean {
    return this.#config.mesh.isInside?.(member) ?? true
  }

  /**
   * Requests a relay from a member that has advertised itself, before it has proved that it is in the room. The
   * advertisement may be a replay by the server, so this ends no link and leaves room for members that have proved it.
   */
  welcome(contact: Readonly<Contact>): void {
    const { table } = this.#config.connections
    const { member } = contact.credential
    if (table.members.has(member) || table.relaysHalfOpen >= RELAYS_HALF_OPEN_MAX / 2) return
    if (this.#wantsById(member)) this.#openThroughServer(contact, this.#config.nextAttempt(member))
  }

  /** Handles a member's signal that requests a link through the server. */
  handleSignal(contact: Readonly<Contact>, { attempt, opening }: RelaySignal): void {
    const { member } = contact.credential
    const present = this.#config.connections.table.get(member, "server")
    if (present?.config.attempt === attempt && present.config.peerIncarnation === contact.card.incarnation) return
    // If both ends have requested a relay, that of the lower id counts.
    const isOwnFirst = present?.config.role === "initiator" && !present.up && this.#self < member
    if (!isOwnFirst && this.#mayOpen(member)) this.#openThroughServer(contact, attempt, opening)
  }

  /**
   * The link to a member has a new path. The neighbour list sent on the former path may be lost, so it is sent again.
   */
  retell(member: MemberId): void {
    this.#toldTo.delete(member)
  }

  /** The link to a member is down. */
  forget(member: MemberId): void {
    this.#routes.forget(member)
    this.#toldTo.delete(member)
  }

  /** The direct connection to a neighbour has ended, and with it every circuit through that neighbour. */
  directEnded(neighbour: MemberId): void {
    this.#circuits.endWhere(({ route }) => route[0] === neighbour)
  }

  #handleOffer(offer: CircuitOffer): void {
    const { connections, onDropped } = this.#config
    const previous = offer.route[0]
    if (previous === undefined || !this.#mayAccept(offer.origin)) return
    this.#certificates.resolve(offer.origin, previous, (credential) => {
      if (!credential) return
      if (!this.#wantsById(offer.origin)) return onDropped("relay: of somebody who is no neighbour")
      if (this.#isAnotherLife(offer.origin, offer.incarnation)) return onDropped("relay: of another life")
      if (!this.#config.mesh.admits(credential, null)) return onDropped("relay: of somebody who is not admitted")
      const { attempt, incarnation, route } = offer
      connections.open({ credential, incarnation, role: "responder", attempt, carrier: { type: "members", route } })
    })
  }

  #mayAccept(origin: MemberId): boolean {
    if (origin < this.#self) return this.#mayOpen(origin)
    this.#config.onDropped("relay: not its turn to open")
    return false
  }

  #mayOpen(origin: MemberId): boolean {
    const { connections, nowMs, onDropped } = this.#config
    const reason =
      connections.table.relaysHalfOpen >= RELAYS_HALF_OPEN_MAX
        ? "relay: too many half-open connections"
        : this.#relaying.mayOpen(origin, nowMs())
          ? null
          : "relay: opens too often"
    if (reason) onDropped(reason)
    return reason === null
  }

  /** Only a member's own card proves its incarnation. A claim of others must not end a link to another incarnation. */
  #isAnotherLife(member: MemberId, incarnation: number): boolean {
    const linked = this.#config.connections.table.newestLife(member)
    return linked !== 0 && linked !== incarnation
  }

  #openThroughMembers(member: MemberId, incarnation: number, route: readonly MemberId[]): void {
    const { connections, nextAttempt } = this.#config
    if (this.#isAnotherLife(member, incarnation) || connections.table.relaysHalfOpen >= RELAYS_HALF_OPEN_MAX) return
    const carrier = { type: "members", route } as const
    // The last hop reported this member. So it has a link to the member, or relays for one that has.
    this.#certificates.resolve(member, route.at(-1)!, (credential) => {
      if (!credential || connections.table.pathOf(member) === "direct" || this.#isAnotherLife(member, incarnation))
        return
      if (!this.#config.mesh.admits(credential, null)) return
      connections.open({ credential, incarnation, role: "initiator", attempt: nextAttempt(member), carrier })
    })
  }

  /** `opening`: of the initiator, to which this end responds. */
  #openThroughServer(contact: Readonly<Contact>, attempt: number, opening?: Uint8Array): void {
    const { mesh, room, connections } = this.#config
    const { credential, card } = contact
    const { incarnation } = card
    if (connections.table.newestLife(credential.member) > incarnation) return
    const to = bytesToHex(card.address) as RoomAddress
    connections.open({
      credential,
      incarnation,
      role: opening ? "responder" : "initiator",
      attempt,
      carrier: { type: "server", server: mesh.server, room, to },
      ...(opening && { opening }),
    })
  }

  /** Sends the neighbour list to every linked member, once to each new one and again at each change. */
  #tellNeighbours(): void {
    const { connections } = this.#config
    const members = connections.table.direct().slice(0, NEIGHBOURS_MAX)
    const text = members.map(({ member, incarnation }) => `${member} ${incarnation}`).join()
    if (text !== this.#told) this.#toldTo.clear()
    this.#told = text
    for (const member of connections.table.linked()) {
      if (this.#toldTo.has(member) || !this.#isInside(member)) continue
      this.#toldTo.add(member)
      connections.sendControl(member, { kind: "neighbours", members })
    }
  }
}
