import type { Credential } from "../credentials.ts"
import type { Lane, LinkNumber, PeerCommand, PeerEvent } from "../host/port.ts"
import type { MemberId } from "../ids.ts"
import type { MeshConfig, MeshOutput } from "./config.ts"
import { Connection, type Carrier, type ConnectionInput, type ConnectionOutput, type Ending } from "./connection.ts"
import type { Control, Neighbour } from "./control.ts"
import type { DiscoveryInput } from "./discovery.ts"
import type { InvitationKeys, Keyring } from "./keyring.ts"
import type { Lanes } from "./lanes.ts"
import { Peering, type LinkPath, type PairRefusal } from "./peering.ts"
import type { Scope } from "./scope.ts"
import type { Signal } from "./signal.ts"
import type { Role } from "./transcript.ts"

export type ConnectionsConfig = {
  readonly mesh: MeshConfig
  readonly scope: Scope
  readonly keyring: Keyring
  readonly lanes: Lanes
  nowMs(): number
  onSignal(to: MemberId, signal: Signal): void
  onChange(change: DiscoveryInput & { readonly type: "connection" }): void
  onDropped(reason: string): void
  /** A connection through other members: `onCircuit` is its host. */
  onOpened(connection: Connection): void
  onCircuit(command: PeerCommand): void
  /** What is not about the pair itself. */
  onControl(from: MemberId, control: Control & { readonly kind: DetourKind }, isDirect: boolean): void
  onDirectEnded(member: MemberId): void
  onDown(member: MemberId): void
  onPath(member: MemberId): void
  emit(output: MeshOutput): void
}

type DetourKind = "neighbours" | "relay" | "certificateRequest" | "certificate"

/** Whom a connection is to be made with, and how. */
export type Opening = {
  readonly credential: Credential
  readonly incarnation: number
  readonly role: Role
  readonly attempt: number
  readonly carrier: Carrier
}

/** One life of one member: at most one connection of each kind, and the link that they carry together. */
type Member = {
  readonly credential: Credential
  readonly incarnation: number
  readonly peering: Peering
  /** The newest that it has proved to hold; null before its first association. */
  keys: InvitationKeys | null
  readonly connections: Map<Carrier["type"], Connection>
}

/** The connections with every member; carries out what they ask for, and makes one link of those with one member. */
export class Connections {
  readonly #config: ConnectionsConfig
  readonly #members = new Map<MemberId, Member>()
  readonly #ofLink = new Map<LinkNumber, Connection>()
  readonly #unflushed = new Set<Connection>()

  constructor(config: ConnectionsConfig) {
    this.#config = config
  }

  get(member: MemberId, carrier: Carrier["type"]): Connection | undefined {
    return this.#members.get(member)?.connections.get(carrier)
  }

  /** Bytes sent to the member that it is not known to hold. */
  unackedBytes(member: MemberId): number {
    return this.#members.get(member)?.peering.unackedBytes ?? 0
  }

  congested(member: MemberId): boolean {
    return this.#members.get(member)?.peering.congested ?? false
  }

  halfCongested(member: MemberId): boolean {
    return this.#members.get(member)?.peering.halfCongested ?? false
  }

  credentialOf(member: MemberId): Credential | undefined {
    return this.#members.get(member)?.credential
  }

  /** Of the lives of a member that there are connections with; 0 if none. */
  newestLife(member: MemberId): number {
    return this.#members.get(member)?.incarnation ?? 0
  }

  pathOf(member: MemberId): LinkPath | null {
    return this.#members.get(member)?.peering.path ?? null
  }

