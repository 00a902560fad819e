import { bytesToHex } from "@noble/hashes/utils.js"
import type { BootstrapEvent, HostEvent } from "../host/port.ts"
import type { MemberId } from "../ids.ts"
import { HALF_OPEN_MAX, MESSAGE_BYTES_MAX } from "./bounds.ts"
import type { MeshConfig, MeshOutput, MeshSendOptions } from "./config.ts"
import type { SecurityCode } from "./connection.ts"
import type { Credential } from "../credentials.ts"
import { Connections } from "./connections.ts"
import { Detours } from "./detours.ts"
import { Discovery, type Contact, type DiscoveryInput } from "./discovery.ts"
import { Keyring, type InvitationKeys } from "./keyring.ts"
import { Lanes } from "./lanes.ts"
import { Presence } from "./presence.ts"
import { Reception } from "./reception.ts"
import type { Scope } from "./scope.ts"
import type { Signal } from "./signal.ts"
import type { Role } from "./transcript.ts"

/**
 * From the raw host (peer connections and the bootstrap server) to authenticated links: at most one per member, each
 * an ordered, sealed stream of messages.
 *
 * Synchronous but for signing and verifying, which `Lanes` orders. Call `tick` once before anything else, then about
 * every 100 ms: it is the only clock. The bootstrap connection is the caller's, for several conferences may share it;
 * hand over its present state as a `bootstrap-state` event at the start.
 */
export class Mesh {
  readonly #config: MeshConfig
  readonly #scope: Scope
  readonly #self: MemberId
  readonly #roomName: string
  readonly #keyring: Keyring
  readonly #presence: Presence
  readonly #discovery: Discovery
  readonly #reception: Reception
  readonly #lanes: Lanes
  readonly #connections: Connections
  readonly #detours: Detours
  readonly #dropped = new Map<string, number>()
  #attempts = 0
  #nowMs: number | null = null
  #closed = false

