/** Who is reached over the overlay, and what those above are told of it: for them such a member is linked, only further away. */
import type { Heartbeat, MemberId } from "@keymoot/transport"
import type { CheckedRecord, LinkRecords } from "./link-records.ts"
import type { LinkOutput, LinkUp } from "./overlay-links.ts"

export type DistantMembersConfig = {
  readonly records: LinkRecords
  /** The newest that each has told. */
  readonly recordOf: (member: MemberId) => CheckedRecord | undefined
  /** The link with it, if there is one. */
  readonly linkWith: (member: MemberId) => LinkUp | undefined
  readonly emit: (output: LinkOutput) => void
  readonly onHeartbeat: (from: MemberId, heartbeat: Heartbeat) => void
}

export class DistantMembers {
  readonly #config: DistantMembersConfig
  readonly #reachable = new Set<MemberId>()
  /** Who was told to be reached over the overlay, and as what. */
  readonly #told = new Map<MemberId, CheckedRecord>()

  constructor(config: DistantMembersConfig) {
    this.#config = config
  }

  has(member: MemberId): boolean {
    return this.#told.has(member)
  }

  /** In this life of it. */
  isIncarnation({ peer, incarnation }: Pick<LinkUp, "peer" | "incarnation">): boolean {
    return this.#told.get(peer)?.incarnation === incarnation
  }

  /** A way leads to it now. */
  reach(member: MemberId): void {
    this.#reachable.add(member)
    this.#tell(member)
  }

  /** It has told something new of itself. */
  onTold(record: CheckedRecord): void {
    if (this.#reachable.has(record.origin)) this.#tell(record.origin)
    if (record.status && this.#told.has(record.origin)) this.#config.onHeartbeat(record.origin, record.status)
  }

  lose(member: MemberId): void {
    this.#reachable.delete(member)
    if (!this.#told.delete(member)) return
    const gone = { type: "linkDown", peer: member, reason: "no way leads to it any more" } as const
    this.#config.emit(this.#config.linkWith(member) ?? gone)
  }

  /** It is up for those above once it has shown that it holds an invitation that this member knows. */
  #tell(member: MemberId): void {
    const { records, recordOf, linkWith, emit } = this.#config
    const record = recordOf(member)
    const keys = record && records.keysOf(record)
    const told = this.#told.get(member)
    if (!record || !keys || (told?.incarnation === record.incarnation && told.keys === keys)) return
    const { incarnation, credential } = record
    this.#told.set(member, { ...record, keys })
    emit({ type: "linkUp", peer: member, incarnation, credential, keys, distant: true })
    if (!linkWith(member)) emit({ type: "path", peer: member, path: "relayed-by-member" })
  }
}
