import type { MemberId } from "@keymoot/transport"
import { Arrivals } from "../../history/arrivals.ts"
import { type Assembly, ChunkAssembler } from "../../history/chunks.ts"
import { type Incoming, IncomingTransfers } from "../../history/incoming-transfers.ts"
import { InflationBudget, inflater } from "../../wire/index.ts"
import { DOCUMENT_BYTES_MAX } from "./document-sender.ts"

/** Bound on one transfer in bytes: of a large change, or of a compressed document. */
export const TRANSFER_BYTES_MAX = 31 * 1024 * 1024
/** Bound on the inflated bytes of all document transfers in one view: two of the largest size. */
export const DOCUMENTS_INFLATED_BYTES_MAX = 2 * DOCUMENT_BYTES_MAX

/** State shared by the documents of a conference: the members that may transfer, and the inflation budget. */
export type TransfersOfDocuments = { readonly arrivals: Arrivals; readonly budget: InflationBudget }

export function newTransfers(): TransfersOfDocuments {
  return { arrivals: new Arrivals(), budget: new InflationBudget(DOCUMENTS_INFLATED_BYTES_MAX) }
}

/**
 * Assembles what other members send of one document in pieces. Large changes are uncompressed and accepted at any time.
 *
 * Transfers are compressed and accepted once from each member that just arrived. A member sends one part in each view:
 * its own or, if it is the chosen one, also the parts of absent members.
 */
export class DocumentTransfers {
  readonly #budget: InflationBudget
  readonly #incoming: IncomingTransfers
  /** Large changes in progress, at most one of each sender. */
  readonly #changes = new Map<MemberId, ChunkAssembler>()

  constructor({ arrivals, budget }: TransfersOfDocuments) {
    this.#budget = budget
    // No timeout: a document that an application opens late is transferred late.
    this.#incoming = new IncomingTransfers(arrivals, { bytesMax: TRANSFER_BYTES_MAX, beginsWithinMs: Infinity })
  }

  /** Drops unfinished changes of members that are gone. */
  onView(present: ReadonlySet<MemberId>): void {
    for (const sender of this.#changes.keys()) if (!present.has(sender)) this.#changes.delete(sender)
    this.#incoming.onView()
  }

  acceptChange(from: MemberId, piece: Uint8Array): Assembly {
    const assembler = this.#changes.get(from) ?? new ChunkAssembler(TRANSFER_BYTES_MAX)
    this.#changes.set(from, assembler)
    const assembly = assembler.accept(piece)
    if (assembly.type !== "incomplete") this.#changes.delete(from)
    return assembly
  }

  acceptTransferred(from: MemberId, piece: Uint8Array): Incoming {
    return this.#incoming.accept(from, piece, 0)
  }

  /** Returns null for a transfer that can't be inflated or exceeds the budget. */
  inflate(transferred: Uint8Array): Promise<Uint8Array | null> {
    return inflater.inflate(transferred, DOCUMENT_BYTES_MAX, this.#budget)
  }
}
