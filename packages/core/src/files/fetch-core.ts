import { concatBytes } from "@noble/hashes/utils.js"
import { BLOCK_CHUNKS, blockCount, CHUNK_BYTES, chunkCount, HASH_BYTES, listCount, TAG_BYTES } from "./layout.ts"
import type { Part } from "./messages.ts"

/** Bound on blocks that are requested and not stored yet. It bounds a fetch's memory. */
export const BLOCKS_UNDER_WAY_MAX = 4
/** Timeout for requested pieces on an existing link. A piece was rejected on the way and is requested again. */
export const STALL_MS = 5_000
/** Requests in sequence without a piece after which a source is silent. */
export const UNANSWERED_REQUESTS_MAX = 6
/** Timeout without a link to the source, which may return after a lost connection or in another view. */
export const AWAY_MS = 30_000

export type FetchInput =
  | { readonly type: "tick"; readonly nowMs: number }
  /** Whether the source is a member of the present view with a link. */
  | { readonly type: "reach"; readonly reachable: boolean }
  | { readonly type: "piece"; readonly part: Part; readonly index: number; readonly bytes: Uint8Array }
  /** The list of hashes matches the ticket. */
  | { readonly type: "listed" }
  /** A block is verified and stored. */
  | { readonly type: "kept"; readonly block: number }
  /** From now on another member is asked. Pieces of an unfinished block are discarded as untrusted. */
  | { readonly type: "restart" }

export type FetchOutput =
  | { readonly type: "want"; readonly part: Part; readonly from: number; readonly count: number }
  /** The whole list of hashes. Verify it against the root. */
  | { readonly type: "list"; readonly bytes: Uint8Array }
  /** A whole block. Verify it against the list and store it. */
  | { readonly type: "block"; readonly block: number; readonly bytes: Uint8Array }
  | { readonly type: "done" }
  /** The source sent a piece of a length that the ticket rules out. */
  | { readonly type: "altered" }
  /** The source has had no link for `AWAY_MS`. The fetch continues after a restart, or with the next link. */
  | { readonly type: "away" }
  /**
   * The source has a link, and has answered none of `UNANSWERED_REQUESTS_MAX` requests. They begin anew unless a restart
   * follows.
   */
  | { readonly type: "silent" }

/**
 * Fetches one file from one source at a time: first the list of hashes, then the missing blocks in sequence. A link
 * keeps the order, so pieces arrive in the order of the requests. Others belong to earlier requests and are ignored.
 */
export class FetchCore {
  readonly #sizeBytes: number
  readonly #chunks: number
  readonly #blocks: number
  #part: Part = "hashes"
  #nowMs = 0
  #reachable = false
  /** Start of the present wait; null if no piece is expected. */
  #waitingSinceMs: number | null = null
  #awaySinceMs: number | null = null
  /** Requests since the last piece, also those after a lost link. So a source that drops its link is silent too. */
  #unanswered = 0
  /** State of the present part: the next piece to arrive, and the next to request. */
  #arrived = 0
  #asked = 0
  #kept: number
  #pieces: Uint8Array[] = []
  #over = false

  /** @param keptBlocks blocks stored by an earlier attempt */
  constructor(sizeBytes: number, keptBlocks: number) {
    this.#sizeBytes = sizeBytes
    this.#chunks = chunkCount(sizeBytes)
    this.#blocks = blockCount(sizeBytes)
    this.#kept = keptBlocks
  }

  /** Chunks that have arrived, verified or not. */
  get arrivedChunks(): number {
    return this.#part === "data" ? this.#arrived : this.#kept * BLOCK_CHUNKS
  }

  get reachable(): boolean {
    return this.#reachable
  }

  step(input: FetchInput): readonly FetchOutput[] {
    if (this.#over) return []
    const outputs = this.#handle(input)
    this.#over = outputs.some(({ type }) => type === "done")
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
    }
  }

  #tick(nowMs: number): readonly FetchOutput[] {
    this.#nowMs = nowMs
    if (!this.#reachable) {
      this.#awaySinceMs ??= nowMs
      if (nowMs - this.#awaySinceMs <= AWAY_MS) return []
      this.#awaySinceMs = nowMs
      return [{ type: "away" }]
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
    this.#waitingSinceMs = this.#awaySinceMs = null
    this.#unanswered = 0
    this.#reachable = false
    return []
  }

  /** Requests without an answer are lost with the link. */
  #askAgain(): readonly FetchOutput[] {
    this.#asked = this.#arrived
    this.#waitingSinceMs = null
    const wants = this.#ask()
    if (wants.length === 0 || ++this.#unanswered <= UNANSWERED_REQUESTS_MAX) return wants
    this.#unanswered = 0
    return [{ type: "silent" }]
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

  /** The whole list at once; of the data a block, or its missing rest. */
  #nextRequest(): number {
    if (this.#part === "hashes") return listCount(this.#sizeBytes)
    const block = Math.floor(this.#asked / BLOCK_CHUNKS)
    if (block >= this.#kept + BLOCKS_UNDER_WAY_MAX) return this.#asked
    return Math.min(this.#chunks, (block + 1) * BLOCK_CHUNKS)
  }

  #onPiece({ part, index, bytes }: FetchInput & { type: "piece" }): readonly FetchOutput[] {
    const last = this.#part === "hashes" ? listCount(this.#sizeBytes) : this.#chunks
    if (part !== this.#part || index !== this.#arrived || index >= Math.min(last, this.#asked)) return []
    // Hashes alone do not notice that the end of a block is missing, and a message can be as long as many pieces.
    if (bytes.length !== pieceBytes(this.#sizeBytes, part, index)) return [{ type: "altered" }]
    this.#pieces.push(bytes)
    this.#arrived += 1
    this.#unanswered = 0
    this.#waitingSinceMs = this.#arrived < this.#asked ? this.#nowMs : null
    const complete = this.#arrived === last || (part === "data" && this.#arrived % BLOCK_CHUNKS === 0)
    return complete ? [this.#complete(part)] : []
  }

  #complete(part: Part): FetchOutput {
    const bytes = concatBytes(...this.#pieces)
    this.#pieces = []
    if (part === "hashes") return { type: "list", bytes }
    return { type: "block", block: Math.ceil(this.#arrived / BLOCK_CHUNKS) - 1, bytes }
  }
}

/** Length of a piece of a file of this size: of hashes, or of a sealed chunk. */
export function pieceBytes(sizeBytes: number, part: Part, index: number): number {
  const start = index * CHUNK_BYTES
  if (part === "data") return Math.min(CHUNK_BYTES, sizeBytes - start) + TAG_BYTES
  return Math.min(CHUNK_BYTES, chunkCount(sizeBytes) * HASH_BYTES - start)
}
