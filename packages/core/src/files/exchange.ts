/** The files of one conference, in the engine: what is offered, what is fetched, and what is kept of it. */
import type { MemberId } from "@keymoot/transport"
import { KeymootError } from "../api.ts"
import { LruMap } from "../wire/index.ts"
import type { BlockStore } from "./block-store.ts"
import { FileCipher } from "./cipher.ts"
import { Fetching, type FetchProgress, keptBytes, unavailable } from "./fetching.ts"
import { HeldFile } from "./held-file.ts"
import { blockCount } from "./layout.ts"
import { decodeFileMessage, encodeFileMessage, type FileMessage } from "./messages.ts"
import { OfferedFile } from "./offered-file.ts"
import { OwnCopy } from "./own-copy.ts"
import { type FileSource, Serving } from "./serving.ts"
import { formatTicket, parseTicket, type Ticket } from "./ticket.ts"
import { UnfinishedCopies } from "./unfinished-copies.ts"

/** Files offered by this member; the one asked for longest ago gives way. */
export const OFFERS_MAX = 128
/** Tickets that this member has looked at, and files of others that it can hand on. */
const TICKETS_MAX = 1024
const HELD_MAX = 16
/** Fetched at a time; further ones wait for their turn. */
export const FETCHES_AT_ONCE = 3
export const FETCHES_WAITING_MAX = 256

export type ExchangeConfig = {
  readonly conferenceId: string
  /** Names this identity's part of the store. */
  readonly shelf: string
  readonly self: MemberId
  readonly blocks: BlockStore
  readonly send: (to: MemberId, bytes: Uint8Array) => boolean
  readonly bufferedBytes: (to: MemberId) => number
  readonly holdBack: (to: MemberId) => boolean
  readonly linked: (member: MemberId) => boolean
  /** Of the present view. */
  readonly members: () => readonly MemberId[]
  readonly secured: () => boolean
  readonly now: () => number
  /** `watch`: a file's id, or what an offering is to be known by. */
  readonly progress: (watch: string, progress: FetchProgress) => void
}

export type Offering = {
  readonly content: Blob
  readonly name: string
  readonly type: string
  /** Names the progress of this one. */
  readonly watch: string
}

type Waiter = { readonly resolve: () => void; readonly reject: (error: KeymootError) => void }
type Fetch = { readonly ticket: Ticket; readonly waiters: Set<Waiter>; fetching: Fetching | null; started: boolean }

export class FileExchange {
  readonly #config: ExchangeConfig
  readonly #offers = new LruMap<string, OfferedFile>(OFFERS_MAX)
  readonly #tickets = new LruMap<string, Ticket>(TICKETS_MAX)
  readonly #held = new LruMap<string, HeldFile>(HELD_MAX)
  /** In the order of their turn. */
  readonly #fetches = new Map<string, Fetch>()
  readonly #serving: Serving
  readonly #making = new Set<Promise<OfferedFile>>()
  readonly #unfinished: UnfinishedCopies
  #closed = false

