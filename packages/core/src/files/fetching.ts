import type { MemberId } from "@keymoot/transport"
import { KeymootError } from "../api/index.ts"
import { SerialQueue } from "../queues/serial-queue.ts"
import { equalBytes, type LruMap } from "../wire/index.ts"
import { BlocksFullError, type BlockStore } from "../device/stores/block-store.ts"
import { isBlockOf, rootOf } from "./cipher.ts"
import { FetchCore, type FetchInput, type FetchOutput, STALL_MS, UNANSWERED_REQUESTS_MAX } from "./fetch-core.ts"
import type { Holders } from "./holders.ts"
import { BLOCK_BYTES, CHUNK_BYTES } from "./layout.ts"
import type { FileMessage, Refusal } from "./messages.ts"
import { sendFileMessage, type FileLinks } from "./serving.ts"
import type { Ticket } from "./ticket.ts"

/** Interval of progress reports. */
const PROGRESS_MS = 200

type FetchFailure = Refusal | "left" | "away" | "silent"

export type FetchProgress = { readonly receivedBytes: number; readonly waiting: boolean }

export type FetchingConfig = {
  readonly ticket: Ticket
  /** Blocks stored already. */
  readonly keptBlocks: number
  /** The store of its blocks, with the names of its shelf and of its copy there. */
  readonly blocks: BlockStore
  readonly shelf: string
  readonly keptAs: string
  readonly mesh: FileLinks
  readonly holders: Holders
  /** Last tick before each member sent a requested chunk of any file. All fetches of a conference share it. */
  readonly heardMs: LruMap<MemberId, number>
}

/**
 * Fetches one file: verifies and stores what arrives. It falls back to another member that has the file if the owner
 * fails or has no link at the start.
 */
export class Fetching {
  /** Resolves once nothing is written any more; null means complete. */
  readonly ended: Promise<KeymootError | null>
  readonly #config: FetchingConfig
  readonly #core: FetchCore
  readonly #queue: SerialQueue
  readonly #tried = new Set<MemberId>()
  #from: MemberId
  /** A member sent content that does not match the ticket. */
  #altered = false
  readonly #silent = new Set<MemberId>()
  /** A source, which may have the file, could not be reached, or sent nothing. */
  #unreached: "away" | "silent" | null = null
  #nowMs = 0
  /** Content of the former source is still being verified or written. */
  #turning = false
  #list = new Uint8Array(0)
  #reportedMs = 0
  #reported: FetchProgress = { receivedBytes: -1, waiting: false }
  #over = false
  #settle!: (error: KeymootError | null) => void

