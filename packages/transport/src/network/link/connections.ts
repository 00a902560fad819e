import type { Credential } from "../../members/credentials.ts"
import type { Lane, PeerCommand, PeerEvent } from "../../port/port.ts"
import type { MemberId } from "../../members/ids.ts"
import type { Connection } from "../path/connection.ts"
import type { ConnectionInput, ConnectionOutput, Ending } from "../path/connection-io.ts"
import { ConnectionSignatures } from "./connection-signatures.ts"
import { ConnectionTable } from "./connection-table.ts"
import type { Control } from "../messages/control.ts"
import { describeFailure } from "../shared/failures.ts"
import { connectionEvent, type ConnectionChange } from "../shared/network-trace.ts"
import { firstPlace, linkEvent, type ConnectedMember } from "./connected-member.ts"
import { FlushQueue } from "./flush-queue.ts"
import { connectionFor, type Opening } from "./opening.ts"
import type { MeshBase } from "../base/mesh-base.ts"
import type { Signal } from "../messages/signal.ts"
import { ResumableLink, type LinkOutput, type SessionRefusal } from "./resumable-link.ts"
import { isReported } from "./reported-faults.ts"

/** Owns the connections with all members, executes their outputs, and combines those of one member into one link. */
export class Connections {
  readonly table = new ConnectionTable()
  readonly #base: MeshBase
  readonly #unflushed = new FlushQueue((connection) => this.#step(connection, { type: "flush" }))
  readonly #signatures: ConnectionSignatures

  constructor(base: MeshBase) {
    this.#base = base
    this.#signatures = new ConnectionSignatures(base, (connection, input) => this.#step(connection, input))
  }

  /** Sends over the link on its current path. Returns false if the link is not up. */
  sendControl(to: MemberId, control: Control): boolean {
    this.table.members.get(to)?.link.sendControl(control)
    return this.table.pathOf(to) !== null
  }

  /** Sends over the direct connection only. Returns false if there is none. */
  sendDirect(to: MemberId, control: Control): boolean {
    const connection = this.table.get(to, "webrtc")
    if (!connection?.up) return false
    connection.control(control)
    this.#unflushed.add(connection)
    return true
  }

  /** See `Mesh.nextTickMs`. Keys of connections expire after minutes, so their ticks may come late. */
  get isCalm(): boolean {
    const isUp = [...this.table.ofLink.values()].every(({ up }) => up)
    return isUp && [...this.table.members.values()].every(({ link }) => link.isCalm)
  }

