import type { Reliability } from "../port/port.ts"

/** Frames received from an end that is connected before this one. An honest end sends one handshake message. */
export const EARLY_FRAMES_MAX = 64

/**
 * A connection for frames between two ends. It opens once, ends once, and is never reopened: the mesh handles what
 * outlives it. `test/link/conformance.test.ts` tests every implementation.
 *
 * Reliable frames arrive whole, in order, each once and unchanged, until it ends. Unreliable frames may be lost, and
 * none delays another.
 */
export interface FrameConnection {
  /**
   * Frames of 1 to 17,000 bytes, since larger messages are fragmented above it. Dropped unless the connection is open.
   */
  send(frames: readonly Uint8Array[], reliability: Reliability): void
  /**
   * Ends the connection after delivering what was sent, if that takes no longer than a moment. No call of the listener
   * follows.
   */
  close(): void
  /** Ends the connection at once. */
  destroy(): void
}

export interface ConnectionListener {
  /**
   * The connection is open. Fingerprints are lower-case hex without colons, and empty without a DTLS session of its
   * own.
   */
  onConnected(localFingerprint: string, remoteFingerprint: string): void
  onFrame(frame: Uint8Array, reliability: Reliability): void
  /** Called once, unless the connection was closed here. `byPeer`: the other end has closed it. Otherwise it broke. */
  onClosed(reason: string, byPeer: boolean): void
}
