import { frameDigest, rememberDigest } from "@keymoot/transport"
import { bufferSource } from "../wire/index.ts"

/** Below, asking takes longer than hashing. */
const DIGESTED_ELSEWHERE_BYTES = 8 * 1024

/** `frameDigest`; of a large frame the platform makes it, on another thread, and not in the middle of a step. */
export async function digestElsewhere(frame: { readonly staticPart: Uint8Array }): Promise<Uint8Array> {
  if (frame.staticPart.length < DIGESTED_ELSEWHERE_BYTES) return frameDigest(frame)
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bufferSource(frame.staticPart)))
  rememberDigest(frame, digest)
  return digest
}
