import type { MemberId } from "../../members/ids.ts"
import type { MeshBase } from "../base/mesh-base.ts"
import type { Connection } from "../path/connection.ts"
import type { Ending } from "../path/connection-io.ts"
import { connectionEvent } from "../shared/network-trace.ts"
import type { ConnectedMember, ConnectionTable } from "./connection-table.ts"

/**
 * Ends connections, and the links that they carry. The way of an ending decides about the next connection: after a
 * failure it is made after the back-off, and an ignored incarnation gets none.
 */
export class Endings {
  readonly #base: MeshBase
  readonly #table: ConnectionTable

  constructor(base: MeshBase, table: ConnectionTable) {
    this.#base = base
    this.#table = table
  }

  /** Says goodbye, flushes and closes every connection. Emits nothing. */
  closeAll(): void {
    for (const { link } of this.#table.members.values()) link.bye()
    for (const connection of this.#table.byId.values()) this.#closeNow(connection)
    this.#table.members.clear()
    this.#table.byId.clear()
  }

  /**
   * Ends the link with a member that is notified and continues without it. Another link may be made when it is wanted
   * again.
   */
  part(id: MemberId, reason: string): void {
    const member = this.#table.members.get(id)
    if (!member) return
    const isDirect = member.connections.has("webrtc")
    member.link.bye()
    this.forget(id, reason)
    if (isDirect) this.reportGone(id)
  }

  /**
   * Ends every connection with a member and ignores this incarnation from now on. Its state here may be half-changed.
   */
  ignore(id: MemberId, incarnation: number, reason: string): void {
    this.#base.ignored.add(id, incarnation)
    const member = this.#table.members.get(id)
    if (!member || member.incarnation > incarnation) return
    const wasUp = member.link.up
    this.#table.members.delete(id)
    for (const connection of member.connections.values()) this.abandon(connection)
    if (member.connections.has("webrtc"))
      this.#base.sink.take({ type: "connection", member: id, state: "gone", linked: true })
    if (wasUp) this.#base.sink.take({ type: "linkDown", peer: id, reason })
  }

  /** Ends the link as a failed connection does, so another one is made after the back-off. `next`: see `forget`. */
  giveUp(id: MemberId, reason: string, next: ConnectedMember | null = null): void {
    const direct = this.#table.get(id, "webrtc")
    this.forget(id, reason, next)
    if (direct && next?.connections.get("webrtc") !== direct) this.reportGone(id)
  }

  /**
   * Removes the member and ends its connections. Its link goes down at once if it was up. This counts as no failure, so
   * there is no back-off. `next` takes the member's place, and keeps those connections that it has already.
   */
  forget(id: MemberId, reason: string, next: ConnectedMember | null = null): void {
    const member = this.#table.members.get(id)
    if (!member) return
    this.#table.members.delete(id)
    if (next) this.#table.members.set(id, next)
    for (const [place, connection] of member.connections)
      if (next?.connections.get(place) !== connection) this.end(connection, reason)
    if (member.link.up) this.#base.sink.take({ type: "linkDown", peer: id, reason })
  }

  /** Closes a connection without counting a failed attempt and without an event. */
  end(connection: Connection, reason: string): void {
    const outputs = connection.step({ type: "close", reason }, this.#base.clock.nowMs)
    this.drop(connection, "failure", reason)
    for (const output of outputs) if (output.type === "post") this.#base.mesh.host.post(output.command)
  }

  /** Closes a connection whose state may be half-changed, so no more of its code runs. */
  abandon(connection: Connection): void {
    connection.abandon()
    this.drop(connection, "failure", "it was abandoned")
    this.#base.mesh.host.post({ type: "peer-close", connectionId: connection.config.id })
  }

  /** Removes a connection that has ended, and its member if no link waits for another connection. */
  drop(connection: Connection, ending: Ending, reason: string): void {
    const { config } = connection
    const { member: id } = config.peer
    const event = connectionEvent(config, { event: "connection-ended", reason })
    this.#base.sink.take({ type: "traced", event })
    const member = this.#table.remove(connection)
    if (!member) return
    member.link.ended(connection, ending, reason, this.#base.clock.nowMs)
    if (member.connections.size === 0 && member.link.over) this.#table.members.delete(id)
  }

  /** Reports that the direct connection is gone. `Contacts` asks for another one after the back-off. */
  reportGone(member: MemberId): void {
    const linked = this.#table.link(member)?.path != null
    this.#base.sink.take({ type: "connection", member, state: "gone", linked })
  }

  #closeNow(connection: Connection): void {
    for (const output of connection.step({ type: "close", reason: "closed" }, this.#base.clock.nowMs))
      if (output.type === "post") this.#base.mesh.host.post(output.command)
  }
}
