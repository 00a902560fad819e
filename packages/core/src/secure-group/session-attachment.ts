import type { SessionName } from "@keymoot/gke"
import * as P from "micro-packed"
import { decodeOrNull, U64, versionByte } from "../wire/index.ts"

/**
 * A member's state before a view, under majority. `held`: the last session whose key it holds. `renews`: it requests a
 * new session.
 */
export type SessionAttachment = { readonly held: SessionName | null; readonly renews: boolean }

const coder = P.struct({
  version: versionByte(1),
  renews: P.bool,
  held: P.optional(P.bool, P.struct({ epoch: U64, viewId: P.bytes(32) })),
})

export function encodeSessionAttachment({ held, renews }: SessionAttachment): Uint8Array {
  return coder.encode({ renews, held: held ? { ...held } : undefined })
}

export function decodeSessionAttachment(bytes: Uint8Array | undefined): SessionAttachment | null {
  const decoded = bytes && decodeOrNull(coder, bytes)
  return decoded ? { held: decoded.held ?? null, renews: decoded.renews } : null
}
