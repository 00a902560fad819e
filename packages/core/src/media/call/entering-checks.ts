/** Reasons for which a member cannot enter a call, or stay in it. */
import { KeymootError } from "../../api/index.ts"
import { CONNECT_MS } from "./call-peer.ts"

/**
 * A member that finds the call full in this time after it entered leaves again. Others have entered at the same time, or
 * their states came late. Those that are in the call for longer stay, so nobody can displace them by entering.
 */
export const ENTERING_MS = CONNECT_MS

/**
 * Returns the engine's function that takes the port of a media worker.
 * @throws KeymootError `unsupported-browser`
 */
export function keysOfBrowser<Pass>(passMediaKeys: Pass | undefined): Pass {
  if (typeof RTCPeerConnection === "undefined" || !passMediaKeys) {
    throw new KeymootError("unsupported-browser", "Voice and video work in browsers only.")
  }
  if (typeof RTCRtpScriptTransform === "undefined") {
    const message = "This browser can't encrypt voice and video. Use a current Chrome, Edge or Firefox."
    throw new KeymootError("unsupported-browser", message)
  }
  return passMediaKeys
}

export function callFull(): KeymootError {
  return new KeymootError("call-full", "The call is full. Try again when somebody has left it.")
}

export function callStopped(): KeymootError {
  return new KeymootError("internal", "The part that encrypts the call stopped, so you left it. Enter the call again.")
}