  linked(): MemberId[] {
    return [...this.#members].filter(([, { peering }]) => peering.up && peering.path !== null).map(([member]) => member)
  }

  /** Members with a direct connection, in order. */
  direct(): Neighbour[] {
    return [...this.#members]
      .filter(([, { connections }]) => connections.get("webrtc")?.up)
      .map(([member, { incarnation }]) => ({ member, incarnation }))
      .sort((a, b) => (a.member < b.member ? -1 : 1))
  }

  isHalfOpen(member: MemberId, carrier: Carrier["type"]): boolean {
    return this.get(member, carrier)?.up === false
  }

  get relaysHalfOpen(): number {
    return [...this.#ofLink.values()].filter(({ up, config }) => !up && config.carrier.type !== "webrtc").length
  }

  /** Over the link, whichever way it goes; false if it is not up. */
  sendControl(to: MemberId, control: Control): boolean {
    this.#members.get(to)?.peering.sendControl(control)
    return this.pathOf(to) !== null
  }

  /** Over the direct connection only; false if there is none. */
  sendDirect(to: MemberId, control: Control): boolean {
    const connection = this.get(to, "webrtc")
    if (!connection?.up) return false
    connection.control(control)
    this.#flushLater(connection)
    return true
  }

  tick(): void {
    for (const connection of this.#ofLink.values()) {
      if (connection.takeHeard()) this.#config.emit({ type: "alive", peer: connection.config.peer.member })
      this.#step(connection, { type: "tick" })
    }
    for (const [id, member] of this.#members) {
      const downFor = member.peering.tick(this.#config.nowMs())
      if (downFor !== null) this.#giveUp(id, downFor)
    }
  }

  /** A signal of a present attempt, authenticated. */
  handleSignal(member: MemberId, signal: Signal & { readonly kind: "description" | "candidate" }): void {
    const connection = this.get(member, "webrtc")
    if (connection) this.#step(connection, { type: "signal", signal })
  }

  handlePeer(event: PeerEvent): void {
    const connection = this.#ofLink.get(event.link)
    if (connection) this.#step(connection, { type: "peer", event })
  }

  /** Goes out with everything else of this turn. False if it was turned away; without a link it is lost. */
  send(to: MemberId, bytes: Uint8Array, lane: Lane, payload: boolean): boolean {
    const member = this.#members.get(to)
    if (!member?.peering.up) return false
    const sent = member.peering.send(bytes, lane, payload)
    if (sent === null) this.#giveUp(to, "it took too little for too long")
    return sent === true
  }

  /** Says goodbye, sends what is queued and closes every connection; reports nothing. */
  close(): void {
    for (const { peering } of this.#members.values()) peering.bye()
    // Relayed ones first: their last words go over direct ones.
    const connections = [...this.#ofLink.values()]
    const isDirect = ({ config }: Connection): boolean => config.carrier.type === "webrtc"
    for (const connection of [...connections.filter((each) => !isDirect(each)), ...connections.filter(isDirect)]) {
      for (const output of connection.step({ type: "close", reason: "closed" }, this.#config.nowMs())) {
        if (output.type === "post") this.#post(connection, output.command)
      }
    }
    this.#members.clear()
    this.#ofLink.clear()
    this.#unflushed.clear()
  }

  /** Begins an attempt, in the place of a former connection of its kind and of every connection to a former life. */
  open({ credential, incarnation, role, attempt, carrier }: Opening): void {
    const { mesh, scope, keyring, nowMs, onChange } = this.#config
    const id = credential.member
    const known = this.#members.get(id)
    if (known && known.incarnation !== incarnation) this.#forget(id, "another life of this member has come")
    const member = this.#members.get(id) ?? this.#addMember(credential, incarnation)
    const former = member.connections.get(carrier.type)
    if (former) this.#end(former, "replaced by a newer connection")
    const connection = new Connection(
      {
        link: mesh.nextLink(),
        scope,
        invitations: keyring.all,
        role,
        attempt,
        own: { certificate: mesh.signer.certificate, incarnation: mesh.incarnation },
        peer: credential,
        peerIncarnation: incarnation,
        carrier,
        random: mesh.random,
        hopCipher: mesh.hopCipher,
      },
      nowMs(),
    )
    // Ending the former one may have ended all there was.
    this.#members.set(id, member)
    member.connections.set(carrier.type, connection)
    this.#ofLink.set(connection.config.link, connection)
    if (carrier.type === "webrtc")
      onChange({ type: "connection", member: id, state: "half-open", incarnation, attempt })
    this.#act(connection, connection.start())
    this.#config.onOpened(connection)
  }

  /** Ends every connection with a member that gives way to another life of it: no failure, so no back-off. */
  evict(member: MemberId, reason: string): void {
    this.#forget(member, reason)
  }

  #addMember(credential: Credential, incarnation: number): Member {
    const peer = credential.member
    const { emit, mesh } = this.#config
    const peering = new Peering({
      nonce: mesh.random(16),
      onUp: () => emit({ type: "linkUp", peer, incarnation, credential, keys: member.keys! }),
      onReset: () => emit({ type: "linkDown", peer, reason: "the other side has lost its state" }),
      onPath: (path) => {
        this.#config.onPath(peer)
        emit({ type: "path", peer, path })
      },
      onMessage: (bytes) => emit({ type: "frame", peer, bytes }),
      onReady: () => emit({ type: "ready", peer }),
      close: (connection, reason) => this.#step(connection, { type: "close", reason }),
      dirty: (connection) => this.#flushLater(connection),
    })
    const member: Member = { credential, incarnation, peering, keys: null, connections: new Map() }
    this.#members.set(peer, member)
    return member
  }

  /** As a connection that failed, so that another is made in time. */
  #giveUp(id: MemberId, reason: string): void {
    const isDirect = this.get(id, "webrtc") !== undefined
    this.#forget(id, reason)
    if (isDirect) this.#tellGone(id)
  }

  #tellGone(member: MemberId): void {
    const linked = this.#members.get(member)?.peering.path != null
    this.#config.onChange({ type: "connection", member, state: "gone", linked })
  }

  /** The link goes down now, if it was up. */
  #forget(id: MemberId, reason: string): void {
    const member = this.#members.get(id)
    if (!member) return
    this.#members.delete(id)
    for (const connection of member.connections.values()) this.#end(connection, reason)
    this.#config.onDown(id)
    if (member.peering.up) this.#config.emit({ type: "linkDown", peer: id, reason })
  }

  #post(connection: Connection, command: PeerCommand): void {
    if (connection.config.carrier.type === "members") this.#config.onCircuit(command)
    else this.#config.mesh.post(command)
  }

  /** Closes a connection without the failure of an attempt, and says nothing of it. */
  #end(connection: Connection, reason: string): void {
    const outputs = connection.step({ type: "close", reason }, this.#config.nowMs())
    this.#drop(connection, "failure", reason)
    for (const output of outputs) if (output.type === "post") this.#post(connection, output.command)
  }

  #drop(connection: Connection, ending: Ending, reason: string): void {
    const { link, carrier, peer } = connection.config
    this.#ofLink.delete(link)
    this.#unflushed.delete(connection)
    const member = this.#members.get(peer.member)
    if (member?.connections.get(carrier.type) !== connection) return
    member.connections.delete(carrier.type)
    member.peering.ended(connection, ending, reason, this.#config.nowMs())
    if (carrier.type === "webrtc") this.#config.onDirectEnded(peer.member)
    if (member.connections.size === 0 && member.peering.over) this.#members.delete(peer.member)
  }

  #step(connection: Connection, input: ConnectionInput): void {
    this.#act(connection, connection.step(input, this.#config.nowMs()))
  }

  #act(connection: Connection, outputs: readonly ConnectionOutput[]): void {
    for (const output of outputs) {
      switch (output.type) {
        case "post":
          this.#post(connection, output.command)
          break
        case "signal":
          this.#config.onSignal(connection.config.peer.member, output.signal)
          break
        case "dropped":
          this.#config.onDropped(`signal: ${output.reason}`)
          break
        case "sign":
          this.#sign(connection, output.bytes)
          break
        case "verify":
          this.#verify(connection, output.bytes, output.signature)
          break
        case "up":
          this.#handleUp(connection, output.keys)
          break
        case "message":
          this.#refuseIf(connection, this.#peeringOf(connection)?.handleMessage(connection, output.bytes, output.lane))
          break
        case "control":
          this.#handleControl(connection, output.control)
          break
        case "ended":
          this.#handleEnded(connection, output)
          break
      }
    }
  }

