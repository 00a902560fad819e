import { frameDigest, rememberDigest } from "@keymoot/transport"
import { nodeCrypto } from "../platform/node-crypto.ts"
import { bufferSource } from "../wire/index.ts"

/** Below, asking takes longer than hashing. */
const DIGESTED_BY_PLATFORM_BYTES = 8 * 1024

const node = nodeCrypto()

/** `frameDigest`; of a large frame the platform makes it: a browser on another thread, Node at once, since it would copy it. */
export async function digestByPlatform(frame: { readonly staticPart: Uint8Array }): Promise<Uint8Array> {
  const { staticPart } = frame
  if (staticPart.length < DIGESTED_BY_PLATFORM_BYTES) return frameDigest(frame)
  const digest = node
    ? node.createHash("sha256").update(staticPart).digest()
    : await crypto.subtle.digest("SHA-256", bufferSource(staticPart))
  const bytes = new Uint8Array(digest)
  rememberDigest(frame, bytes)
  return bytes
}
