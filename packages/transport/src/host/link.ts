import type { Lane } from "./port.ts"

/**
 * One way for frames between two ends, whatever carries them. It opens once, ends once, and is never opened again: what
 * outlives it is the mesh's business. `test/link/conformance.test.ts` is what every implementation keeps to.
 *
 * On the reliable lane frames arrive whole, in order, each once and unchanged, until it ends. On the
 * unreliable lane any frame may be lost, and none is held up by another.
 */
export interface Link {
  /** Bytes sent that have not left this machine, as far as it knows. */
  readonly bufferedBytes: number
  /** Frames of 1 to 17,000 bytes, since larger messages are fragmented above it; dropped unless open. */
  send(frames: readonly Uint8Array[], lane: Lane): void
  /** Delivers what was sent, if that takes no longer than a moment, then ends; no call of the listener follows. */
  close(): void
  /** Ends at once. */
  destroy(): void
}

export interface LinkListener {
  /** Open. Fingerprints as lower-case hex without colons; empty where there is no DTLS session of one's own. */
  onConnected(localFingerprint: string, remoteFingerprint: string): void
  onFrame(frame: Uint8Array, lane: Lane): void
  /** `bufferedBytes` may have fallen by much. */
  onBuffered(): void
  /** Once, unless closed here. `byPeer`: the other end has closed it; else it broke. */
  onClosed(reason: string, byPeer: boolean): void
}
