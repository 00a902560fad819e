import type { Credential } from "../../members/credentials.ts"
import type { ConnectionId } from "../../port/port.ts"
import type { MemberId } from "../../members/ids.ts"
import type { Connection } from "../path/connection.ts"
import type { Carrier } from "../path/connection-io.ts"
import type { ResumableLink } from "./resumable-link.ts"
import type { InvitationKeys } from "../shared/keyring.ts"
import type { Feature } from "../shared/protocol.ts"

/** One incarnation of one member: at most one connection of each kind, and the link that they carry together. */
export type ConnectedMember = {
  readonly credential: Credential
  readonly incarnation: number
  readonly link: ResumableLink
  /** The newest keys that the member has proved to hold. Null before its first association. */
  keys: InvitationKeys | null
  /** Features of the protocol that both ends support. Empty before the first association. */
  features: readonly Feature[]
  readonly connections: Map<Carrier["type"], Connection>
}

/** Index of connections by member and by id. */
export class ConnectionTable {
  readonly members = new Map<MemberId, ConnectedMember>()
  readonly byId = new Map<ConnectionId, Connection>()

  get(member: MemberId, carrier: Carrier["type"]): Connection | undefined {
    return this.members.get(member)?.connections.get(carrier)
  }

  link(member: MemberId): ResumableLink | undefined {
    return this.members.get(member)?.link
  }

  /** The incarnation that a member has proved in an association, or 0. Another one is only claimed. */
  provedIncarnation(member: MemberId): number {
    const known = this.members.get(member)
    return known?.keys ? known.incarnation : 0
  }

  linkTo(member: MemberId, incarnation: number): ResumableLink | null {
    const known = this.members.get(member)
    return known?.incarnation === incarnation ? known.link : null
  }

  /** Number of relayed connections that are not up yet. */
  get relaysHalfOpen(): number {
    return [...this.byId.values()].filter(({ up, config }) => !up && config.carrier.type === "server").length
  }

  /** The link that a connection carries. None if another one of its kind has its place. */
  linkOf(connection: Connection): ResumableLink | undefined {
    const { peer, carrier } = connection.config
    const member = this.members.get(peer.member)
    return member?.connections.get(carrier.type) === connection ? member.link : undefined
  }

  /** Returns the connection's member, unless another connection has replaced it there. */
  remove(connection: Connection): ConnectedMember | null {
    const { id, peer, carrier } = connection.config
    this.byId.delete(id)
    const member = this.members.get(peer.member)
    if (member?.connections.get(carrier.type) !== connection) return null
    member.connections.delete(carrier.type)
    return member
  }
}
