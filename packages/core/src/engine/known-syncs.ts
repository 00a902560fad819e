import { frameDigest, type Frame } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"
import { equalBytes, LruMap } from "../wire/index.ts"

/** As many as two views of the largest conference bring; one that was forgotten is verified again. */
export const SYNCS_KNOWN_MAX = 256

/**
 * SYNCs whose signatures were made or verified here: a CUT brings them, and the INSTALL behind it the same once more, with
 * this member's own among them. Known is a signature together with the digest that it covers, origin included.
 */
export class KnownSyncs {
  readonly #signatures = new LruMap<string, Uint8Array>(SYNCS_KNOWN_MAX)

  has(frame: Frame): boolean {
    const known = frame.kind === "sync" ? this.#signatures.get(nameOf(frame)) : undefined
    return known !== undefined && equalBytes(known, frame.signature)
  }

  /** Nothing for frames of other kinds. */
  add(frame: Frame): void {
    // A copy, or it would keep all of the message in which it came.
    if (frame.kind === "sync") this.#signatures.set(nameOf(frame), frame.signature.slice())
  }
}

function nameOf(frame: Frame): string {
  return bytesToHex(frameDigest(frame))
}
