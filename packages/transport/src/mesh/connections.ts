import type { Credential } from "../credentials.ts"
import type { Lane, PeerCommand, PeerEvent } from "../host/port.ts"
import type { MemberId } from "../ids.ts"
import type { Connection, ConnectionInput, ConnectionOutput, Ending } from "./connection.ts"
import { ConnectionTable, type ConnectedMember } from "./connection-table.ts"
import type { ConnectionsConfig } from "./connections-config.ts"
import type { Control } from "./control.ts"
import type { InvitationKeys } from "./keyring.ts"
import { connectionFor, type Opening } from "./opening.ts"
import { Peering, type PairRefusal } from "./peering.ts"
import type { Signal } from "./signal.ts"
import { isTold } from "./told-faults.ts"

/** The connections with every member; carries out what they ask for, and makes one link of those with one member. */
export class Connections {
  readonly table = new ConnectionTable()
  readonly #config: ConnectionsConfig
  readonly #unflushed = new Set<Connection>()

  constructor(config: ConnectionsConfig) {
    this.#config = config
  }

  /** Over the link, whichever way it goes; false if it is not up. */
  sendControl(to: MemberId, control: Control): boolean {
    this.table.members.get(to)?.peering.sendControl(control)
    return this.table.pathOf(to) !== null
  }

  /** Over the direct connection only; false if there is none. */
  sendDirect(to: MemberId, control: Control): boolean {
    const connection = this.table.get(to, "webrtc")
    if (!connection?.up) return false
    connection.control(control)
    this.#flushLater(connection)
    return true
  }

  tick(): void {
    for (const connection of this.table.ofLink.values()) {
      if (connection.takeHeard()) this.#config.emit({ type: "alive", peer: connection.config.peer.member })
      this.#step(connection, { type: "tick" })
    }
    for (const [id, member] of this.table.members) {
      const downFor = member.peering.tick(this.#config.nowMs())
      if (downFor !== null) this.#giveUp(id, downFor)
    }
  }

  /** A signal of a present attempt, authenticated. */
  handleSignal(member: MemberId, signal: Signal & { readonly kind: "description" | "candidate" }): void {
    const connection = this.table.get(member, "webrtc")
    if (connection) this.#step(connection, { type: "signal", signal })
  }

  /** A life of a member has said something through the room. */
  heardOf(member: MemberId, incarnation: number): void {
    this.#peeringOf(member, incarnation)?.heardOf()
  }

  /** A life of a member has said hello through the room. */
  greeted(member: MemberId, incarnation: number): void {
    this.#peeringOf(member, incarnation)?.greeted(this.#config.nowMs())
  }

  #peeringOf(member: MemberId, incarnation: number): Peering | null {
    const known = this.table.members.get(member)
    return known?.incarnation === incarnation ? known.peering : null
  }

  handlePeer(event: PeerEvent): void {
    const connection = this.table.ofLink.get(event.link)
    if (connection) this.#step(connection, { type: "peer", event })
  }

  /** Goes out with everything else of this turn. False if it was turned away; without a link it is lost. */
  send(to: MemberId, bytes: Uint8Array, lane: Lane, payload: boolean): boolean {
    const member = this.table.members.get(to)
    if (!member?.peering.up) return false
    const sent = member.peering.send(bytes, lane, payload)
    if (sent === null) this.#giveUp(to, "it took too little for too long")
    return sent === true
  }

  /** Says goodbye, sends what is queued and closes every connection; reports nothing. */
  close(): void {
    for (const { peering } of this.table.members.values()) peering.bye()
    // Relayed ones first: their last words go over direct ones.
    const connections = [...this.table.ofLink.values()]
    const isDirect = ({ config }: Connection): boolean => config.carrier.type === "webrtc"
    for (const connection of [...connections.filter((each) => !isDirect(each)), ...connections.filter(isDirect)]) {
      for (const output of connection.step({ type: "close", reason: "closed" }, this.#config.nowMs())) {
        if (output.type === "post") this.#post(connection, output.command)
      }
    }
    this.table.members.clear()
    this.table.ofLink.clear()
    this.#unflushed.clear()
  }

  /** Begins an attempt, in the place of a former connection of its kind and of every connection to a former life. */
  open(opening: Opening): void {
    const { credential, incarnation, attempt, carrier } = opening
    const id = credential.member
    const known = this.table.members.get(id)
    if (known && known.incarnation !== incarnation) this.#forget(id, "another life of this member has come")
    const member = this.table.members.get(id) ?? this.#addMember(credential, incarnation)
    const former = member.connections.get(carrier.type)
    if (former) this.#end(former, "replaced by a newer connection")
    const connection = connectionFor(this.#config, opening)
    // Ending the former one may have ended all there was.
    this.table.members.set(id, member)
    member.connections.set(carrier.type, connection)
    this.table.ofLink.set(connection.config.link, connection)
    if (carrier.type === "webrtc")
      this.#config.onChange({ type: "connection", member: id, state: "half-open", incarnation, attempt })
    this.#act(connection, connection.start())
    this.#config.onOpened(connection)
  }

  /** Ends the link with a member that goes on without it, and is told so; another may be made when it is wanted again. */
  part(id: MemberId, reason: string): void {
    const member = this.table.members.get(id)
    if (!member) return
    const isDirect = member.connections.has("webrtc")
    member.peering.bye()
    this.#forget(id, reason)
    if (isDirect) this.#tellGone(id)
  }

  /** Ends every connection with a member that gives way to another life of it: no failure, so no back-off. */
  evict(member: MemberId, reason: string): void {
    this.#forget(member, reason)
  }

  #addMember(credential: Credential, incarnation: number): ConnectedMember {
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
    const member: ConnectedMember = { credential, incarnation, peering, keys: null, connections: new Map() }
    this.table.members.set(peer, member)
    return member
  }

  /** As a connection that failed, so that another is made in time. */
  #giveUp(id: MemberId, reason: string): void {
    const isDirect = this.table.get(id, "webrtc") !== undefined
    this.#forget(id, reason)
    if (isDirect) this.#tellGone(id)
  }

  #tellGone(member: MemberId): void {
    const linked = this.table.members.get(member)?.peering.path != null
    this.#config.onChange({ type: "connection", member, state: "gone", linked })
  }

  /** The link goes down now, if it was up. */
  #forget(id: MemberId, reason: string): void {
    const member = this.table.members.get(id)
    if (!member) return
    this.table.members.delete(id)
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
    this.table.ofLink.delete(link)
    this.#unflushed.delete(connection)
    const member = this.table.members.get(peer.member)
    if (member?.connections.get(carrier.type) !== connection) return
    member.connections.delete(carrier.type)
    member.peering.ended(connection, ending, reason, this.#config.nowMs())
    if (carrier.type === "webrtc") this.#config.onDirectEnded(peer.member)
    if (member.connections.size === 0 && member.peering.over) this.table.members.delete(peer.member)
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
        case "proved":
          this.table.peeringOf(connection)?.established(connection)
          break
        case "up":
          this.#handleUp(connection, output.keys)
          break
        case "message":
          this.#refuseIf(
            connection,
            this.table.peeringOf(connection)?.handleMessage(connection, output.bytes, output.lane),
          )
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
    const member = this.table.members.get(peer.member)
    if (member) member.keys = keys
  }

  #handleControl(connection: Connection, control: Control): void {
    switch (control.kind) {
      case "resume":
      case "start":
      case "ack":
      case "over":
      case "bye": {
        const result = this.table.peeringOf(connection)?.handleControl(connection, control)
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
    if (this.table.members.get(peer.member)?.peering.waiting) this.#config.onWaiting(peer.member)
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
