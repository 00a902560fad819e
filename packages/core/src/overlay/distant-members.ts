/** Members that are reached over the overlay. To the upper layers they appear as linked, only further away. */
import type { MemberId } from "@keymoot/transport"
import type { CheckedRecord, LinkRecords } from "./link-records.ts"
import type { MissingPaths } from "./missing-paths.ts"
import type { LinkOutput, LinkUp } from "./overlay-links.ts"
import type { Topology } from "./topology.ts"

export type DistantMembersConfig = {
  readonly records: LinkRecords
  readonly topology: Topology
  readonly direct: ReadonlyMap<MemberId, LinkUp>
  readonly missing: Pick<MissingPaths, "isDue">
}

export class DistantMembers {
  readonly #config: DistantMembersConfig
  readonly #reachable = new Set<MemberId>()
  /** Members reported as reached over the overlay, with their records. */
  readonly #reported = new Map<MemberId, CheckedRecord>()

  constructor(config: DistantMembersConfig) {
    this.#config = config
  }

  has(member: MemberId): boolean {
    return this.#reported.has(member)
  }

  /** Whether the member is in this incarnation. */
  isIncarnation({ peer, incarnation }: Pick<LinkUp, "peer" | "incarnation">): boolean {
    return this.#reported.get(peer)?.incarnation === incarnation
  }

  /** Its link has had no path for some time. */
  replace(member: MemberId): readonly LinkOutput[] {
    return this.#reachable.has(member) ? this.#report(member) : []
  }

  /** The overlay has a route to it now. */
  reach(member: MemberId): readonly LinkOutput[] {
    this.#reachable.add(member)
    return this.#report(member)
  }

  /** It has sent a new record. */
  onRecord({ origin, status }: CheckedRecord): readonly LinkOutput[] {
    const news = this.#reachable.has(origin) ? this.#report(origin) : []
    if (!status || !this.#reported.has(origin)) return news
    return [...news, { type: "heartbeat", peer: origin, heartbeat: status }]
  }

  lose(member: MemberId): readonly LinkOutput[] {
    this.#reachable.delete(member)
    if (!this.#reported.delete(member)) return []
    const gone = { type: "linkDown", peer: member, reason: "no way leads to it any more" } as const
    return [this.#config.direct.get(member) ?? gone]
  }

  /** From now on linked members are reached over their links. */
  narrow(): readonly LinkOutput[] {
    const links = [...this.#reported.keys()].flatMap((member) => this.#config.direct.get(member) ?? [])
    for (const { peer } of links) this.#reported.delete(peer)
    return links.map((link) => ({ ...link, distant: false }))
  }

  /** From now on all members are reached over the overlay. */
  widen(): readonly LinkOutput[] {
    return [...this.#reachable].flatMap((member) => this.#report(member))
  }

  /** From now on the overlay is not used. */
  end(): readonly LinkOutput[] {
    this.#reachable.clear()
    return [...this.#reported.keys()].flatMap((member) => this.lose(member))
  }

  /** It is reached over its link. */
  forget(member: MemberId): void {
    this.#reported.delete(member)
  }

  /** Reports it as up once it has proved to hold an invitation that this member knows. */
  #report(member: MemberId): readonly LinkOutput[] {
    const { records, topology, direct, missing } = this.#config
    if (!topology.isWide && direct.has(member) && !missing.isDue(member)) return []
    const record = topology.overlay.recordOf(member)
    const keys = record && records.keysOf(record)
    const reported = this.#reported.get(member)
    if (!record || !keys || (reported?.incarnation === record.incarnation && reported.keys === keys)) return []
    const { incarnation, credential } = record
    this.#reported.set(member, { ...record, keys })
    const up = { type: "linkUp", peer: member, incarnation, credential, keys, features: [], distant: true } as const
    return topology.isWide && direct.has(member)
      ? [up]
      : [up, { type: "path", peer: member, path: "relayed-by-member" }]
  }
}
