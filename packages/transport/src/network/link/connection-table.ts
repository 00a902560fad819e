import type { Credential } from "../../members/credentials.ts"
import type { LinkNumber } from "../../port/port.ts"
import type { MemberId } from "../../members/ids.ts"
import type { Connection } from "../path/connection.ts"
import type { Carrier } from "../path/connection-io.ts"
import type { Neighbour } from "../messages/control.ts"
import type { LinkPath } from "../shared/config.ts"
import type { ResumableLink } from "./resumable-link.ts"
import { introducerOf, type ConnectedMember } from "./connected-member.ts"

/** Index of connections by member and by link number. */
export class ConnectionTable {
  readonly members = new Map<MemberId, ConnectedMember>()
  readonly ofLink = new Map<LinkNumber, Connection>()

  get(member: MemberId, carrier: Carrier["type"]): Connection | undefined {
    return this.members.get(member)?.connections.get(carrier)
  }

  /** Bytes sent that the member has not acknowledged. */
  unackedBytes(member: MemberId): number {
    return this.members.get(member)?.link.unackedBytes ?? 0
  }

  congested(member: MemberId): boolean {
    return this.members.get(member)?.link.congested ?? false
  }

  halfCongested(member: MemberId): boolean {
    return this.members.get(member)?.link.halfCongested ?? false
  }

  /** Window of the link in bytes: above it the link is congested. Null without a link. */
  windowBytes(member: MemberId): number | null {
    return this.members.get(member)?.link.windowBytes ?? null
  }

  credentialOf(member: MemberId): Credential | undefined {
    return this.members.get(member)?.credential
  }

  /** The newest incarnation of a member with a connection, or 0 if there is none. */
  newestIncarnation(member: MemberId): number {
    return this.members.get(member)?.incarnation ?? 0
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

  pathOf(member: MemberId): LinkPath | null {
    return this.members.get(member)?.link.path ?? null
  }

  /** True if the present path to a member may be dead. */
  doubted(member: MemberId): boolean {
    return this.members.get(member)?.link.doubted ?? false
  }

  linked(): MemberId[] {
    return [...this.members].filter(([, { link }]) => link.up && link.path !== null).map(([member]) => member)
  }

  /** Members with a direct connection, in ascending order. */
  direct(): Neighbour[] {
    return [...this.members]
      .filter(([, { connections }]) => connections.get("webrtc")?.up)
      .map(([member, { incarnation }]) => ({ member, incarnation }))
      .sort((a, b) => (a.member < b.member ? -1 : 1))
  }

  /** The kinds of relayed connections to a member that are open or opening. */
  relaysTo(member: MemberId): ReadonlySet<"members" | "server"> {
    return new Set((["members", "server"] as const).filter((kind) => this.get(member, kind)))
  }

  /** Number of relayed connections that are not up yet, without those that neighbours have brought. */
  get relaysHalfOpen(): number {
    const halfOpen = [...this.ofLink.values()].filter(({ up, config }) => !up && config.carrier.type !== "webrtc")
    return halfOpen.filter(({ config }) => introducerOf(config) === null).length
  }

  /** Circuits that are not up yet by the neighbours that have brought them, oldest first. */
  get brought(): ReadonlyMap<MemberId, readonly LinkNumber[]> {
    const brought = new Map<MemberId, LinkNumber[]>()
    for (const [link, { up, config }] of this.ofLink) {
      const by = introducerOf(config)
      if (by !== null && !up) brought.set(by, [...(brought.get(by) ?? []), link])
    }
    return brought
  }

  /** The link that a connection carries. None if another one of its kind has its place, or its peer has proved nothing. */
  linkOf(connection: Connection): ResumableLink | undefined {
    const { peer, carrier } = connection.config
    const member = this.members.get(peer.member)
    return member?.connections.get(carrier.type) === connection ? member.link : undefined
  }

  /** Returns the connection's member, unless another connection has replaced it there. */
  remove(connection: Connection): ConnectedMember | null {
    const { link, peer } = connection.config
    this.ofLink.delete(link)
    const member = this.members.get(peer.member)
    const place = [...(member?.connections ?? [])].find(([, each]) => each === connection)?.[0]
    if (!member || place === undefined) return null
    member.connections.delete(place)
    return member
  }
}
