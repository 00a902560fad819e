/** Files of one conference in the engine: offers, fetches and stored blocks. */
import type { MemberId, Sink } from "@keymoot/transport"
import { CONFERENCE_MEMBERS_MAX } from "@keymoot/transport/signaling-protocol"
import type { Clock } from "../platform/surroundings.ts"
import { type ConferenceView, KeymootError } from "../api/index.ts"
import type { DataCipher } from "../ciphers/aead.ts"
import type { BlockStore } from "../device/stores/block-store.ts"
import { LruMap } from "../wire/index.ts"
import { FileCipher } from "./cipher.ts"
import { Fetching, type FetchProgress, keptBytes, unavailable } from "./fetching.ts"
import { Holders, type HoldersConfig } from "./holders.ts"
import { KnownFiles } from "./known-files.ts"
import { blockCount } from "./layout.ts"
import { decodeFileMessage } from "./messages.ts"
import { OfferedFile } from "./offered-file.ts"
import { OwnCopy, ownCopyName, UnfinishedCopies } from "./own-copy.ts"
import { OwnMembers } from "./own-members.ts"
import { type FileLinks, Serving } from "./serving.ts"
import { formatTicket, type OwnedTicket, parseTicket, type Ticket } from "./ticket.ts"

/** Concurrent fetches; further ones wait. */
export const FETCHES_AT_ONCE = 3
/** How many of them are files of one owner, who may send nothing for as long as it is here. */
const FETCHES_OF_ONE_MAX = FETCHES_AT_ONCE - 1
/**
 * Time after which a fetch leaves its place to an owner that has none. Owners get places in turn, so with N owners one
 * waits N / `FETCHES_AT_ONCE` times as long at most. A block fits even over a line of 50 kbit/s.
 */
export const FETCH_TURN_MS = 180_000
export const FETCHES_WAITING_MAX = 256

/** Progress of a fetch or of an offer. `watch`: a file's id, or the name of an offer. */
type FileProgress = { readonly type: "file"; readonly watch: string; readonly progress: FetchProgress }

export type ExchangeConfig = HoldersConfig & {
  readonly conferenceId: string
  readonly cipher: DataCipher
  /** Names this identity's part of the store. */
  readonly shelf: string
  readonly blocks: BlockStore
  readonly mesh: FileLinks
  /** The application's present view. */
  readonly roster: { readonly view: Pick<ConferenceView, "status"> }
  readonly clock: Clock
  readonly sink: Sink<FileProgress>
}

export type Offering = {
  readonly content: Blob
  readonly name: string
  readonly type: string
  /** Name of this offer's progress events. */
  readonly watch: string
}

type Waiter = { readonly resolve: () => void; readonly reject: (error: KeymootError) => void }
type Fetch = {
  readonly ticket: Ticket
  readonly waiters: Set<Waiter>
  fetching: Fetching | null
  startedMs: number | null
}

export class FileExchange {
  readonly #config: ExchangeConfig
  readonly #files: KnownFiles
  /** In the order of their turn. */
  readonly #fetches = new Map<string, Fetch>()
  readonly #serving: Serving
  readonly #making = new Set<Promise<OfferedFile>>()
  /** Files whose blocks are being deleted. A fetch begins after that. */
  readonly #removing = new Map<string, Promise<void>>()
  readonly #unfinished: UnfinishedCopies
  readonly #own: OwnMembers
  readonly #holders: Holders
  readonly #heardMs = new LruMap<MemberId, number>(CONFERENCE_MEMBERS_MAX)
  #closed = false

  constructor(config: ExchangeConfig) {
    this.#config = config
    this.#unfinished = new UnfinishedCopies(config.blocks, config.shelf)
    this.#own = new OwnMembers(config.blocks, config.shelf, config.self)
    this.#holders = new Holders(config)
    this.#files = new KnownFiles({ ...config, own: this.#own })
    this.#serving = new Serving({ ...config, files: this.#files })
  }

  // Calls of the application

  /** @throws KeymootError as `OfferedFile.make`, `aborted`, `closed` */
  async offer(offering: Offering, signal: AbortSignal): Promise<string> {
    const making = this.#make(offering, signal)
    this.#making.add(making)
    try {
      const file = await making
      this.#files.offer(file)
      return formatTicket(file.ticket)
    } finally {
      this.#making.delete(making)
    }
  }

