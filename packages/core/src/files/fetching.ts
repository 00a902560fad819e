import type { MemberId } from "@keymoot/transport"
import { KeymootError } from "../api.ts"
import { SerialQueue } from "../engine/serial-queue.ts"
import { equalBytes } from "../wire/index.ts"
import { BlocksFullError } from "./block-store.ts"
import { isBlockOf, rootOf } from "./cipher.ts"
import { FetchCore, type FetchFailure, type FetchInput, type FetchOutput } from "./fetch-core.ts"
import { BLOCK_BYTES, CHUNK_BYTES } from "./layout.ts"
import type { FileMessage } from "./messages.ts"
import type { Ticket } from "./ticket.ts"

/** How often progress is told. */
const PROGRESS_MS = 200

export type FetchProgress = { readonly receivedBytes: number; readonly waiting: boolean }

export type FetchingConfig = {
  readonly ticket: Ticket
  /** Here already. */
  readonly keptBlocks: number
  readonly append: (block: number, sealed: Uint8Array) => Promise<void>
  readonly send: (to: MemberId, message: FileMessage) => void
  /** Member of the present view, with a link. */
  readonly reachable: (member: MemberId) => boolean
  /** Who may have it too, the owner not among them. */
  readonly others: () => readonly MemberId[]
  readonly progress: (progress: FetchProgress) => void
  /** Once; null: all of it is here. */
  readonly ended: (error: KeymootError | null) => void
}

/** Drives the fetching of one file: checks what comes, keeps it, and turns to another member that has it where the owner fails. */
export class Fetching {
  readonly #config: FetchingConfig
  readonly #core: FetchCore
  readonly #queue: SerialQueue
  readonly #tried = new Set<MemberId>()
  #from: MemberId
  /** Somebody gave something else than was offered. */
  #altered = false
  /** What the former member gave is still being checked or written. */
  #turning = false
  #list = new Uint8Array(0)
  #toldMs = 0
  #told: FetchProgress = { receivedBytes: -1, waiting: false }
  #over = false

  constructor(config: FetchingConfig) {
    this.#config = config
    this.#from = config.ticket.owner
    this.#core = new FetchCore(config.ticket.sizeBytes, config.keptBlocks)
    this.#queue = new SerialQueue((error) => this.#end(storageError(error)))
  }

  tick(nowMs: number): void {
    this.#reach()
    this.#step({ type: "tick", nowMs })
    if (nowMs - this.#toldMs < PROGRESS_MS) return
    this.#toldMs = nowMs
    this.#tell()
  }

  receive(from: MemberId, message: FileMessage): void {
    if (from !== this.#from) return
    if (message.kind === "piece") this.#step({ ...message, type: "piece", bytes: message.bytes.slice() })
    else if (message.kind === "refusal") this.#fail(message.reason)
  }

  /** These have said goodbye. */
  left(members: readonly MemberId[]): void {
    if (members.includes(this.#from)) this.#fail("left")
  }

  /** Links or view have changed. A link that was made anew has lost what was asked over the former one. */
  reach(lostLink: MemberId | null): void {
    if (lostLink === this.#from) this.#step({ type: "reach", reachable: false })
    this.#reach()
  }

  /** Resolves when nothing more is written. */
  stop(error: KeymootError): Promise<void> {
    if (this.#config.reachable(this.#from)) {
      this.#config.send(this.#from, { kind: "stop", file: this.#config.ticket.file })
    }
    this.#end(error)
    return this.#queue.idle()
  }

  #reach(): void {
    if (this.#turning) return
    this.#step({ type: "reach", reachable: this.#config.reachable(this.#from) })
  }

  #step(input: FetchInput): void {
    if (this.#over) return
    for (const output of this.#core.step(input)) this.#act(output)
  }

  #act(output: FetchOutput): void {
    const { ticket, send } = this.#config
    switch (output.type) {
      case "want":
        return send(this.#from, { kind: "want", file: ticket.file, ...wantOf(output) })
      case "list":
        return this.#checkInOrder(() => this.#check(output.bytes))
      case "block":
        return this.#checkInOrder(() => this.#keep(output.block, output.bytes))
      case "done":
        return this.#end(null)
      case "failed":
        return this.#fail(output.reason)
    }
  }

  /** Whoever it was asked of cannot give it: the next one is asked, or it is over. */
  #fail(reason: FetchFailure): void {
    this.#tried.add(this.#from)
    const next = this.#config.others().find((member) => !this.#tried.has(member) && this.#config.reachable(member))
    if (next === undefined || reason === "away") return this.#end(this.#altered ? altered() : unavailable(reason))
    this.#from = next
    this.#turning = true
    this.#queue.add(() => {
      this.#turning = false
      this.#step({ type: "restart" })
      this.#reach()
    })
  }

  /** What somebody gave who is not asked any more is not looked at. */
  #checkInOrder(check: () => Promise<void>): void {
    const from = this.#from
    this.#queue.add(() => (this.#from === from ? check() : undefined))
  }

  /** Another member that has the file may be honest. */
  #onAltered(): void {
    this.#altered = true
    if (this.#config.reachable(this.#from)) {
      this.#config.send(this.#from, { kind: "stop", file: this.#config.ticket.file })
    }
    this.#fail("gone")
  }

  async #check(list: Uint8Array): Promise<void> {
    const { sizeBytes, root } = this.#config.ticket
    if (!equalBytes(await rootOf(sizeBytes, list), root)) return this.#onAltered()
    this.#list = list as Uint8Array<ArrayBuffer>
    this.#step({ type: "listed" })
  }