  constructor(config: ExchangeConfig) {
    this.#config = config
    this.#unfinished = new UnfinishedCopies(config.blocks, config.shelf)
    this.#serving = new Serving({
      find: (file) => this.#find(file),
      send: (to, message) => config.send(to, encodeFileMessage(message)),
      bufferedBytes: config.bufferedBytes,
      holdBack: config.holdBack,
      now: config.now,
    })
  }

  // From the application

  /** @throws KeymootError as `OfferedFile.make`, `aborted`, `closed` */
  async offer(offering: Offering, signal: AbortSignal): Promise<string> {
    const making = this.#make(offering, signal)
    this.#making.add(making)
    try {
      const file = await making
      this.#offers.set(file.ticket.file, file)
      return formatTicket(file.ticket)
    } finally {
      this.#making.delete(making)
    }
  }

  /** Resolves when all of it is here. @throws KeymootError `file-unavailable`, `file-altered`, `storage-full`, `aborted`, … */
  fetch(text: string, signal: AbortSignal): Promise<void> {
    const ticket = this.#know(text)
    if (this.#offers.get(ticket.file)) return Promise.resolve()
    if (this.#fetches.size >= FETCHES_WAITING_MAX) {
      throw new KeymootError("queue-full", "Too many files are being fetched. Wait until some are here.")
    }
    return new Promise((resolve, reject) => {
      const fetch = this.#fetches.get(ticket.file) ?? newFetch(ticket)
      this.#fetches.set(ticket.file, fetch)
      const waiter = { resolve, reject }
      fetch.waiters.add(waiter)
      signal.addEventListener("abort", () => this.#withdraw(fetch, waiter), { once: true })
      this.#next()
    })
  }

  /** Bytes of the content that are here, in whole blocks. */
  async kept(text: string): Promise<number> {
    const ticket = this.#know(text)
    if (this.#offers.get(ticket.file)) return ticket.sizeBytes
    return keptBytes(ticket, await this.#config.blocks.count(this.#config.shelf, ticket.file))
  }

  /** A block of the content of a file that is here. @throws KeymootError `file-unavailable` */
  async read(text: string, block: number): Promise<Uint8Array> {
    const ticket = this.#know(text)
    const offered = this.#offers.get(ticket.file)
    if (offered) return offered.content(block)
    const sealed = await this.#config.blocks.read(this.#config.shelf, ticket.file, block)
    const content = sealed && (await new FileCipher(ticket, this.#config.conferenceId).open(block, sealed))
    if (content) return content
    throw new KeymootError("file-unavailable", "This part of the file is not here. Fetch the file first.")
  }

  /** Forgets what is here of it, and offers it no more. */
  async remove(text: string): Promise<void> {
    const { file } = this.#know(text)
    await this.#fetches
      .get(file)
      ?.fetching?.stop(new KeymootError("aborted", "The file was removed while it was fetched."))
    this.#offers.delete(file)
    this.#held.delete(file)
    await this.#config.blocks.remove(this.#config.shelf, file)
  }

  // From the conference

  receive(from: MemberId, bytes: Uint8Array): void {
    const message = decodeFileMessage(bytes)
    if (!message || !this.#config.members().includes(from)) return
    if (message.kind === "want") this.#serving.want(from, message)
    else if (message.kind === "stop") this.#serving.stop(from, message.file)
    else this.#fetches.get(message.file)?.fetching?.receive(from, message)
  }

  acknowledged(by: MemberId): void {
    this.#serving.acknowledged(by)
  }

  linkDown(member: MemberId): void {
    this.#serving.forget(member)
    for (const { fetching } of this.#fetches.values()) fetching?.reach(member)
  }

  /** Another view, or another link. */
  changed(left: readonly MemberId[] = []): void {
    for (const { fetching } of this.#fetches.values()) {
      fetching?.left(left)
      fetching?.reach(null)
    }
  }

  tick(nowMs: number): void {
    for (const { fetching } of this.#fetches.values()) fetching?.tick(nowMs)
  }

  /** Resolves when nothing more is written. */
  async close(): Promise<void> {
    this.#closed = true
    this.#serving.close()
    const stopped = [...this.#fetches.values()].map(({ fetching }) => fetching?.stop(over()))
    for (const fetch of this.#fetches.values()) this.#ended(fetch, over())
    await Promise.all(stopped)
    await Promise.allSettled(this.#making)
    await this.#unfinished.idle()
  }

  /** Closes it, and takes what is kept off this device. */
  async forget(): Promise<void> {
    await this.close()
    await this.#config.blocks.forget(this.#config.shelf)
  }

  // Inside

  async #make({ content, name, type, watch }: Offering, signal: AbortSignal): Promise<OfferedFile> {
    const { self: owner, conferenceId, progress, blocks, shelf } = this.#config
    const copy = await OwnCopy.begin({ blocks, shelf, unfinished: this.#unfinished }, content.size)
    try {
      const about = { name, type, owner, conferenceId }
      const made = await OfferedFile.make(content, about, async ({ file, block, sealed, readBytes }) => {
        if (this.#closed) throw over()
        if (signal.aborted) throw new KeymootError("aborted", "This was called off before it was done.")
        await copy.append(file, block, sealed)
        progress(watch, { receivedBytes: readBytes, waiting: false })
      })
      await copy.finish()
      return made
    } catch (error) {
      await copy.discard()
      throw error
    }
  }

  #know(text: string): Ticket {
    const ticket = parseTicket(text)
    this.#tickets.set(ticket.file, ticket)
    return ticket
  }

  async #find(file: string): Promise<FileSource | null> {
    const known = this.#offers.get(file) ?? this.#held.get(file)
    const ticket = this.#tickets.get(file)
    if (known || !ticket) return known ?? null
    const { blocks, shelf } = this.#config
    const held = await HeldFile.find(ticket, (block) => blocks.read(shelf, file, block)).catch(() => null)
    if (held) this.#held.set(file, held)
    return held
  }

  #next(): void {
    const waiting = [...this.#fetches.values()]
    const running = waiting.filter(({ started }) => started).length
    for (const fetch of waiting.filter(({ started }) => !started).slice(0, Math.max(0, FETCHES_AT_ONCE - running))) {
      fetch.started = true
      void this.#start(fetch)
    }
  }

  async #start(fetch: Fetch): Promise<void> {
    const { ticket } = fetch
    const { blocks, shelf, self, members, linked, secured, send, progress, now } = this.#config
    const keptBlocks = await blocks.count(shelf, ticket.file).catch(() => 0)
    if (this.#closed || this.#fetches.get(ticket.file) !== fetch) return
    if (keptBlocks === blockCount(ticket.sizeBytes)) return this.#ended(fetch, null)
    const others = (): MemberId[] => members().filter((id) => id !== self && id !== ticket.owner)
    // Somebody who is away may be back in a moment; somebody who is not even expected will not.
    const alone = secured() && !members().includes(ticket.owner) && others().length === 0
    if (ticket.owner === self || alone) {
      if (others().length === 0) return this.#ended(fetch, unavailable(ticket.owner === self ? "gone" : "away"))
    }
    fetch.fetching = new Fetching({
      ticket,
      keptBlocks,
      append: (block, sealed) => blocks.append(shelf, ticket.file, block, sealed),
      send: (to, message: FileMessage) => void send(to, encodeFileMessage(message)),
      reachable: (member) => members().includes(member) && linked(member),
      others,
      progress: (told) => progress(ticket.file, told),
      ended: (error) => this.#ended(fetch, error),
    })
    if (ticket.owner === self || (secured() && !members().includes(ticket.owner))) fetch.fetching.left([ticket.owner])
    fetch.fetching?.tick(now())
  }

  #withdraw(fetch: Fetch, waiter: Waiter): void {
    const aborted = new KeymootError("aborted", "This was called off before it was done.")
    if (!fetch.waiters.delete(waiter)) return
    waiter.reject(aborted)
    if (fetch.waiters.size > 0) return
    if (fetch.fetching) void fetch.fetching.stop(aborted)
    else this.#ended(fetch, aborted)
  }

  #ended(fetch: Fetch, error: KeymootError | null): void {
    if (this.#fetches.get(fetch.ticket.file) === fetch) this.#fetches.delete(fetch.ticket.file)
    for (const { resolve, reject } of fetch.waiters) {
      if (error) reject(error)
      else resolve()
    }
    fetch.waiters.clear()
    if (!this.#closed) this.#next()
  }
}

function newFetch(ticket: Ticket): Fetch {
  return { ticket, waiters: new Set(), fetching: null, started: false }
}

function over(): KeymootError {
  return new KeymootError("closed", "This conference is over for you. Join it again to share or fetch files.")
}