  constructor(config: MeshConfig) {
    this.#config = config
    this.#scope = { conferenceId: config.conferenceId, descriptorHash: config.descriptorHash }
    this.#self = config.signer.member
    this.#keyring = new Keyring(config.keys, config.formerKeys)
    this.#roomName = bytesToHex(config.conferenceId)
    this.#discovery = new Discovery(this.#self, {
      random: config.random,
      wants: (credential, keys) => this.#wants(credential, keys),
    })
    this.#lanes = new Lanes(() => this.#drop("a signer or checker failed"))
    this.#presence = new Presence({
      mesh: config,
      scope: this.#scope,
      keyring: this.#keyring,
      room: this.#roomName,
      lanes: this.#lanes,
      onEntry: () => this.#discover({ type: "entered" }),
      onDropped: (reason) => this.#drop(reason),
    })
    this.#connections = new Connections({
      mesh: config,
      scope: this.#scope,
      keyring: this.#keyring,
      lanes: this.#lanes,
      nowMs: () => this.#now,
      onSignal: (to, signal) => this.#signal(to, signal),
      onChange: (change) => this.#discover(change),
      onDropped: (reason) => this.#drop(reason),
      onOpened: (connection) => this.#detours.opened(connection),
      onCircuit: (command) => this.#detours.post(command),
      onControl: (from, control, isDirect) => this.#detours.handle(from, control, isDirect),
      onDirectEnded: (member) => this.#detours.directEnded(member),
      onWaiting: (member) => this.#greet(member),
      onDown: (member) => this.#detours.forget(member),
      onPath: (member) => this.#detours.retell(member),
      emit: (output) => this.#emit(output),
    })
    this.#detours = new Detours({
      mesh: config,
      room: this.#roomName,
      lanes: this.#lanes,
      discovery: this.#discovery,
      connections: this.#connections,
      nextAttempt: () => ++this.#attempts,
      nowMs: () => this.#now,
      onDropped: (reason) => this.#drop(reason),
      onBadCertificate: (from) =>
        this.#security("bad-credential", from, "it passed on a certificate that is not valid"),
    })
    this.#reception = new Reception({
      scope: this.#scope,
      keyring: this.#keyring,
      ownCertificate: config.signer.certificate,
      incarnation: config.incarnation,
      credentials: config.credentials,
      admits: (credential, keys) => config.admits(credential, keys),
      lanes: this.#lanes,
      contact: (member) => this.#discovery.contact(member),
      contactOfCertificate: (certificate) => this.#discovery.contactOf(certificate),
      onCard: (credential, card, keys, fresh) => {
        if (credential.member === this.#self) return this.#onOwnCard(card.incarnation)
        this.#discover({ type: "card", credential, card, keys, fresh })
        const { member: peer } = credential
        if (fresh) this.#connections.greeted(peer, card.incarnation)
        if (this.#discovery.contact(peer)) this.#emit({ type: "contact", peer, credential, keys, greeted: fresh })
      },
      onSignal: (contact, signal) => this.#handleSignal(contact, signal),
      onDropped: (reason) => this.#drop(reason),
      onSecurity: (code, member, detail) => this.#security(code, member, detail),
    })
  }

  /** How often what was dropped silently, by reason. For diagnosis. */
  get dropped(): ReadonlyMap<string, number> {
    return this.#dropped
  }

  /** Any event of the host; those of other conferences and links are ignored. */
  handle(event: HostEvent): void {
    if (this.#closed) return
    if ("link" in event) this.#connections.handlePeer(event)
    else if (event.server === this.#config.server) this.#handleBootstrap(event)
  }

  /** `nowMs` never falls. */
  tick(nowMs: number): void {
    this.#nowMs = nowMs
    if (this.#closed) return
    this.#presence.tick(this.#config.isMissing?.() ?? this.#discovery.isMissing(nowMs), nowMs)
    this.#connections.tick()
    this.#detours.tick(nowMs)
    this.#discover({ type: "tick" })
  }

  /**
   * Messages of one turn travel together. Without a link to `to` the message is lost.
   * @returns false if it was not taken: no link, or payload where much is waiting already
   * @throws RangeError for more than `MESSAGE_BYTES_MAX` bytes (4 MiB)
   */
  send(to: MemberId, bytes: Uint8Array, { lane = "reliable", payload = false }: MeshSendOptions = {}): boolean {
    if (bytes.length > MESSAGE_BYTES_MAX)
      throw new RangeError(`a message over a link has at most ${MESSAGE_BYTES_MAX} bytes`)
    return this.#connections.send(to, bytes, lane, payload)
  }

  /** So much is under way to `to` that a sender should wait for `ready`. */
  congested(to: MemberId): boolean {
    return this.#connections.table.congested(to)
  }

  /** The same for what nobody waits for: it leaves half of what may be under way to what is said. */
  halfCongested(to: MemberId): boolean {
    return this.#connections.table.halfCongested(to)
  }

  /** Above so many bytes under way a member is congested; null without a link. */
  windowBytes(to: MemberId): number | null {
    return this.#connections.table.windowBytes(to)
  }

  /** There is another invitation; the bearers of former ones are still heard. */
  useKeys(current: InvitationKeys, former: readonly InvitationKeys[]): void {
    this.#keyring.replace(current, former)
    this.announce()
  }

  /** Tells the room at once that this member is here: somebody who turned it away may think better of it now. */
  announce(): void {
    if (!this.#closed) this.#presence.announce()
  }

  /** Ends the link with a member that `admits` would not take any more. */
  expel(member: MemberId, reason: string): void {
    if (this.#closed) return
    this.#connections.evict(member, reason)
    this.#discovery.forget(member)
  }

  /** Members that are linked, or that the room has told of lately; this one not included. */
  get contactCount(): number {
    return this.#discovery.count(this.#now)
  }

  /** Through the room, to a contact; lost if there is none. It is told first who speaks, unless it knows. */
  signal(to: MemberId, bytes: Uint8Array): void {
    const { entry } = this.#presence
    if (this.#closed || entry === null || !this.#discovery.contact(to)) return
    if (this.#discovery.greet(to, this.#now)) this.#greet(to)
    this.#signal(to, { kind: "neighbour", bytes })
  }

  /** Ends the link with a member that goes on without it. Another is made when it is wanted again. */
  part(member: MemberId): void {
    if (!this.#closed) this.#connections.part(member, "not a neighbour any more")
  }

  /**
   * Of a member that another has told of: the certificate that is known here, or that a neighbour hands over, validated.
   * Null if it has none to hand over, or takes too long, or hands over a bad one.
   */
  certificateOf(member: MemberId, from: MemberId): Promise<Credential | null> {
    return this.#closed ? Promise.resolve(null) : this.#detours.certificateOf(member, from)
  }

  #wants(credential: Credential, keys: InvitationKeys | null): boolean {
    return this.#config.wants?.(credential, keys) ?? true
  }

  /** Bytes sent to `to` that it is not known to hold; 0 without a link. */
  bufferedBytes(to: MemberId): number {
    return this.#connections.table.unackedBytes(to)
  }

  /** Sends what is queued, closes every connection and leaves the room. Nothing is emitted afterwards. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#connections.close()
    this.#presence.leave()
  }

  get #now(): number {
    if (this.#nowMs === null) throw new Error("call Mesh.tick(nowMs) once before handing it events")
    return this.#nowMs
  }

  #handleBootstrap(event: BootstrapEvent): void {
    if (event.type === "bootstrap-state" || event.type === "bootstrap-reply") {
      this.#presence.handle(event, this.#now)
      if (event.type === "bootstrap-state") this.#emit({ type: "server", state: event.state })
      return
    }
    const { entry } = this.#presence
    if (event.room !== this.#roomName || entry === null) return
    if (event.type === "room-advertisement") this.#reception.handleAdvertisement(event.from, event.advertisement)
    else
      this.#reception.handleEnvelope(entry.envelopes, () => this.#presence.entry === entry, event.from, event.envelope)
  }

  #discover(input: DiscoveryInput): void {
    if (this.#closed) return
    for (const output of this.#discovery.step(input, this.#now)) {
      if (output.type === "connect") this.#offer(output.member)
      else if (output.type === "evict") this.#connections.evict(output.member, "a newer incarnation has come")
      else this.#greet(output.member)
    }
  }

  /** With two lives of one member the later one stays: nobody hears the other any more. */
  #onOwnCard(incarnation: number): void {
    if (incarnation > this.#config.incarnation) this.#emit({ type: "superseded" })
    else this.#drop("card: of a former life of this member")
  }

  #greet(member: MemberId): void {
    const { entry } = this.#presence
    if (entry !== null) this.#signal(member, { kind: "hello", card: entry.card })
  }

  #signal(to: MemberId, signal: Signal): void {
    this.#presence.signal(to, (member) => this.#discovery.contact(member), signal)
  }

  #handleSignal(contact: Readonly<Contact>, signal: Exclude<Signal, { readonly kind: "hello" }>): void {
    if (this.#closed) return
    const { member } = contact.credential
    const { credential, keys } = contact
    this.#connections.heardOf(member, contact.card.incarnation)
    if (signal.kind === "neighbour") {
      return this.#emit({ type: "signal", peer: member, credential, keys, bytes: signal.bytes })
    }
    if (!this.#wants(credential, keys)) return this.#drop("signal: of somebody who is no neighbour")
    if (signal.kind === "relay") return this.#detours.handleSignal(contact, signal.attempt)
    const connection = this.#connections.table.get(member, "webrtc")
    const current = connection?.config.peerIncarnation === contact.card.incarnation ? connection : undefined
    if (current?.config.attempt === signal.attempt) return this.#connections.handleSignal(member, signal)
    if (signal.kind !== "description" || signal.type !== "offer" || member > this.#self)
      return this.#drop("signal: of no attempt")
    if (!this.#discovery.isNewAttempt(member, signal.attempt)) return this.#drop("signal: of a former attempt")
    if (!this.#discovery.mayOffer(member, this.#now)) return this.#drop("signal: offers too often")
    if (connection === undefined && this.#discovery.halfOpen >= HALF_OPEN_MAX)
      return this.#drop("signal: too many half-open connections")
    // The offerer has given up the former connection, or it would not have made another attempt.
    this.#open(contact, "responder", signal.attempt)
    this.#connections.handleSignal(member, signal)
  }

  #offer(member: MemberId): void {
    const contact = this.#discovery.contact(member)
    if (contact === undefined) return
    this.#open(contact, "initiator", ++this.#attempts)
  }

  #open({ credential, card: { incarnation } }: Readonly<Contact>, role: Role, attempt: number): void {
    const carrier = { type: "webrtc", iceServers: this.#config.iceServers } as const
    if (this.#connections.table.newestLife(credential.member) > incarnation) {
      // A later life has come over others before its card did.
      return this.#discover({ type: "connection", member: credential.member, state: "gone", linked: true })
    }
    this.#connections.open({ credential, incarnation, role, attempt, carrier })
  }

  #drop(reason: string): void {
    this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + 1)
  }

  #security(code: SecurityCode, member: MemberId | null, detail: string): void {
    this.#emit({ type: "security", code, member, detail })
  }

  #emit(output: MeshOutput): void {
    if (!this.#closed) this.#config.emit(output)
  }
}
