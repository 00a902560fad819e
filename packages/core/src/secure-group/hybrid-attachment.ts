import * as P from "micro-packed"
import { decodeOrNull } from "../wire/index.ts"

/** Both agreements' attachments to one SYNC. */
type HybridAttachment = { readonly classical: Uint8Array; readonly postQuantum: Uint8Array }

const coder: P.CoderType<HybridAttachment> = P.struct({ classical: P.bytes(P.U32BE), postQuantum: P.bytes(null) })
const NOTHING = { classical: new Uint8Array(0), postQuantum: new Uint8Array(0) }

export function joinAttachments(classical: Uint8Array, postQuantum: Uint8Array): Uint8Array {
  return coder.encode({ classical, postQuantum })
}

/** Bytes that are no such attachment give two empty ones, and both agreements name their sender. */
export function splitAttachment(bytes: Uint8Array): HybridAttachment {
  return decodeOrNull(coder, bytes) ?? NOTHING
}
