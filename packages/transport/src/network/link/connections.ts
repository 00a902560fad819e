import type { PeerEvent, Reliability } from "../../port/port.ts"
import type { MemberId } from "../../members/ids.ts"
import { Connection } from "../path/connection.ts"
import type { ConnectionInput, ConnectionOutput, Opening } from "../path/connection-io.ts"
import { ConnectionTable, type ConnectedMember } from "./connection-table.ts"
import type { Control } from "../messages/control.ts"
import { describeFailure } from "../shared/failures.ts"
import type { MeshOutput } from "../shared/config.ts"
import { connectionEvent } from "../shared/network-trace.ts"
import { Endings } from "./endings.ts"
import type { MeshBase } from "../base/mesh-base.ts"
import type { Signal } from "../messages/signal.ts"
import type { ResumableLinkOutput, SessionRefusal } from "./link-io.ts"
import { sessionNonce } from "./reliable-session.ts"
import { ResumableLink } from "./resumable-link.ts"

/** Owns the connections with all members, executes their outputs, and combines those of one member into one link. */
export class Connections {
  readonly table = new ConnectionTable()
  readonly endings: Endings
  readonly #base: MeshBase
  /** Connections with something to send. */
  readonly #unflushed = new Set<Connection>()
  /** Links made so far. One mesh is one incarnation. */
  #sessions = 0

  constructor(base: MeshBase) {
    this.#base = base
    this.endings = new Endings(base, this.table)
  }

  /** Sends over the link on its current path. Returns false if the link is not up. */
  sendControl(to: MemberId, control: Control): boolean {
    const link = this.table.link(to)
    link?.sendControl(control)
    return link?.path != null
  }

  /** See `Mesh.nextTickMs`. Keys of connections expire after minutes, so their ticks may come late. */
  get isCalm(): boolean {
    const isUp = [...this.table.byId.values()].every(({ up }) => up)
    return isUp && [...this.table.members.values()].every(({ link }) => link.isCalm)
  }

