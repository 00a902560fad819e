/** Members that are reached over the overlay. To the upper layers they appear as linked, only further away. */
import type { MemberId } from "@keymoot/transport"
import type { CheckedRecord, LinkRecords } from "./link-records.ts"
import type { LinkOutput, LinkUp } from "./overlay-links.ts"
import type { Topology } from "./topology.ts"

export type DistantMembersConfig = {
  readonly records: LinkRecords
  readonly topology: Topology
  /** Links with members. */
  readonly direct: ReadonlyMap<MemberId, LinkUp>
  readonly emit: (output: LinkOutput) => void
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

  /** The overlay has a route to it now. */
  reach(member: MemberId): void {
    this.#reachable.add(member)
    this.#report(member)
  }

  /** It has sent a new record. */
  onRecord(record: CheckedRecord): void {
    if (this.#reachable.has(record.origin)) this.#report(record.origin)
    if (record.status && this.#reported.has(record.origin))
      this.#config.emit({ type: "heartbeat", peer: record.origin, heartbeat: record.status })
  }

  lose(member: MemberId): void {
    this.#reachable.delete(member)
    if (!this.#reported.delete(member)) return
    const gone = { type: "linkDown", peer: member, reason: "no way leads to it any more" } as const
    this.#config.emit(this.#config.direct.get(member) ?? gone)
  }

  /** From now on linked members are reached over their links. */
  narrow(): void {
    for (const member of this.#reported.keys()) {
      const link = this.#config.direct.get(member)
      if (!link) continue
      this.#reported.delete(member)
      this.#config.emit({ ...link, distant: false })
    }
  }

  /** From now on all members are reached over the overlay. */
  widen(): void {
    for (const member of this.#reachable) this.#report(member)
  }

  /** It is reached over its link. */
  forget(member: MemberId): void {
    this.#reported.delete(member)
  }

  /** Reports it as up once it has proved to hold an invitation that this member knows. */
  #report(member: MemberId): void {
    const { records, topology, direct, emit } = this.#config
    if (!topology.isWide && direct.has(member)) return
    const record = topology.overlay.recordOf(member)
    const keys = record && records.keysOf(record)
    const reported = this.#reported.get(member)
    if (!record || !keys || (reported?.incarnation === record.incarnation && reported.keys === keys)) return
    const { incarnation, credential } = record
    this.#reported.set(member, { ...record, keys })
    emit({ type: "linkUp", peer: member, incarnation, credential, keys, features: [], distant: true })
    if (!direct.has(member)) emit({ type: "path", peer: member, path: "relayed-by-member" })
  }
}