  async #keep(block: number, sealed: Uint8Array): Promise<void> {
    if (this.#over) return
    if (!(await isBlockOf(this.#list, block, sealed))) return this.#onAltered()
    await this.#config.append(block, sealed)
    this.#step({ type: "kept", block })
  }

  #tell(): void {
    if (this.#over) return
    const receivedBytes = Math.min(this.#config.ticket.sizeBytes, this.#core.arrivedChunks * CHUNK_BYTES)
    const waiting = !this.#core.reachable
    if (receivedBytes === this.#told.receivedBytes && waiting === this.#told.waiting) return
    this.#told = { receivedBytes, waiting }
    this.#config.progress(this.#told)
  }

  #end(error: KeymootError | null): void {
    if (this.#over) return
    this.#over = true
    // A block that is being written is in its place before another attempt counts what is there.
    void this.#afterWriting(error)
  }

  async #afterWriting(error: KeymootError | null): Promise<void> {
    await this.#queue.idle()
    this.#config.ended(error)
  }
}

function wantOf({ part, from, count }: FetchOutput & { type: "want" }) {
  return { part, from, count }
}

/** Of the content, in so many whole blocks. */
export function keptBytes({ sizeBytes }: Ticket, blocks: number): number {
  return Math.min(sizeBytes, blocks * BLOCK_BYTES)
}

export function unavailable(reason: FetchFailure): KeymootError {
  const why = {
    gone: "Nobody here has this file any more. Ask whoever offered it to offer it again.",
    unreadable: "The file was moved, changed or removed where it is offered. Ask for it to be offered again.",
    left: "Whoever offered this file has left. What has come is kept; ask for the file to be offered again.",
    away: "Whoever offered this file cannot be reached. What has come is kept; try again when they are back.",
  }
  return new KeymootError("file-unavailable", why[reason])
}

function altered(): KeymootError {
  const message = "What came is not what was offered, and was not kept. Ask for the file in another way."
  return new KeymootError("file-altered", message)
}

function storageError(cause: unknown): KeymootError {
  const full =
    cause instanceof BlocksFullError || (cause instanceof DOMException && cause.name === "QuotaExceededError")
  if (full) {
    const message = "There is no room for this file on this device. Remove files, or free some space, and try again."
    return new KeymootError("storage-full", message, { cause })
  }
  const message = "The file could not be kept on this device. Allow this site to store data, and try again."
  return new KeymootError("storage-unavailable", message, { cause })
}
