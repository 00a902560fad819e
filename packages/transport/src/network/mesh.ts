import { bytesToHex } from "@noble/hashes/utils.js"
import type { BootstrapEvent, ConnectionId, HostEvent, Reliability } from "../port/port.ts"
import type { MemberId } from "../members/ids.ts"
import { MESSAGE_BYTES_MAX } from "../bounds/network-bounds.ts"
import type { MeshConfig, MeshOutput, MeshSendOptions } from "./shared/config.ts"
import type { Credential } from "../members/credentials.ts"
import { Connections } from "./link/connections.ts"
import { DirectOffers } from "./link/direct-offers.ts"
import { KnownCertificates } from "./link/known-certificates.ts"
import { ServerRelays } from "./link/server-relays.ts"
import { Introductions } from "./introductions.ts"
import { MeshFaults } from "./base/mesh-faults.ts"
import type { Contact, ContactsInput } from "./base/contact.ts"
import { Contacts, type Evidence } from "./rendezvous/contacts.ts"
import { IgnoredIncarnations } from "./shared/failures.ts"
import { Keyring, type InvitationKeys } from "./shared/keyring.ts"
import { MeshClock, type MeshBase, type PartOutput } from "./base/mesh-base.ts"
import { Lanes } from "./base/lanes.ts"
import { Presence } from "./rendezvous/presence.ts"
import { Reception } from "./rendezvous/reception.ts"
import type { Missing } from "./rendezvous/room.ts"
import type { Signal } from "./messages/signal.ts"
import { PROTOCOL, type Protocol } from "./shared/protocol.ts"

/**
 * Turns the raw host (peer connections and the bootstrap server) into authenticated links. There is at most one link
 * per member, each an ordered, sealed stream of messages.
 *
 * Everything is synchronous except signing and verifying, which `Lanes` orders. Call `tick` once before anything else,
 * then about every 100 ms, or as `nextTickMs` says: it is the only clock.
 *
 * The caller owns the bootstrap connection, since several conferences may share it. Pass its present state as a
 * `bootstrap-state` event at the start.
 */
export class Mesh {
  readonly #base: MeshBase
  readonly #protocol: Protocol
  readonly #self: MemberId
  readonly #keyring: Keyring
  readonly #clock = new MeshClock()
  readonly #faults = new MeshFaults((output) => this.#route(output))
  readonly #presence: Presence
  readonly #contacts: Contacts
  readonly #reception: Reception
  readonly #connections: Connections
  readonly #certificates: KnownCertificates
  readonly #serverRelays: ServerRelays
  readonly #directOffers: DirectOffers
  readonly #introductions: Introductions
  #closed = false

  constructor(config: MeshConfig) {
    this.#protocol = config.protocol ?? PROTOCOL
    this.#self = config.signer.member
    this.#keyring = new Keyring(config.keys, config.formerKeys)
    const ignored = new IgnoredIncarnations()
    const base: MeshBase = {
      mesh: config,
      scope: { conferenceId: config.conferenceId, descriptorHash: config.descriptorHash },
      keyring: this.#keyring,
      room: bytesToHex(config.conferenceId),
      lanes: new Lanes(this.#faults),
      clock: this.#clock,
      faults: this.#faults,
      ignored,
      sink: { take: (output) => this.#route(output) },
    }
    this.#base = base
    const { random, policy } = config
    this.#contacts = new Contacts(this.#self, { random, policy, ignored, major: this.#protocol.major })
    this.#presence = new Presence(base)
    this.#reception = new Reception(base, this.#contacts)
    this.#connections = new Connections(base)
    this.#directOffers = new DirectOffers(base, this.#contacts, this.#connections)
    this.#certificates = new KnownCertificates(base, this.#connections, this.#contacts)
    this.#serverRelays = new ServerRelays(base, this.#contacts, this.#connections, this.#directOffers)
    this.#introductions = new Introductions({
      clock: this.#clock,
      contacts: this.#contacts,
      presence: this.#presence,
      connections: this.#connections,
      directOffers: this.#directOffers,
      serverRelays: this.#serverRelays,
    })
  }

  /** Counts of silently dropped inputs by reason, for diagnosis. */
  get dropped(): ReadonlyMap<string, number> {
    return this.#faults.dropped
  }

