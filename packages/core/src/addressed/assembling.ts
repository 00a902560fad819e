import type { MemberId } from "@keymoot/transport"
import { ChunkAssembler, decodeChunk } from "../history/chunks.ts"
import { CONTENT_BYTES_MAX, decodePiece, openContent } from "./piece.ts"

export type Assembled =
  | { readonly type: "whole"; readonly subject: string; readonly data: Uint8Array }
  | { readonly type: "incomplete"; readonly received: number; readonly count: number }
  /** For other members, or the rest of a message that started before this member arrived. */
  | { readonly type: "not-for-me" }
  | { readonly type: "malformed" }

/**
 * Assembles messages in pieces, one at a time for each sender, so that a sender occupies at most the size of the
 * largest message.
 */
export class Assembling {
  readonly #self: MemberId
  readonly #assemblers = new Map<MemberId, ChunkAssembler>()

  constructor(self: MemberId) {
    this.#self = self
  }

  /** Drops unfinished messages of members that are gone. */
  onView(members: readonly { readonly id: MemberId }[]): void {
    const here = new Set(members.map(({ id }) => id))
    for (const sender of this.#assemblers.keys()) if (!here.has(sender)) this.#assemblers.delete(sender)
  }

  take(sender: MemberId, payload: Uint8Array): Assembled {
    const piece = decodePiece(payload)
    if (!piece) return { type: "malformed" }
    const { targets, subject, chunk } = piece
    const isMine = sender === this.#self || targets.length === 0 || targets.includes(this.#self)
    if (!isMine) return { type: "not-for-me" }
    const isOnly = decodeChunk(chunk)?.count === 1
    // A message of one piece may come between the pieces of another.
    const assembler = (isOnly ? null : this.#assemblers.get(sender)) ?? new ChunkAssembler(CONTENT_BYTES_MAX)
    const assembly = assembler.accept(chunk)
    if (assembly.type === "incomplete") this.#assemblers.set(sender, assembler)
    else if (!isOnly) this.#assemblers.delete(sender)
    if (assembly.type === "incomplete") return assembly
    if (assembly.type === "rejected") {
      return { type: assembly.reason === "out-of-order" ? "not-for-me" : "malformed" }
    }
    const data = openContent(assembly.bytes)
    return data ? { type: "whole", subject, data } : { type: "malformed" }
  }
}