  #peeringOf(connection: Connection): Peering | undefined {
    const member = this.#members.get(connection.config.peer.member)
    return member?.connections.get(connection.config.carrier.type) === connection ? member.peering : undefined
  }

  #sign(connection: Connection, bytes: Uint8Array): void {
    this.#run(`sign ${connection.config.link}`, async () => {
      const signature = await this.#config.mesh.signer.sign(bytes)
      this.#step(connection, { type: "signed", signature })
    })
  }

  #verify(connection: Connection, bytes: Uint8Array, signature: Uint8Array): void {
    this.#run(`verify ${connection.config.link}`, async () => {
      const ok = await this.#config.mesh.credentials.verify(connection.config.peer.publicKey, bytes, signature)
      this.#step(connection, { type: "verified", ok })
    })
  }

  #handleUp(connection: Connection, keys: InvitationKeys): void {
    const { peerIncarnation: incarnation, peer, attempt, carrier } = connection.config
    if (carrier.type === "webrtc")
      this.#config.onChange({ type: "connection", member: peer.member, state: "up", incarnation, attempt })
    const member = this.#members.get(peer.member)
    if (member) member.keys = keys
    this.#peeringOf(connection)?.established(connection)
  }

  #handleControl(connection: Connection, control: Control): void {
    switch (control.kind) {
      case "resume":
      case "start":
      case "ack":
      case "over":
      case "bye": {
        const result = this.#peeringOf(connection)?.handleControl(connection, control)
        if (control.kind === "ack" && !result)
          this.#config.emit({ type: "acknowledged", peer: connection.config.peer.member })
        if (result === "bye") this.#giveUp(connection.config.peer.member, "closed by the other side")
        else this.#refuseIf(connection, result)
        return
      }
      case "neighbours":
      case "relay":
      case "certificateRequest":
      case "certificate": {
        const { peer, carrier } = connection.config
        return this.#config.onControl(peer.member, control, carrier.type === "webrtc")
      }
    }
  }

  #refuseIf(connection: Connection, detail: PairRefusal | null | undefined): void {
    if (detail) this.#step(connection, { type: "refuse", detail })
  }

  #handleEnded(connection: Connection, ended: ConnectionOutput & { type: "ended" }): void {
    const { carrier, peer } = connection.config
    this.#drop(connection, ended.ending, ended.reason)
    if (carrier.type === "webrtc") this.#tellGone(peer.member)
    if (ended.security === null) return
    if (!isTold(carrier, ended.security.detail)) return this.#config.onDropped(`relayed link: ${ended.security.detail}`)
    this.#config.emit({ type: "security", member: peer.member, ...ended.security })
    // Nobody but the member itself, or who has broken DTLS, can do that on a direct link: no grace for it.
    if (carrier.type === "webrtc") this.#forget(peer.member, ended.reason)
  }

  #flushLater(connection: Connection): void {
    if (this.#unflushed.size === 0) void Promise.resolve().then(() => this.#flush())
    this.#unflushed.add(connection)
  }

  #flush(): void {
    const connections = [...this.#unflushed]
    this.#unflushed.clear()
    for (const connection of connections) this.#step(connection, { type: "flush" })
  }

  #run(lane: string, task: () => Promise<void>): void {
    if (!this.#config.lanes.run(lane, task)) this.#config.onDropped("too much at once")
  }
}

/** What proves a member's fault when others have carried it: they cannot make this up. */
const FAULTS_OF_THE_MEMBER: ReadonlySet<string> = new Set(["invitation-mismatch", "bad-signature", "bad-sequence"])

/** Whoever relays can lose and spoil what it likes, and gains nothing by it; that the server spoils it people should know. */
function isTold({ type }: Carrier, detail: string): boolean {
  return type === "webrtc" || (type === "server" && detail !== "gap") || FAULTS_OF_THE_MEMBER.has(detail)
}