  tick(): void {
    for (const connection of this.table.ofLink.values()) {
      if (connection.takeHeard()) {
        this.table.linkOf(connection)?.heard(connection, this.#base.clock.nowMs)
        this.#base.sink.take({ type: "alive", peer: connection.config.peer.member })
      }
      this.#step(connection, { type: "tick" })
    }
    for (const [id, member] of this.table.members) {
      const downFor = member.link.tick(this.#base.clock.nowMs)
      if (downFor === null) continue
      // A connection that is nearly made would have to be made anew. It carries the next link.
      const answered = [...member.connections.values()].filter((connection) => connection.answered)
      this.#giveUp(id, downFor, answered)
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
    const connection = this.table.ofLink.get(event.link)
    if (connection) this.#step(connection, { type: "peer", event })
  }

  /**
   * Queues a message, which leaves with the others of this turn. Returns false if it was refused. Without a link it is
   * lost.
   */
  send(to: MemberId, bytes: Uint8Array, lane: Lane, payload: boolean): boolean {
    const member = this.table.members.get(to)
    if (!member?.link.up) return false
    const sent = member.link.send(bytes, lane, payload)
    if (sent === null) this.#giveUp(to, "it took too little for too long")
    return sent === true
  }

  /** Says goodbye, flushes and closes every connection. Emits nothing. */
  close(): void {
    // Relayed links first: their goodbyes travel over direct links, which carry nothing after a goodbye of their own.
    const members = [...this.table.members.values()]
    const direct = members.filter(({ link }) => link.path === "direct")
    for (const { link } of members) if (link.path !== "direct") link.bye()
    const connections = [...this.table.ofLink.values()]
    const isDirect = ({ config }: Connection): boolean => config.carrier.type === "webrtc"
    for (const connection of connections) if (!isDirect(connection)) this.#closeNow(connection)
    for (const { link } of direct) link.bye()
    for (const connection of connections) if (isDirect(connection)) this.#closeNow(connection)
    this.table.members.clear()
    this.table.ofLink.clear()
    this.#unflushed.clear()
  }

  /** Begins an attempt. It replaces the former one of its place, and every connection to a former incarnation. */
  open(opening: Opening): void {
    const { credential, incarnation, attempt, carrier } = opening
    const id = credential.member
    if (this.#base.ignored.has(id, incarnation)) {
      if (carrier.type === "webrtc")
        this.#base.sink.take({ type: "connection", member: id, state: "gone", linked: true })
      return
    }
    const known = this.table.members.get(id)
    if (known && known.incarnation !== incarnation) this.#forget(id, "another life of this member has come")
    const member = this.table.members.get(id) ?? this.#addMember(credential, incarnation)
    const place = firstPlace(opening)
    const former = member.connections.get(place)
    if (former) this.#end(former, "replaced by a newer connection")
    const connection = connectionFor(this.#base, opening)
    // Dropping the replaced connection may have removed the member.
    this.table.members.set(id, member)
    member.connections.set(place, connection)
    this.table.ofLink.set(connection.config.link, connection)
    if (carrier.type === "webrtc")
      this.#base.sink.take({ type: "connection", member: id, state: "half-open", incarnation, attempt })
    this.#trace(connection, { event: "connection-opened" })
    for (const output of connection.start()) this.#act(connection, output)
    this.#base.sink.take({ type: "opened", connection })
  }

  /**
   * Ends the link with a member that is notified and continues without it. Another link may be made when it is wanted
   * again.
   */
  part(id: MemberId, reason: string): void {
    const member = this.table.members.get(id)
    if (!member) return
    const isDirect = member.connections.has("webrtc")
    member.link.bye()
    this.#forget(id, reason)
    if (isDirect) this.#tellGone(id)
  }

  /**
   * Ends every connection with a member and ignores this incarnation from now on. Its state here may be half-changed.
   */
  ignore(id: MemberId, incarnation: number, reason: string): void {
    this.#base.ignored.add(id, incarnation)
    const member = this.table.members.get(id)
    if (!member || member.incarnation > incarnation) return
    const wasUp = member.link.up
    this.table.members.delete(id)
    for (const connection of member.connections.values()) this.#abandon(connection)
    if (member.connections.has("webrtc")) {
      this.#base.sink.take({ type: "directEnded", member: id })
      this.#base.sink.take({ type: "connection", member: id, state: "gone", linked: true })
    }
    this.#base.sink.take({ type: "forgotten", member: id })
    if (wasUp) this.#base.sink.take({ type: "linkDown", peer: id, reason })
  }

  #abandon(connection: Connection): void {
    connection.abandon()
    this.#drop(connection, "failure", "it was abandoned")
    this.#post(connection, { type: "peer-close", link: connection.config.link })
  }

  /**
   * Ends every connection with a member that is replaced by another incarnation. It counts as no failure, so there is
   * no back-off.
   */
  evict(member: MemberId, reason: string): void {
    this.#forget(member, reason)
  }

  #addMember(credential: Credential, incarnation: number): ConnectedMember {
    const link = new ResumableLink(this.#base.mesh.random.bytes(16), (output) => this.#handleLink(member, output))
    const member: ConnectedMember = { credential, incarnation, link, keys: null, features: [], connections: new Map() }
    this.table.members.set(credential.member, member)
    return member
  }

  #handleLink(member: ConnectedMember, output: LinkOutput): void {
    if (output.type === "dirty") this.#unflushed.add(output.connection)
    else if (output.type === "close") this.#step(output.connection, output)
    else this.#base.sink.take(linkEvent(member, output))
  }

  /** Ends the link as a failed connection does, so another one is made after the back-off. `kept`: see `#forget`. */
  #giveUp(id: MemberId, reason: string, kept: readonly Connection[] = []): void {
    const direct = this.table.get(id, "webrtc")
    this.#forget(id, reason, kept)
    if (direct && !kept.includes(direct)) this.#tellGone(id)
  }

  #tellGone(member: MemberId): void {
    const linked = this.table.members.get(member)?.link.path != null
    this.#base.sink.take({ type: "connection", member, state: "gone", linked })
  }