  tick(): void {
    for (const connection of this.table.byId.values()) {
      const heardBytes = connection.hearing.take()
      if (heardBytes > 0) {
        const { nowMs } = this.#base.clock
        const { member } = connection.config.peer
        this.table.linkOf(connection)?.heard(connection, nowMs, connection.hearing.takeShowing(nowMs))
        // A member sends most messages to all its neighbours, so its line carries them once for each.
        this.table.link(member)?.deadline.delayedBy(heardBytes * this.table.members.size)
        this.#delayOthers(member, heardBytes)
        this.#base.sink.take({ type: "alive", peer: member })
      }
      this.#step(connection, { type: "tick" })
    }
    for (const [id, member] of this.table.members) {
      const downFor = member.link.tick(this.#base.clock.nowMs)
      if (downFor === null) continue
      // A connection that is nearly made would have to be made anew. It carries the next link.
      const answered = new Map([...member.connections].filter(([, connection]) => connection.answered))
      this.endings.giveUp(id, downFor, answered.size > 0 ? this.#newMember(member, answered) : null)
    }
  }

  /** Handles an authenticated signal of the current attempt. */
  handleSignal(member: MemberId, signal: Signal & { readonly kind: "description" | "candidate" }): void {
    const connection = this.table.get(member, "webrtc")
    if (connection) this.#step(connection, { type: "signal", signal })
  }

  /** Repeats what the other end may have missed. */
  repeat(connection: Connection): void {
    this.#step(connection, { type: "repeat" })
  }

  handlePeer(event: PeerEvent): void {
    const connection = this.table.byId.get(event.connectionId)
    if (connection) this.#step(connection, { type: "peer", event })
  }

  /**
   * Queues a message, which leaves with the others of this turn. Returns false if it was refused. Without a link it is
   * lost.
   */
  send(to: MemberId, bytes: Uint8Array, reliability: Reliability, payload: boolean): boolean {
    const member = this.table.members.get(to)
    if (!member?.link.up) return false
    const sent = member.link.send(bytes, reliability, payload)
    if (sent === null) this.endings.giveUp(to, "it took too little for too long")
    if (sent) this.#delayOthers(to, bytes.length)
    return sent === true
  }

  /** Bytes to or from a member delay the others: they share the line of this device, or get the same bytes over theirs. */
  #delayOthers(member: MemberId, bytes: number): void {
    for (const [id, { link }] of this.table.members) if (id !== member) link.deadline.delayedBy(bytes)
  }

  /** Begins an attempt. It replaces the former one of its place, and every connection to a former incarnation. */
  open(opening: Opening): void {
    const { peer: credential, peerIncarnation: incarnation, attempt, carrier } = opening
    const id = credential.member
    if (this.#base.ignored.has(id, incarnation)) {
      if (carrier.type === "webrtc")
        this.#base.sink.take({ type: "connection", member: id, state: "gone", linked: true })
      return
    }
    const known = this.table.members.get(id)
    if (known && known.incarnation !== incarnation)
      this.endings.forget(id, "a newer incarnation of this member has come")
    const member = this.table.members.get(id) ?? this.#newMember({ credential, incarnation })
    const former = member.connections.get(carrier.type)
    if (former) this.endings.end(former, "replaced by a newer connection")
    const connection = new Connection(this.#base, opening)
    // Dropping the replaced connection may have removed a known member.
    this.table.members.set(id, member)
    member.connections.set(carrier.type, connection)
    this.table.byId.set(connection.config.id, connection)
    if (carrier.type === "webrtc")
      this.#base.sink.take({ type: "connection", member: id, state: "half-open", incarnation, attempt })
    this.#trace(connection, "connection-opened")
    for (const output of connection.start()) this.#act(connection, output)
  }

  #newMember(
    { credential, incarnation }: Pick<ConnectedMember, "credential" | "incarnation">,
    connections: ConnectedMember["connections"] = new Map(),
  ): ConnectedMember {
    const nonce = sessionNonce(++this.#sessions, this.#base.mesh.random.bytes(8))
    const link = new ResumableLink(nonce, (output) => this.#handleLink(member, output))
    const member: ConnectedMember = { credential, incarnation, link, keys: null, features: [], connections }
    return member
  }

  #handleLink(member: ConnectedMember, output: ResumableLinkOutput): void {
    if (output.type === "dirty") this.#flushSoon(output.connection)
    else if (output.type === "close" || output.type === "nudge") this.#step(output.connection, output)
    else this.#base.sink.take(linkEvent(member, output))
  }

  /** Frames queued in one turn leave together at its end. */
  #flushSoon(connection: Connection): void {
    if (this.#unflushed.size === 0) void Promise.resolve().then(() => this.#flush())
    this.#unflushed.add(connection)
  }

  #flush(): void {
    const connections = [...this.#unflushed]
    this.#unflushed.clear()
    for (const connection of connections) this.#step(connection, { type: "flush" })
  }

  #trace({ config }: Connection, event: "connection-opened" | "connection-up"): void {
    this.#base.sink.take({ type: "traced", event: connectionEvent(config, { event }) })
  }

  /**
   * Every change of a link's state passes here, so no exception leaves the handling of that link. That link ends, and
   * the others continue.
   *
   * A member is ignored only for what it sent itself, over its own connection or under its seal. On a relayed link the
   * server could have forged the rest.
   */
  #step(connection: Connection, input: ConnectionInput): void {
    const isDirect = connection.config.carrier.type === "webrtc"
    let isItsOwn = isDirect
    try {
      for (const output of connection.step(input, this.#base.clock.nowMs)) {
        isItsOwn ||= output.type === "message" || output.type === "control"
        this.#act(connection, output)
      }
    } catch (error) {
      this.#contain(connection, isItsOwn, error)
    }
  }

  #contain(connection: Connection, isItsOwn: boolean, error: unknown): void {
    const { peer, peerIncarnation } = connection.config
    const { member } = peer
    const detail = describeFailure(error)
    this.endings.abandon(connection)
    if (isItsOwn) this.endings.ignore(member, peerIncarnation, detail)
    this.#base.sink.take({ type: "security", code: "handling-failed", member: isItsOwn ? member : null, detail })
  }

