import type { BlockStore } from "../device/stores/block-store.ts"
import { LruMap } from "../wire/index.ts"
import { HeldFile } from "./held-file.ts"
import type { OfferedFile } from "./offered-file.ts"
import { ownCopyName } from "./own-copy.ts"
import type { OwnMembers } from "./own-members.ts"
import type { FileSource } from "./serving.ts"
import type { Ticket } from "./ticket.ts"

/** Bound on the files that this member offers. Beyond it the least recently requested offer ends. */
export const OFFERS_MAX = 128
/**
 * Bound on the tickets that this member knows, and on others' files that it can serve. The hashes of all take 5 MiB at
 * most, as the store bounds the files. With fewer files a member could have the others read again and again.
 */
const TICKETS_MAX = 1024

export type KnownFilesConfig = {
  readonly blocks: BlockStore
  readonly shelf: string
  readonly own: OwnMembers
}

/** Files that this member offers, and those of others that it knows by their tickets. */
export class KnownFiles {
  readonly #config: KnownFilesConfig
  readonly #offers = new LruMap<string, OfferedFile>(OFFERS_MAX)
  readonly #tickets = new LruMap<string, Ticket>(TICKETS_MAX)
  readonly #held = new LruMap<string, HeldFile>(TICKETS_MAX)
  /** Reads of copies that are under way. */
  readonly #searches = new Map<string, Promise<HeldFile | null>>()

  constructor(config: KnownFilesConfig) {
    this.#config = config
  }

  offer(file: OfferedFile): void {
    this.#offers.set(file.ticket.file, file)
    this.add(file.ticket)
  }

  offered(file: string): OfferedFile | undefined {
    return this.#offers.get(file)
  }

  add(ticket: Ticket): void {
    this.#tickets.set(ticket.file, ticket)
  }

  remove(file: string): void {
    this.#offers.delete(file)
    this.#held.delete(file)
  }

  /** Name of its blocks in the store. */
  async keptAs({ file, owner, key }: Ticket): Promise<string> {
    return (await this.#config.own.has(owner)) ? ownCopyName(key) : file
  }

  /** Null unless this member can serve it. */
  async find(file: string): Promise<FileSource | null> {
    return this.#held.get(file) ?? this.#offers.get(file) ?? this.#findHeld(file)
  }

  /** Sealed chunks of a block, from the stored copy once the original has changed. Null if both are unreadable. */
  async block(file: string, block: number): Promise<readonly Uint8Array[] | null> {
    const source = await this.find(file)
    const chunks = await source?.block(block).catch(() => null)
    if (chunks || source !== this.#offers.get(file)) return chunks ?? null
    const copy = await this.#findHeld(file)
    return (await copy?.block(block).catch(() => null)) ?? null
  }

  /** Reads the whole copy, once for all who ask at the same time. */
  #findHeld(file: string): Promise<HeldFile | null> {
    const ticket = this.#tickets.get(file)
    if (!ticket) return Promise.resolve(null)
    const search = this.#searches.get(file) ?? this.#search(file, ticket).finally(() => this.#searches.delete(file))
    this.#searches.set(file, search)
    return search
  }

  async #search(file: string, ticket: Ticket): Promise<HeldFile | null> {
    const { blocks, shelf } = this.#config
    const keptAs = await this.keptAs(ticket)
    const held = await HeldFile.find(ticket, (block) => blocks.read(shelf, keptAs, block)).catch(() => null)
    if (held) this.#held.set(file, held)
    return held
  }
}