  /** Removes the member. Its link goes down at once if it was up. `kept`: connections for its next link. */
  #forget(id: MemberId, reason: string, kept: readonly Connection[] = []): void {
    const member = this.table.members.get(id)
    if (!member) return
    this.table.members.delete(id)
    const next = kept.length > 0 ? this.#addMember(member.credential, member.incarnation) : null
    for (const [place, connection] of member.connections) {
      if (kept.includes(connection)) next?.connections.set(place, connection)
      else this.#end(connection, reason)
    }
    this.#base.sink.take({ type: "forgotten", member: id })
    if (member.link.up) this.#base.sink.take({ type: "linkDown", peer: id, reason })
  }

  #post(connection: Connection, command: PeerCommand): void {
    if (connection.config.carrier.type === "members") this.#base.sink.take({ type: "circuit", command })
    else this.#base.mesh.host.post(command)
  }

  #closeNow(connection: Connection): void {
    for (const output of connection.step({ type: "close", reason: "closed" }, this.#base.clock.nowMs))
      if (output.type === "post") this.#post(connection, output.command)
  }

  #trace({ config }: Connection, change: ConnectionChange): void {
    this.#base.sink.take({ type: "traced", event: connectionEvent(config, change) })
  }

  /** Closes a connection without counting a failed attempt and without an event. */
  #end(connection: Connection, reason: string): void {
    const outputs = connection.step({ type: "close", reason }, this.#base.clock.nowMs)
    this.#drop(connection, "failure", reason)
    for (const output of outputs) if (output.type === "post") this.#post(connection, output.command)
  }

  #drop(connection: Connection, ending: Ending, reason: string): void {
    const { carrier, peer } = connection.config
    this.#trace(connection, { event: "connection-ended", reason })
    this.#unflushed.delete(connection)
    const member = this.table.remove(connection)
    if (!member) return
    member.link.ended(connection, ending, reason, this.#base.clock.nowMs)
    if (carrier.type === "webrtc") this.#base.sink.take({ type: "directEnded", member: peer.member })
    if (member.connections.size === 0 && member.link.over) this.table.members.delete(peer.member)
  }

  /**
   * Every change of a link's state passes here, so no exception leaves the handling of that link. That link ends, and
   * the others continue.
   *
   * A member is ignored only for what it sent itself, over its own connection or under its seal. On a relayed link the
   * relaying member could have forged the rest.
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
    this.#abandon(connection)
    if (isItsOwn) this.ignore(member, peerIncarnation, detail)
    this.#base.sink.take({ type: "security", code: "handling-failed", member: isItsOwn ? member : null, detail })
  }

  #act(connection: Connection, output: ConnectionOutput): void {
    switch (output.type) {
      case "post":
        return this.#post(connection, output.command)
      case "signal":
        return this.#base.sink.take({ type: "sendSignal", to: connection.config.peer.member, signal: output.signal })
      case "dropped":
        return this.#base.faults.drop(`signal: ${output.reason}`)
      case "sign":
        return this.#signatures.sign(connection, output.bytes)
      case "verify":
        return this.#signatures.verify(connection, output.bytes, output.signature)
      case "proved":
        this.#replaceFormer(connection)
        return this.table.linkOf(connection)?.established(connection)
      case "up":
        return this.#handleUp(connection, output)
      case "message": {
        const link = this.table.linkOf(connection)
        return this.#refuseIf(connection, link?.handleMessage(connection, output.bytes, output.lane))
      }
      case "control":
        return this.#handleControl(connection, output.control)
      case "ended":
        return this.#handleEnded(connection, output)
    }
  }

  /** The peer of a circuit that a neighbour has brought has proved itself, so it has given up the former circuit. */
  #replaceFormer(connection: Connection): void {
    const { peer, carrier } = connection.config
    const { connections } = this.table.members.get(peer.member)!
    const former = connections.get(carrier.type)
    if (former === connection) return
    if (former) this.#end(former, "replaced by a newer connection")
    connections.delete(firstPlace(connection.config))
    connections.set(carrier.type, connection)
  }

  #handleUp(connection: Connection, { keys, features }: ConnectionOutput & { readonly type: "up" }): void {
    const { peerIncarnation: incarnation, peer, attempt, carrier } = connection.config
    this.#trace(connection, { event: "connection-up" })
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
        if (result === "bye") this.#giveUp(connection.config.peer.member, "closed by the other side")
        else this.#refuseIf(connection, result)
        return
      }
      case "neighbours":
      case "relay":
      case "certificateRequest":
      case "certificate": {
        const { peer, carrier } = connection.config
        return this.#base.sink.take({
          type: "control",
          from: peer.member,
          control,
          isDirect: carrier.type === "webrtc",
        })
      }
    }
  }

  #refuseIf(connection: Connection, detail: SessionRefusal | null | undefined): void {
    if (detail) this.#step(connection, { type: "refuse", detail })
  }

  #handleEnded(connection: Connection, ended: ConnectionOutput & { type: "ended" }): void {
    const { carrier, peer } = connection.config
    this.#drop(connection, ended.ending, ended.reason)
    if (carrier.type === "webrtc") this.#tellGone(peer.member)
    if (this.table.members.get(peer.member)?.link.waiting)
      this.#base.sink.take({ type: "waiting", member: peer.member })
    if (ended.security === null) return
    if (!isReported(carrier, ended.security.detail))
      return this.#base.faults.drop(`relayed link: ${ended.security.detail}`)
    this.#base.sink.take({ type: "security", member: peer.member, ...ended.security })
    // On a direct link only the member itself can do this, or an attacker that has broken DTLS. So there is no grace
    // time.
    if (carrier.type === "webrtc") this.#forget(peer.member, ended.reason)
  }
}