  #act(connection: Connection, output: ConnectionOutput): void {
    switch (output.type) {
      case "post":
        return this.#base.mesh.host.post(output.command)
      case "signal":
        return this.#base.sink.take({ type: "sendSignal", to: connection.config.peer.member, signal: output.signal })
      case "dropped":
        return this.#base.faults.drop(`signal: ${output.reason}`)
      case "sign":
        return this.#sign(connection, output.bytes)
      case "verify":
        return this.#verify(connection, output.bytes, output.signature)
      case "proved":
        return this.table.linkOf(connection)?.established(connection)
      case "up":
        return this.#handleUp(connection, output)
      case "message": {
        const link = this.table.linkOf(connection)
        return this.#refuseIf(connection, link?.handleMessage(connection, output.bytes, output.reliability))
      }
      case "control":
        return this.#handleControl(connection, output.control)
      case "ended":
        return this.#handleEnded(connection, output)
    }
  }

  #handleUp(connection: Connection, { keys, features }: ConnectionOutput & { readonly type: "up" }): void {
    const { peerIncarnation: incarnation, peer, attempt, carrier } = connection.config
    this.#trace(connection, "connection-up")
    if (carrier.type === "webrtc")
      this.#base.sink.take({ type: "connection", member: peer.member, state: "up", incarnation, attempt })
    const member = this.table.members.get(peer.member)
    if (member) Object.assign(member, { keys, features })
  }

  #handleControl(connection: Connection, control: Control): void {
    switch (control.kind) {
      case "resume":
      case "start":
      case "ack":
      case "over":
      case "bye": {
        const result = this.table.linkOf(connection)?.handleControl(connection, control, this.#base.clock.nowMs)
        if (control.kind === "ack" && !result)
          this.#base.sink.take({ type: "acknowledged", peer: connection.config.peer.member })
        if (result === "bye") this.endings.giveUp(connection.config.peer.member, "closed by the other side")
        else this.#refuseIf(connection, result)
        return
      }
      case "certificateRequest":
      case "certificate":
        return this.#base.sink.take({ type: "control", from: connection.config.peer.member, control })
      case "formerNeighbours":
      case "formerRelay":
        return
    }
  }

  #refuseIf(connection: Connection, detail: SessionRefusal | null | undefined): void {
    if (detail) this.#step(connection, { type: "refuse", detail })
  }

  #handleEnded(connection: Connection, ended: ConnectionOutput & { type: "ended" }): void {
    const { carrier, peer } = connection.config
    this.endings.drop(connection, ended.ending, ended.reason)
    if (carrier.type === "webrtc") this.endings.reportGone(peer.member)
    if (this.table.link(peer.member)?.waiting) this.#base.sink.take({ type: "waiting", member: peer.member })
    if (ended.security === null) return
    // The server may omit frames without being noticed otherwise, for instance when it restarts.
    const isOmission = carrier.type === "server" && ended.security.detail === "gap"
    if (isOmission) return this.#base.faults.drop("relayed link: gap")
    this.#base.sink.take({ type: "security", ...ended.security })
    // On a direct link only the member itself can do this, or an attacker that has broken DTLS. So there is no grace
    // time.
    if (carrier.type === "webrtc") this.endings.forget(peer.member, ended.reason)
  }

  // Signatures for the associations. Each connection has a lane, so its answers keep their order.

  #sign(connection: Connection, bytes: Uint8Array): void {
    this.#base.lanes.run(`sign ${connection.config.id}`, async () => {
      const signature = await this.#base.mesh.signer.sign(bytes)
      this.#step(connection, { type: "signed", signature })
    })
  }

  #verify(connection: Connection, bytes: Uint8Array, signature: Uint8Array): void {
    this.#base.lanes.run(`verify ${connection.config.id}`, async () => {
      const ok = await this.#base.mesh.credentials.verify(connection.config.peer.publicKey, bytes, signature)
      this.#step(connection, { type: "verified", ok })
    })
  }
}

/** Output of the mesh for an output of the link of a member. */
function linkEvent(
  { credential, incarnation, keys, features }: ConnectedMember,
  output: Exclude<ResumableLinkOutput, { readonly type: "close" | "nudge" | "dirty" }>,
): MeshOutput {
  const peer = credential.member
  switch (output.type) {
    case "up":
      return { type: "linkUp", peer, incarnation, credential, keys: keys!, features }
    case "reset":
      return { type: "linkDown", peer, reason: "the peer has lost its state" }
    case "message":
      return { type: "frame", peer, bytes: output.bytes }
    case "path":
    case "ready":
    case "obstructed":
      return { ...output, peer }
  }
}