  constructor(config: FetchingConfig) {
    this.#config = config
    const { ticket, holders } = config
    // Two members can miss each other for as long as both are here. The owner remains a later source.
    this.#from = [ticket.owner, ...holders.besides(ticket.owner)].find((id) => holders.isReachable(id)) ?? ticket.owner
    this.#core = new FetchCore(config.ticket.sizeBytes, config.keptBlocks)
    this.#queue = new SerialQueue((error) => this.#end(storageError(error)))
    this.ended = new Promise((settle) => (this.#settle = settle))
  }

  /** Returns the progress if it is to be reported. */
  tick(nowMs: number): FetchProgress | null {
    this.#nowMs = nowMs
    this.#reach()
    this.#step({ type: "tick", nowMs })
    if (nowMs - this.#reportedMs < PROGRESS_MS) return null
    this.#reportedMs = nowMs
    return this.#progress()
  }

  receive(from: MemberId, message: FileMessage): void {
    if (from !== this.#from) return
    const arrived = this.#core.arrivedChunks
    if (message.kind === "piece") this.#step({ ...message, type: "piece", bytes: message.bytes.slice() })
    else if (message.kind === "refusal") this.#fail(message.reason)
    if (this.#core.arrivedChunks > arrived) this.#config.heardMs.set(from, this.#nowMs)
  }

  /** These members said goodbye. */
  left(members: readonly MemberId[]): void {
    const { owner } = this.#config.ticket
    if (members.includes(owner)) this.#tried.add(owner)
    if (members.includes(this.#from)) this.#fail("left")
  }

  /** Links or the view have changed. A new link to a member has lost the requests of its former one. */
  reach(lostLink: MemberId | null): void {
    if (lostLink === this.#from) this.#step({ type: "reach", reachable: false })
    this.#reach()
  }

  /** Resolves when all writing has ended. */
  stop(error: KeymootError): Promise<void> {
    this.#sendStop()
    this.#end(error)
    return this.#queue.idle()
  }

  #sendStop(): void {
    const { mesh, ticket, holders } = this.#config
    if (holders.isReachable(this.#from)) sendFileMessage(mesh, this.#from, { kind: "stop", file: ticket.file })
  }

  #reach(): void {
    if (this.#turning) return
    this.#step({ type: "reach", reachable: this.#config.holders.isReachable(this.#from) })
  }

  #step(input: FetchInput): void {
    if (this.#over) return
    for (const output of this.#core.step(input)) this.#act(output)
  }

  #act(output: FetchOutput): void {
    const { ticket, mesh } = this.#config
    switch (output.type) {
      case "want":
        return void sendFileMessage(mesh, this.#from, { kind: "want", file: ticket.file, ...wantOf(output) })
      case "list":
        return this.#checkInOrder((from) => this.#check(from, output.bytes))
      case "block":
        return this.#checkInOrder((from) => this.#keep(from, output.block, output.bytes))
      case "done":
        return this.#end(null)
      case "altered":
        return this.#onAltered(this.#from)
      case "away":
      case "silent":
        return this.#fail(output.type)
    }
  }

  /** The source cannot send the file: asks the next one, or fails. */
  #fail(reason: FetchFailure): void {
    this.#tried.add(this.#from)
    if (reason === "away" || reason === "silent") this.#unreached = reason
    if (reason === "silent") this.#silent.add(this.#from)
    const { holders, ticket } = this.#config
    const others = holders.besides(ticket.owner)
    const next =
      others.find((member) => !this.#tried.has(member) && holders.isReachable(member)) ??
      (this.#tried.has(ticket.owner) ? [ticket.owner, ...others].find((member) => this.#isBusy(member)) : ticket.owner)
    if (next === undefined) return this.#end(this.#altered ? altered() : unavailable(this.#unreached ?? reason))
    if (next === this.#from) return
    if (reason === "silent") this.#sendStop()
    this.#from = next
    this.#turning = true
    this.#queue.add(() => {
      this.#turning = false
      this.#step({ type: "restart" })
      this.#reach()
    })
  }

  /** Whether a silent member sends another file meanwhile. Over a slow line this one waits for that. */
  #isBusy(member: MemberId): boolean {
    const heardMs = this.#config.heardMs.get(member) ?? -Infinity
    const isHeard = this.#nowMs - heardMs < UNANSWERED_REQUESTS_MAX * STALL_MS
    return this.#silent.has(member) && isHeard && this.#config.holders.isReachable(member)
  }

  /** Discards what a former source sent. */
  #checkInOrder(check: (from: MemberId) => Promise<void>): void {
    const from = this.#from
    this.#queue.add(() => (this.#from === from ? check(from) : undefined))
  }

  /** Another source may be honest. During the check the fetch may have moved on: a former source is not asked again. */
  #onAltered(from: MemberId): void {
    this.#altered = true
    if (from !== this.#from) return
    this.#sendStop()
    this.#fail("gone")
  }

  async #check(from: MemberId, list: Uint8Array): Promise<void> {
    const { sizeBytes, root } = this.#config.ticket
    if (!equalBytes(await rootOf(sizeBytes, list), root)) return this.#onAltered(from)
    this.#list = list as Uint8Array<ArrayBuffer>
    this.#step({ type: "listed" })
  }

  async #keep(from: MemberId, block: number, sealed: Uint8Array): Promise<void> {
    if (this.#over) return
    if (!(await isBlockOf(this.#list, block, sealed))) return this.#onAltered(from)
    const { blocks, shelf, keptAs } = this.#config
    await blocks.append(shelf, keptAs, block, sealed)
    this.#step({ type: "kept", block })
  }

  #progress(): FetchProgress | null {
    if (this.#over) return null
    const receivedBytes = Math.min(this.#config.ticket.sizeBytes, this.#core.arrivedChunks * CHUNK_BYTES)
    const waiting = !this.#core.reachable
    if (receivedBytes === this.#reported.receivedBytes && waiting === this.#reported.waiting) return null
    return (this.#reported = { receivedBytes, waiting })
  }

  #end(error: KeymootError | null): void {
    if (this.#over) return
    this.#over = true
    // Waits for the block in progress, so that another attempt counts it.
    void this.#afterWriting(error)
  }

  async #afterWriting(error: KeymootError | null): Promise<void> {
    await this.#queue.idle()
    this.#settle(error)
  }
}

function wantOf({ part, from, count }: FetchOutput & { type: "want" }) {
  return { part, from, count }
}

/** Bytes of the content in this many whole blocks. */
export function keptBytes({ sizeBytes }: Ticket, blocks: number): number {
  return Math.min(sizeBytes, blocks * BLOCK_BYTES)
}

export function unavailable(reason: FetchFailure): KeymootError {
  const why = {
    gone: "No member here has this file any more. Ask its owner to offer it again.",
    unreadable: "The file was moved, changed or removed where it is offered. Ask for it to be offered again.",
    left: "The member that offered this file has left. The received part is kept. Ask for the file to be offered again.",
    away: "The member that offered this file cannot be reached. The received part is kept. Try again when that member is back.",
    silent: "The member that offered this file does not send it. The received part is kept. Try again later.",
  }
  return new KeymootError("file-unavailable", why[reason])
}

function altered(): KeymootError {
  const message = "The received data differs from the offered file, and was deleted. Ask for the file in another way."
  return new KeymootError("file-altered", message)
}

function storageError(cause: unknown): KeymootError {
  const full =
    cause instanceof BlocksFullError || (cause instanceof DOMException && cause.name === "QuotaExceededError")
  if (full) {
    const message = "This device has not enough space for this file. Free some space and try again."
    return new KeymootError("storage-full", message, { cause })
  }
  const message = "The file could not be kept on this device. Allow this site to store data, and try again."
  return new KeymootError("storage-unavailable", message, { cause })
}