  /**
   * Handles any event of the host. Events of other conferences and links are ignored. It does not throw, whatever bytes
   * others send: `Connections` contains the failures of a link, and `MeshFaults` the rest.
   */
  handle(event: HostEvent): void {
    if (this.#closed) return
    if ("connectionId" in event) this.#connections.handlePeer(event)
    else if (event.server === this.#base.mesh.server) this.#faults.contain(null, () => this.#handleBootstrap(event))
  }

  /**
   * As `GroupCore.nextTickMs`: time of the tick that it needs next. The age of keys and of contacts is not included, so
   * a tick must come every second.
   */
  get nextTickMs(): number {
    const { nowMs } = this.#clock
    const isBusy = this.#base.lanes.isBusy || this.#certificates.isWaiting || !this.#connections.isCalm
    if (isBusy || this.#contacts.isLooking(nowMs)) return -Infinity
    return Math.min(this.#presence.nextTickMs(this.#missing(nowMs)), this.#serverRelays.nextTickMs)
  }

  #missing(nowMs: number): Missing {
    return this.#base.mesh.policy.advertises?.() ? null : this.#contacts.isMissing(nowMs)
  }

  /** `nowMs` is monotonic. */
  tick(nowMs: number): void {
    this.#clock.tick(nowMs)
    if (this.#closed) return
    this.#presence.tick(this.#missing(nowMs), nowMs)
    this.#connections.tick()
    this.#certificates.tick()
    this.#serverRelays.tick(nowMs)
    this.#meet({ type: "tick" })
    this.#reportVersions()
  }

  /**
   * Queues a message. Messages of one turn travel together. Without a link to `to` the message is lost.
   * @returns false if it was refused: no link, or payload while much is unacknowledged
   * @throws RangeError for more than `MESSAGE_BYTES_MAX` bytes (4 MiB)
   */
  send(to: MemberId, bytes: Uint8Array, { reliability = "reliable", payload = false }: MeshSendOptions = {}): boolean {
    if (bytes.length > MESSAGE_BYTES_MAX)
      throw new RangeError(`a message over a link has at most ${MESSAGE_BYTES_MAX} bytes`)
    return this.#connections.send(to, bytes, reliability, payload)
  }

  /** True if the window of the link to `to` is full. The sender should wait for `ready`. */
  congested(to: MemberId): boolean {
    return this.#connections.table.link(to)?.congested ?? false
  }

  /** True if half of the window is full. Bulk senders stop there and leave the rest to interactive messages. */
  halfCongested(to: MemberId): boolean {
    return this.#connections.table.link(to)?.halfCongested ?? false
  }

  /**
   * How to send a heartbeat, which the next one replaces. Null: not at all, since nothing was heard from `to` for
   * `LINK_SILENT_MS`, although messages wait for acknowledgements.
   */
  heartbeatLane(to: MemberId): Reliability | null {
    return this.#connections.table.link(to)?.heartbeatLane ?? null
  }

  /** Whether this message is among the oldest that `to` has not acknowledged. */
  isUnderWay(to: MemberId, bytes: Uint8Array): boolean {
    return this.#connections.table.link(to)?.session.isUnderWay(bytes) ?? false
  }

  /** Window of the link in bytes: above it the link is congested. Null without a link. */
  windowBytes(to: MemberId): number | null {
    return this.#connections.table.link(to)?.windowBytes ?? null
  }

  /** Sets the keys of a new invitation. Holders of `former` keys are still heard. */
  useKeys(current: InvitationKeys, former: readonly InvitationKeys[]): void {
    this.#keyring.replace(current, former)
    this.announce()
  }

  /** Advertises this member at once, for instance after a member that refused it may have changed its decision. */
  announce(): void {
    if (!this.#closed) this.#presence.announce()
  }

  /** Ends the link with a member that `admits` no longer accepts. */
  expel(member: MemberId, reason: string): void {
    if (this.#closed) return
    this.#connections.endings.forget(member, reason)
    this.#contacts.forget(member)
  }

  /** Number of the counted members that are linked or were met in the room recently, without this one. */
  countContacts(isCounted: (credential: Credential, keys: InvitationKeys) => boolean, evidence: Evidence): number {
    return this.#contacts.count(isCounted, evidence, this.#clock.nowMs)
  }

  /**
   * Sends through the room to a contact. It is lost if there is none. A hello goes first unless the contact has this
   * member's card.
   */
  signal(to: MemberId, bytes: Uint8Array): void {
    const { entry } = this.#presence
    const contact = this.#contacts.get(to)
    if (this.#closed || entry === null || !contact || !this.#contacts.speaks(contact)) return
    if (this.#contacts.greet(to, this.#clock.nowMs)) this.#introductions.greet(to)
    this.#introductions.signal(to, { kind: "neighbour", bytes })
  }

  /**
   * The voice of a member is missing in a call. A direct path that leaves messages unacknowledged too is left after
   * `PATH_UNHEARD_MS`. The member is not suspected, and a path that is heard is kept.
   */
  unheard(member: MemberId): void {
    if (!this.#closed) this.#connections.table.link(member)?.unheard(this.#clock.nowMs)
  }

  /** Ends the link with a member that continues without it. Another is made when it is wanted again. */
  part(member: MemberId): void {
    if (!this.#closed) this.#connections.endings.part(member, "not a neighbour any more")
  }

  /**
   * The certificate of a member that another member reported. It is known here, or a neighbour sends it and it is
   * validated. Null if the neighbour sends none or an invalid one, or does not answer in time.
   */
  certificateOf(member: MemberId, from: MemberId): Promise<Credential | null> {
    if (this.#closed) return Promise.resolve(null)
    return new Promise((resolve) => this.#certificates.resolve(member, from, resolve))
  }

  /** Whether the link with a member has a path. False without a link. */
  hasPath(to: MemberId): boolean {
    return this.#connections.table.link(to)?.path != null
  }

  /** Number of the direct connection with a member. Null without one. */
  directConnection(member: MemberId): ConnectionId | null {
    const connection = this.#connections.table.get(member, "webrtc")
    return connection?.up ? connection.config.id : null
  }

  /** Bytes sent to `to` that are not acknowledged. 0 without a link. */
  bufferedBytes(to: MemberId): number {
    return this.#connections.table.link(to)?.session.unackedBytes ?? 0
  }

  /** Flushes and closes every connection, and leaves the room. Nothing but the trace is emitted afterwards. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#connections.endings.closeAll()
    this.#presence.leave()
  }

  #handleBootstrap(event: BootstrapEvent): void {
    if (event.type === "bootstrap-state" || event.type === "bootstrap-reply") {
      this.#presence.handle(event, this.#clock.nowMs)
      if (event.type === "bootstrap-state") this.#emit({ type: "server", state: event.state })
      return
    }
    const { entry } = this.#presence
    if (event.room !== this.#base.room || entry === null) return
    if (event.type === "room-advertisement") this.#reception.handleAdvertisement(event.from, event.advertisement)
    else
      this.#reception.handleEnvelope(entry.envelopes, () => this.#presence.entry === entry, event.from, event.envelope)
  }

  /** Routes the output of a part to the part that it concerns, or out of the mesh. */
  #route(output: PartOutput): void {
    switch (output.type) {
      case "entered":
        this.#meet(output)
        return this.#introductions.repeatSignals()
      case "connection":
        return this.#meet(output)
      case "card":
        return this.#faults.contain(output.fresh ? output.credential.member : null, () => this.#handleCard(output))
      case "heardSignal": {
        const { contact, signal } = output
        return this.#faults.contain(contact.credential.member, () => this.#handleSignal(contact, signal))
      }
      case "sendSignal":
        return this.#introductions.signal(output.to, output.signal)
      case "control":
        return this.#certificates.take(output.from, output.control)
      case "waiting":
        return this.#introductions.greet(output.member)
      case "ignore":
        return this.#ignore(output.member, output.detail)
      case "traced":
        // The connections that end as the mesh closes are traced too.
        return this.#base.mesh.sink.take(output)
      default:
        return this.#emit(output)
    }
  }

  #ignore(member: MemberId, detail: string): void {
    const contact = this.#contacts.get(member)
    if (contact) this.#connections.endings.ignore(member, contact.card.incarnation, detail)
  }

  #reportVersions(): void {
    const others = this.#contacts.otherVersions(this.#clock.nowMs)
    if (others) this.#emit({ type: "otherVersions", others })
  }

  #meet(input: ContactsInput): void {
    if (!this.#closed) this.#introductions.meet(input)
  }

  #handleCard(input: Extract<ContactsInput, { readonly type: "card" }>): void {
    const { credential, card, keys, fresh } = input
    if (credential.member === this.#self) return this.#onOwnCard(card.incarnation)
    this.#meet(input)
    const { member: peer } = credential
    if (fresh) this.#connections.table.linkTo(peer, card.incarnation)?.greeted(this.#clock.nowMs)
    const contact = this.#contacts.get(peer)
    if (contact && this.#contacts.speaks(contact))
      this.#emit({ type: "contact", peer, credential, keys, greeted: fresh })
    else this.#reportVersions()
  }

  /** If two incarnations of one member exist, the later one stays. Members ignore the other one. */
  #onOwnCard(incarnation: number): void {
    if (incarnation > this.#base.mesh.incarnation) this.#emit({ type: "superseded" })
    else this.#faults.drop("card: of a former incarnation of this member")
  }

  #handleSignal(contact: Readonly<Contact>, signal: Exclude<Signal, { readonly kind: "hello" }>): void {
    if (this.#closed) return
    const { member } = contact.credential
    const { credential, keys } = contact
    if (!this.#contacts.speaks(contact)) return this.#faults.drop("signal: of another version")
    this.#connections.table.linkTo(member, contact.card.incarnation)?.heardOf()
    if (signal.kind === "neighbour") {
      return this.#emit({ type: "signal", peer: member, credential, keys, bytes: signal.bytes })
    }
    if (!this.#contacts.wants(credential, keys)) return this.#faults.drop("signal: of a member that is no neighbour")
    if (signal.kind === "relay") return this.#serverRelays.handleSignal(contact, signal)
    this.#directOffers.handleSignal(contact, signal)
  }

  #emit(output: MeshOutput): void {
    if (!this.#closed) this.#base.mesh.sink.take(output)
  }
}