  /**
   * Resolves when the file is complete. @throws KeymootError `file-unavailable`, `file-altered`, `storage-full`,
   * `aborted`, `closed`, …
   */
  fetch(of: OwnedTicket, signal: AbortSignal): Promise<void> {
    if (this.#closed) throw over()
    const ticket = this.#know(of)
    if (this.#files.offered(ticket.file)) return Promise.resolve()
    if (this.#fetches.size >= FETCHES_WAITING_MAX) {
      throw new KeymootError("queue-full", "Too many files are being fetched. Wait until some have arrived.")
    }
    return new Promise((resolve, reject) => {
      const fetch = this.#fetches.get(ticket.file) ?? newFetch(ticket)
      this.#fetches.set(ticket.file, fetch)
      const waiter = { resolve, reject }
      fetch.waiters.add(waiter)
      signal.addEventListener("abort", () => this.#withdraw(fetch, waiter, cancelled()), { once: true })
      this.#next()
    })
  }

  /** Bytes of the content stored here, in whole blocks. */
  async kept(of: OwnedTicket): Promise<number> {
    const ticket = this.#know(of)
    if (this.#files.offered(ticket.file)) return ticket.sizeBytes
    return keptBytes(ticket, await this.#config.blocks.count(this.#config.shelf, await this.#files.keptAs(ticket)))
  }

  /**
   * Returns a block of the content of a complete file, or of its stored copy if the original has changed. @throws
   * KeymootError `file-unavailable`
   */
  async read(of: OwnedTicket, block: number): Promise<Uint8Array> {
    const ticket = this.#know(of)
    const offered = this.#files.offered(ticket.file)
    const original = await offered?.content(block).catch(() => null)
    if (original) return original
    const sealed = await this.#config.blocks.read(this.#config.shelf, await this.#files.keptAs(ticket), block)
    const content = sealed && (await new FileCipher(ticket, this.#config).open(block, sealed))
    if (content) return content
    if (offered) return offered.content(block)
    throw new KeymootError("file-unavailable", "This part of the file has not been downloaded. Fetch the file first.")
  }

  /** Deletes what is stored of it and ends its offer. */
  async remove(of: OwnedTicket): Promise<void> {
    const ticket = this.#know(of)
    const removing = this.#remove(ticket).finally(() => this.#removing.delete(ticket.file))
    this.#removing.set(ticket.file, removing)
    await removing
  }

  async #remove(ticket: Ticket): Promise<void> {
    const { file } = ticket
    const fetch = this.#fetches.get(file)
    const removed = new KeymootError("aborted", "The file was removed while it was fetched.")
    const ended = fetch?.fetching?.ended
    for (const waiter of fetch?.waiters ?? []) this.#withdraw(fetch!, waiter, removed)
    await ended
    this.#files.remove(file)
    await this.#config.blocks.remove(this.#config.shelf, await this.#files.keptAs(ticket))
  }

  // Events of the conference

  receive(from: MemberId, bytes: Uint8Array): void {
    const message = decodeFileMessage(bytes)
    if (!message || !this.#holders.isPresent(from)) return
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

  /** The view or a link has changed. */
  changed(left: readonly MemberId[] = []): void {
    for (const member of left) this.#heardMs.delete(member)
    for (const { fetching } of this.#fetches.values()) {
      fetching?.left(left)
      fetching?.reach(null)
    }
  }

  /** Whether nothing is being fetched. */
  get isCalm(): boolean {
    return this.#fetches.size === 0
  }

  tick(nowMs: number): void {
    this.#serving.tick(nowMs)
    for (const { ticket, fetching } of this.#fetches.values()) this.#report(ticket, fetching?.tick(nowMs) ?? null)
    const { running, waiting } = this.#places()
    const longest = running[0]
    if (!longest?.fetching || nowMs - longest.startedMs! < FETCH_TURN_MS) return
    const isWaited = waiting.some(({ ticket }) => running.every((other) => other.ticket.owner !== ticket.owner))
    if (isWaited) void longest.fetching.stop(turnOver)
  }

  /** Resolves when all writing has ended. */
  async close(): Promise<void> {
    this.#closed = true
    this.#serving.close()
    const stopped = [...this.#fetches.values()].map(({ fetching }) => fetching?.stop(over()))
    for (const fetch of this.#fetches.values()) this.#ended(fetch, over())
    await Promise.all(stopped)
    await Promise.allSettled(this.#making)
    await this.#unfinished.idle()
  }

  /** Closes, and deletes all blocks from this device. */
  async forget(): Promise<void> {
    await this.close()
    await this.#config.blocks.forget(this.#config.shelf)
  }

  // Internals

  async #make({ content, name, type, watch }: Offering, signal: AbortSignal): Promise<OfferedFile> {
    const { self: owner, conferenceId, cipher, sink, blocks, shelf } = this.#config
    const copy = await OwnCopy.begin({ blocks, shelf, unfinished: this.#unfinished }, content.size)
    try {
      const about = { name, type, owner, conferenceId, cipher }
      const made = await OfferedFile.make(content, about, async ({ key, block, sealed, readBytes }) => {
        if (this.#closed) throw over()
        if (signal.aborted) throw cancelled()
        await copy.append(ownCopyName(key), block, sealed)
        sink.take({ type: "file", watch, progress: { receivedBytes: readBytes, waiting: false } })
      })
      await copy.finish()
      // Without the record the copy is found until another rename.
      await this.#own.record().catch(() => undefined)
      return made
    } catch (error) {
      await copy.discard()
      throw error
    }
  }

  #know({ ticket: text, owner }: OwnedTicket): Ticket {
    const ticket = parseTicket(text, { conferenceId: this.#config.conferenceId, owner })
    this.#files.add(ticket)
    return ticket
  }

  /** Fetches with a place, the longest first, and those that wait for one. */
  #places(): { readonly running: Fetch[]; readonly waiting: readonly Fetch[] } {
    const all = [...this.#fetches.values()]
    const running = all.filter(({ startedMs }) => startedMs !== null).sort((a, b) => a.startedMs! - b.startedMs!)
    return { running, waiting: all.filter(({ startedMs }) => startedMs === null) }
  }

  #next(): void {
    const { running, waiting } = this.#places()
    // An owner without a place is first.
    for (const most of [1, FETCHES_OF_ONE_MAX]) {
      for (const fetch of waiting) {
        const ofOwner = running.filter(({ ticket }) => ticket.owner === fetch.ticket.owner)
        if (fetch.startedMs !== null || running.length >= FETCHES_AT_ONCE || ofOwner.length >= most) continue
        running.push(fetch)
        fetch.startedMs = this.#config.clock.now()
        void this.#start(fetch)
      }
    }
  }

  /** Puts what waits of this owner behind the files of others. */
  #putBehind(owner: MemberId): void {
    const { waiting } = this.#places()
    for (const fetch of waiting.filter(({ ticket }) => ticket.owner === owner)) {
      this.#fetches.delete(fetch.ticket.file)
      this.#fetches.set(fetch.ticket.file, fetch)
    }
  }

  async #start(fetch: Fetch): Promise<void> {
    const { ticket } = fetch
    const { blocks, shelf, mesh, roster, clock } = this.#config
    await this.#removing.get(ticket.file)?.catch(() => undefined)
    const isOwn = await this.#own.has(ticket.owner)
    const keptAs = await this.#files.keptAs(ticket)
    const keptBlocks = await blocks.count(shelf, keptAs).catch(() => 0)
    if (this.#closed || this.#fetches.get(ticket.file) !== fetch) return
    if (keptBlocks === blockCount(ticket.sizeBytes)) return this.#ended(fetch, null)
    const isAlone = this.#holders.besides(ticket.owner).length === 0
    // An absent member may return at any moment. Without other members nobody is expected.
    const isAway = roster.view.status === "secured" && !this.#holders.isPresent(ticket.owner)
    if ((isOwn || isAway) && isAlone) return this.#ended(fetch, unavailable(isOwn ? "gone" : "away"))
    const shared = { holders: this.#holders, heardMs: this.#heardMs }
    const fetching = new Fetching({ ticket, keptBlocks, blocks, shelf, keptAs, mesh, ...shared })
    fetch.fetching = fetching
    void fetching.ended.then((error) => this.#ended(fetch, error))
    if (isOwn || isAway) fetching.left([ticket.owner])
    this.#report(ticket, fetching.tick(clock.now()))
  }

  #report({ file }: Ticket, progress: FetchProgress | null): void {
    if (progress) this.#config.sink.take({ type: "file", watch: file, progress })
  }

  #withdraw(fetch: Fetch, waiter: Waiter, aborted: KeymootError): void {
    if (!fetch.waiters.delete(waiter)) return
    waiter.reject(aborted)
    if (fetch.waiters.size > 0) return
    if (fetch.fetching) void fetch.fetching.stop(aborted)
    else this.#ended(fetch, aborted)
  }

  #ended(fetch: Fetch, error: KeymootError | null): void {
    const { ticket, waiters } = fetch
    // A stopped fetch begins anew for those that asked for the file meanwhile.
    const isOver = error?.code !== "aborted" || this.#closed || waiters.size === 0
    if (isOver && this.#fetches.get(ticket.file) === fetch) this.#fetches.delete(ticket.file)
    for (const { resolve, reject } of isOver ? waiters : []) {
      if (error) reject(error)
      else resolve()
    }
    if (isOver) waiters.clear()
    else fetch.fetching = fetch.startedMs = null
    this.#putBehind(ticket.owner)
    if (!this.#closed) this.#next()
  }
}

function newFetch(ticket: Ticket): Fetch {
  return { ticket, waiters: new Set(), fetching: null, startedMs: null }
}

/** Ends a turn. The fetch begins anew behind others, with the blocks that are stored. */
const turnOver = new KeymootError("aborted", "The fetch waits for files of others.")

function cancelled(): KeymootError {
  return new KeymootError("aborted", "The operation was cancelled.")
}

function over(): KeymootError {
  return new KeymootError("closed", "You are no longer in this conference. Join it again to share or fetch files.")
}
