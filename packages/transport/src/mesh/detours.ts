import { bytesToHex } from "@noble/hashes/utils.js"
import type { Credential } from "../credentials.ts"
import type { PeerCommand, RoomAddress } from "../host/port.ts"
import type { MemberId } from "../ids.ts"
import { HALF_OPEN_MAX, NEIGHBOURS_MAX } from "./bounds.ts"
import { Circuits, type CircuitOffer } from "./circuits.ts"
import type { MeshConfig } from "./config.ts"
import type { Connection } from "./connection.ts"
import type { Connections } from "./connections.ts"
import type { Control } from "./control.ts"
import type { Contact, Discovery } from "./discovery.ts"
import { KnownCertificates } from "./known-certificates.ts"
import type { Lanes } from "./lanes.ts"
import { Relaying } from "./relaying.ts"
import { Routes } from "./routes.ts"

export type DetoursConfig = {
  readonly mesh: MeshConfig
  /** The conference id in hex. */
  readonly room: string
  readonly lanes: Lanes
  readonly discovery: Discovery
  readonly connections: Connections
  nextAttempt(): number
  nowMs(): number
  onDropped(reason: string): void
  onBadCertificate(from: MemberId): void
}

type DetourControl = Extract<Control, { readonly kind: "neighbours" | "relay" | "certificateRequest" | "certificate" }>

/** Links that are not direct: who could relay, what is relayed for others, and the certificates of who is met that way. */
export class Detours {
  readonly #config: DetoursConfig
  readonly #self: MemberId
  readonly #routes: Routes
  readonly #circuits: Circuits
  readonly #certificates: KnownCertificates
  readonly #relaying: Relaying
  /** What was told last, and to whom. */
  #told = ""
  readonly #toldTo = new Set<MemberId>()

  constructor(config: DetoursConfig) {
    this.#config = config
    const { mesh, connections, discovery, lanes, nowMs, onDropped } = config
    this.#self = mesh.signer.member
    this.#routes = new Routes(this.#self)
    const sendTo = (to: MemberId, control: Control): boolean => connections.sendDirect(to, control)
    this.#certificates = new KnownCertificates({
      checker: mesh.credentials,
      lanes,
      present: (member) => connections.table.credentialOf(member) ?? discovery.contact(member)?.credential,
      // Who told of a member may be behind relays itself.
      sendTo: (to, control) => connections.sendControl(to, control),
      nowMs,
      onBad: config.onBadCertificate,
    })
    this.#circuits = new Circuits({
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
      stateOf: (member) => ({
        path: connections.table.pathOf(member),
        isHalfOpen: (way) => connections.table.isHalfOpen(member, way),
      }),
      openThroughMembers: (member, incarnation, route) => this.#openThroughMembers(member, incarnation, route),
      openThroughServer: (contact) => this.#openThroughServer(contact, "initiator", config.nextAttempt()),
    })
  }

  /** See `Mesh.certificateOf`. */
  certificateOf(member: MemberId, from: MemberId): Promise<Credential | null> {
    return new Promise((resolve) => this.#certificates.resolve(member, from, resolve))
  }

  /** Of those that are not known nothing is known against a link. */
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

  /** A command for a connection that runs through other members. */
  post(command: PeerCommand): void {
    this.#circuits.handle(command)
  }

  /** A connection through other members has been made an object: now it needs its circuit. */
  opened({ config: { link, role, attempt, peer, carrier, peerIncarnation } }: Connection): void {
    if (carrier.type !== "members") return
    const { route } = carrier
    if (role === "initiator") this.#circuits.open(link, peer.member, attempt, route)
    else this.#circuits.accept(link, { origin: peer.member, incarnation: peerIncarnation, attempt, route })
  }

  /** `isDirect`: it came over a direct connection. */
  handle(from: MemberId, control: DetourControl, isDirect: boolean): void {
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

  /** The member asks, by a signal, for a link through the server. */
  handleSignal(contact: Readonly<Contact>, attempt: number): void {
    const { member } = contact.credential
    const present = this.#config.connections.table.get(member, "server")
    if (present?.config.attempt === attempt && present.config.peerIncarnation === contact.card.incarnation) return
    if (this.#mayAccept(member)) this.#openThroughServer(contact, "responder", attempt)
  }

  /** The link to a member goes another way: what was told on the former may be lost. */
  retell(member: MemberId): void {
    this.#toldTo.delete(member)
  }

  /** The link to a member is down. */
  forget(member: MemberId): void {
    this.#routes.forget(member)
    this.#toldTo.delete(member)
  }

  /** A connection of ours to a neighbour is over: what ran through it is too. */
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
    const { connections, nowMs, onDropped } = this.#config
    const reason =
      origin >= this.#self
        ? "relay: not its turn to open"
        : connections.table.relaysHalfOpen >= HALF_OPEN_MAX
          ? "relay: too many half-open connections"
          : this.#relaying.mayOpen(origin, nowMs())
            ? null
            : "relay: opens too often"
    if (reason) onDropped(reason)
    return reason === null
  }

  /** Which life it is only a member's card proves; on others' word no link to another life may end. */
  #isAnotherLife(member: MemberId, incarnation: number): boolean {
    const linked = this.#config.connections.table.newestLife(member)
    return linked !== 0 && linked !== incarnation
  }

  #openThroughMembers(member: MemberId, incarnation: number, route: readonly MemberId[]): void {
    const { connections, nextAttempt } = this.#config
    if (this.#isAnotherLife(member, incarnation) || connections.table.relaysHalfOpen >= HALF_OPEN_MAX) return
    const carrier = { type: "members", route } as const
    // Whoever told of the member has a link with it, or heard of it from one who has.
    this.#certificates.resolve(member, route.at(-1)!, (credential) => {
      if (!credential || connections.table.pathOf(member) === "direct" || this.#isAnotherLife(member, incarnation))
        return
      if (!this.#config.mesh.admits(credential, null)) return
      connections.open({ credential, incarnation, role: "initiator", attempt: nextAttempt(), carrier })
    })
  }

  #openThroughServer(contact: Readonly<Contact>, role: "initiator" | "responder", attempt: number): void {
    const { mesh, room, connections } = this.#config
    const { credential, card } = contact
    const { incarnation } = card
    if (connections.table.newestLife(credential.member) > incarnation) return
    const to = bytesToHex(card.address) as RoomAddress
    connections.open({
      credential,
      incarnation,
      role,
      attempt,
      carrier: { type: "server", server: mesh.server, room, to },
    })
  }

  /** To every linked member, whenever it changes and once to each new one. */
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
