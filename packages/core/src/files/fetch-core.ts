import { BLOCK_CHUNKS, blockCount, chunkCount, listCount } from "./layout.ts"
import type { Part, Refusal } from "./messages.ts"

/** Blocks asked for and not kept yet: what a fetch holds in memory. */
export const BLOCKS_UNDER_WAY_MAX = 4
/** Asked for and nothing came, though there is a link: something was turned away on the way, and is asked for again. */
const STALL_MS = 5_000
/** Without a link to the owner: it may come back, after a lost connection or in another view. */
export const AWAY_MS = 30_000

export type FetchInput =
  | { readonly type: "tick"; readonly nowMs: number }
  /** The owner is a member of the present view and there is a link to it, or not. */
  | { readonly type: "reach"; readonly reachable: boolean }
  | { readonly type: "piece"; readonly part: Part; readonly index: number; readonly bytes: Uint8Array }
  /** The list of hashes is the one that the ticket pins. */
  | { readonly type: "listed" }
  /** A block has been checked and is on the disk. */
  | { readonly type: "kept"; readonly block: number }
  /** Another member is asked from now on: what has come of an unfinished block may have been anything. */
  | { readonly type: "restart" }
  | { readonly type: "refused"; readonly reason: Refusal }
  /** The owner has said goodbye. */
  | { readonly type: "left" }

export type FetchFailure = "gone" | "unreadable" | "left" | "away"
export type FetchOutput =
  | { readonly type: "want"; readonly part: Part; readonly from: number; readonly count: number }
  /** All of the list of hashes: to be checked against the root. */
  | { readonly type: "list"; readonly bytes: Uint8Array }
  /** All of a block: to be checked against the list, and kept. */
  | { readonly type: "block"; readonly block: number; readonly bytes: Uint8Array }
  | { readonly type: "done" }
  | { readonly type: "failed"; readonly reason: FetchFailure }

/**
 * Fetches one file from its owner: first the list of hashes, then block by block what is not here yet. Pieces come in the
 * order in which they were asked for, since a link keeps it; any other is left over from an earlier request, and ignored.
 */
export class FetchCore {
  readonly #sizeBytes: number
  readonly #chunks: number
  readonly #blocks: number
  #part: Part = "hashes"
  #nowMs = 0
  #reachable = false
  /** Since when nothing has come: null while there is nothing to wait for. */
  #waitingSinceMs: number | null = null
  #awaySinceMs: number | null = null
  /** Of the present part: the next piece to come, and the next to ask for. */
  #arrived = 0
  #asked = 0
  #kept: number
  #pieces: Uint8Array[] = []
  #over = false

  /** @param keptBlocks here already, from an earlier attempt */
  constructor(sizeBytes: number, keptBlocks: number) {
    this.#sizeBytes = sizeBytes
    this.#chunks = chunkCount(sizeBytes)
    this.#blocks = blockCount(sizeBytes)
    this.#kept = keptBlocks
  }

  /** Chunks that have come, checked or about to be. */
  get arrivedChunks(): number {
    return this.#part === "data" ? this.#arrived : this.#kept * BLOCK_CHUNKS
  }

  get reachable(): boolean {
    return this.#reachable
  }

  step(input: FetchInput): readonly FetchOutput[] {
    if (this.#over) return []
    const outputs = this.#handle(input)
    this.#over = outputs.some(({ type }) => type === "done" || type === "failed")
    return outputs
  }

  #handle(input: FetchInput): readonly FetchOutput[] {
    switch (input.type) {
      case "tick":
        return this.#tick(input.nowMs)
      case "reach":
        return this.#reach(input.reachable)
      case "piece":
        return this.#onPiece(input)
      case "listed":
        this.#part = "data"
        this.#arrived = this.#asked = this.#kept * BLOCK_CHUNKS
        return this.#ask()
      case "kept":
        this.#kept = input.block + 1
        return this.#kept === this.#blocks ? [{ type: "done" }] : this.#ask()
      case "restart":
        return this.#restart()
      case "refused":
        return [{ type: "failed", reason: input.reason }]
      case "left":
        return [{ type: "failed", reason: "left" }]
    }
  }

  #tick(nowMs: number): readonly FetchOutput[] {
    this.#nowMs = nowMs
    if (!this.#reachable) {
      this.#awaySinceMs ??= nowMs
      return nowMs - this.#awaySinceMs > AWAY_MS ? [{ type: "failed", reason: "away" }] : []
    }
    this.#awaySinceMs = null
    if (this.#waitingSinceMs === null || nowMs - this.#waitingSinceMs < STALL_MS) return []
    return this.#askAgain()
  }

  #reach(reachable: boolean): readonly FetchOutput[] {
    const before = this.#reachable
    this.#reachable = reachable
    return reachable && !before ? this.#askAgain() : []
  }

  #restart(): readonly FetchOutput[] {
    this.#pieces = []
    this.#arrived = this.#asked = this.#part === "hashes" ? 0 : this.#kept * BLOCK_CHUNKS
    this.#waitingSinceMs = null
    this.#reachable = false
    return []
  }

  /** What was asked for and has not come is lost with the link. */
  #askAgain(): readonly FetchOutput[] {
    this.#asked = this.#arrived
    this.#waitingSinceMs = null
    return this.#ask()
  }

  #ask(): readonly FetchOutput[] {
    if (!this.#reachable) return []
    const wants: FetchOutput[] = []
    for (let upTo = this.#nextRequest(); upTo > this.#asked; upTo = this.#nextRequest()) {
      wants.push({ type: "want", part: this.#part, from: this.#asked, count: upTo - this.#asked })
      this.#asked = upTo
    }
    if (wants.length > 0) this.#waitingSinceMs ??= this.#nowMs
    return wants
  }

  /** All of the list at once; of the data a block, or what is missing of it. */
  #nextRequest(): number {
    if (this.#part === "hashes") return listCount(this.#sizeBytes)
    const block = Math.floor(this.#asked / BLOCK_CHUNKS)
    if (block >= this.#kept + BLOCKS_UNDER_WAY_MAX) return this.#asked
    return Math.min(this.#chunks, (block + 1) * BLOCK_CHUNKS)
  }

  #onPiece({ part, index, bytes }: FetchInput & { type: "piece" }): readonly FetchOutput[] {
    const last = this.#part === "hashes" ? listCount(this.#sizeBytes) : this.#chunks
    if (part !== this.#part || index !== this.#arrived || index >= Math.min(last, this.#asked)) return []
    this.#pieces.push(bytes)
    this.#arrived += 1
    this.#waitingSinceMs = this.#arrived < this.#asked ? this.#nowMs : null
    const complete = this.#arrived === last || (part === "data" && this.#arrived % BLOCK_CHUNKS === 0)
    return complete ? [this.#complete(part)] : []
  }

  #complete(part: Part): FetchOutput {
    const bytes = joined(this.#pieces)
    this.#pieces = []
    if (part === "hashes") return { type: "list", bytes }
    return { type: "block", block: Math.ceil(this.#arrived / BLOCK_CHUNKS) - 1, bytes }
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const piece of pieces) {
    whole.set(piece, offset)
    offset += piece.length
  }
  return whole
}
