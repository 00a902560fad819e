import type { Credential } from "../credentials.ts"
import type { LinkNumber } from "../host/port.ts"
import type { MemberId } from "../ids.ts"
import type { Carrier, Connection } from "./connection.ts"
import type { Neighbour } from "./control.ts"
import type { InvitationKeys } from "./keyring.ts"
import type { LinkPath, Peering } from "./peering.ts"

/** One life of one member: at most one connection of each kind, and the link that they carry together. */
export type ConnectedMember = {
  readonly credential: Credential
  readonly incarnation: number
  readonly peering: Peering
  /** The newest that it has proved to hold; null before its first association. */
  keys: InvitationKeys | null
  readonly connections: Map<Carrier["type"], Connection>
}

/** Who is connected how: by member, and by the number of each connection's link. */
export class ConnectionTable {
  readonly members = new Map<MemberId, ConnectedMember>()
  readonly ofLink = new Map<LinkNumber, Connection>()

  get(member: MemberId, carrier: Carrier["type"]): Connection | undefined {
    return this.members.get(member)?.connections.get(carrier)
  }

  /** Bytes sent to the member that it is not known to hold. */
  unackedBytes(member: MemberId): number {
    return this.members.get(member)?.peering.unackedBytes ?? 0
  }

  congested(member: MemberId): boolean {
    return this.members.get(member)?.peering.congested ?? false
  }

  halfCongested(member: MemberId): boolean {
    return this.members.get(member)?.peering.halfCongested ?? false
  }

  /** Above so many bytes under way a member is congested; null without a link. */
  windowBytes(member: MemberId): number | null {
    return this.members.get(member)?.peering.windowBytes ?? null
  }

  credentialOf(member: MemberId): Credential | undefined {
    return this.members.get(member)?.credential
  }

  /** Of the lives of a member that there are connections with; 0 if none. */
  newestLife(member: MemberId): number {
    return this.members.get(member)?.incarnation ?? 0
  }

  pathOf(member: MemberId): LinkPath | null {
    return this.members.get(member)?.peering.path ?? null
  }

  linked(): MemberId[] {
    return [...this.members].filter(([, { peering }]) => peering.up && peering.path !== null).map(([member]) => member)
  }

  /** Members with a direct connection, in order. */
  direct(): Neighbour[] {
    return [...this.members]
      .filter(([, { connections }]) => connections.get("webrtc")?.up)
      .map(([member, { incarnation }]) => ({ member, incarnation }))
      .sort((a, b) => (a.member < b.member ? -1 : 1))
  }

  isHalfOpen(member: MemberId, carrier: Carrier["type"]): boolean {
    return this.get(member, carrier)?.up === false
  }

  get relaysHalfOpen(): number {
    return [...this.ofLink.values()].filter(({ up, config }) => !up && config.carrier.type !== "webrtc").length
  }

  /** The link that a connection carries, unless another has taken its place. */
  peeringOf(connection: Connection): Peering | undefined {
    const { peer, carrier } = connection.config
    const member = this.members.get(peer.member)
    return member?.connections.get(carrier.type) === connection ? member.peering : undefined
  }
}
