import { memberIdToBytes, type MemberId } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"
import type { BlockStore } from "../device/stores/block-store.ts"

/** Pseudo file id whose blocks hold the ids, one per block. */
const MEMBERS = "members"
/** Bound on recorded ids. Copies of files that are offered under further ones are not found after another rename. */
export const OWN_MEMBERS_MAX = 64

/**
 * Member ids under which this identity has offered files in a conference. Another name is another certificate, and so
 * another id, but the copies stay. The record is local, so no other member can add an id.
 */
export class OwnMembers {
  readonly #blocks: BlockStore
  readonly #shelf: string
  readonly #self: MemberId
  readonly #recorded: Promise<Set<MemberId>>

  constructor(blocks: BlockStore, shelf: string, self: MemberId) {
    this.#blocks = blocks
    this.#shelf = shelf
    this.#self = self
    // Without a storage there are no copies.
    this.#recorded = this.#read().catch(() => new Set<MemberId>())
  }

  async has(member: MemberId): Promise<boolean> {
    return member === this.#self || (await this.#recorded).has(member)
  }

  /** Records the present id. Rejects with the storage's error. */
  async record(): Promise<void> {
    const recorded = await this.#recorded
    if (recorded.has(this.#self) || recorded.size >= OWN_MEMBERS_MAX) return
    await this.#blocks.append(this.#shelf, MEMBERS, recorded.size, memberIdToBytes(this.#self))
    recorded.add(this.#self)
  }

  async #read(): Promise<Set<MemberId>> {
    const members = new Set<MemberId>()
    for (let i = 0; i < (await this.#blocks.count(this.#shelf, MEMBERS)); i++) {
      const id = await this.#blocks.read(this.#shelf, MEMBERS, i)
      if (id) members.add(bytesToHex(id) as MemberId)
    }
    return members
  }
}
