import type { PeerSignal } from "../../port/port.ts"
import { CANDIDATES_MAX, CANDIDATE_CHARACTERS_MAX, ICE_RESTARTS_MAX } from "../../bounds/network-bounds.ts"
import { hasTooManyCandidates, isIceRestart, isRepetition, sdpFingerprint } from "./sdp.ts"
import type { Signal } from "../messages/signal.ts"
import type { Role } from "../association/transcript.ts"

type NegotiationRefusal = "bad-description" | "fingerprint-mismatch"

/**
 * The result of a peer's signal. `answered`: these are the signals for the peer. `dropped`: it was ignored, and the
 * connection continues unchanged.
 */
export type RemoteVerdict =
  | { readonly verdict: "forward"; readonly signal: PeerSignal }
  | { readonly verdict: "answered"; readonly signals: readonly Signal[] }
  | {
      readonly verdict: "dropped"
      readonly reason:
        "unexpected-description" | "renegotiation" | "early-candidate" | "too-many-candidates" | "repeated"
    }
  | { readonly verdict: "refused"; readonly reason: NegotiationRefusal; readonly detail: string }

/**
 * The offer and answer of one attempt, and the two DTLS fingerprints that they pin until the link ends.
 *
 * A browser accepts a second offer with another certificate on an open connection without an event, and would then send
 * to that offer's author. So each attempt accepts one description. Later ones may only restart ICE and change nothing
 * else.
 */
export class Negotiation {
  readonly #role: Role
  readonly #attempt: number
  #local: string | null = null
  #remote: string | null = null
  #localCandidates: Signal[] = []
  #localCandidateCount = 0
  readonly #remoteCandidates = new Set<string>()
  #sent: Signal[] = []
  #remoteSdp = ""
  #restarts = 0
  /** True while our last description is an offer without an answer. */
  #offered = false

  constructor(role: Role, attempt: number) {
    this.#role = role
    this.#attempt = attempt
  }

  /** Whether the peer has described its end. */
  get answered(): boolean {
    return this.#remote !== null
  }

  /**
   * Returns the signals that the peer needs to know of our own connection's signal, or `null` if our description is
   * unusable.
   */
  handleLocal(signal: PeerSignal): Signal[] | null {
    if (signal.type === "candidate") return this.#handleLocalCandidate(signal)
    const found = sdpFingerprint(signal.sdp)
    if (!found.ok) return null
    this.#offered = signal.type === "offer"
    if (this.#local !== null) {
      // Our end describes itself again only to restart ICE, under the same certificate.
      if (found.fingerprint !== this.#local) return null
      this.#localCandidateCount = 0
      this.#sent = []
      return this.#emit({ kind: "description", attempt: this.#attempt, type: signal.type, sdp: signal.sdp })
    }
    this.#local = found.fingerprint
    const waiting = this.#localCandidates
    this.#localCandidates = []
    return this.#emit({ kind: "description", attempt: this.#attempt, type: signal.type, sdp: signal.sdp }, ...waiting)
  }

  /** Repeats all signals so far. The peer recognises those that it has. */
  repeat(): readonly Signal[] {
    return this.#sent
  }

  #emit(...signals: Signal[]): Signal[] {
    this.#sent.push(...signals)
    return signals
  }

  /** A candidate before our description would be dropped at the other end, so it waits. */
  #handleLocalCandidate({ candidate, sdpMid, sdpMLineIndex }: PeerSignal & { type: "candidate" }): Signal[] {
    if (this.#localCandidateCount >= CANDIDATES_MAX || candidate.length > CANDIDATE_CHARACTERS_MAX) return []
    this.#localCandidateCount += 1
    const signal: Signal = { kind: "candidate", attempt: this.#attempt, candidate, sdpMid, sdpMLineIndex }
    if (this.#local !== null) return this.#emit(signal)
    this.#localCandidates.push(signal)
    return []
  }

  /** `signal` is authenticated and of this attempt. */
  handleRemote(signal: Signal & { kind: "description" | "candidate" }): RemoteVerdict {
    if (signal.kind === "candidate") {
      if (this.#remote === null) return { verdict: "dropped", reason: "early-candidate" }
      const { candidate, sdpMid, sdpMLineIndex } = signal
      const name = JSON.stringify([candidate, sdpMid, sdpMLineIndex])
      if (this.#remoteCandidates.has(name)) return { verdict: "dropped", reason: "repeated" }
      if (this.#remoteCandidates.size >= CANDIDATES_MAX) return { verdict: "dropped", reason: "too-many-candidates" }
      this.#remoteCandidates.add(name)
      return { verdict: "forward", signal: { type: "candidate", candidate, sdpMid, sdpMLineIndex } }
    }
    const found = sdpFingerprint(signal.sdp)
    if (this.#remote !== null) {
      if (found.ok && found.fingerprint === this.#remote) return this.#handleRestart(signal)
      return {
        verdict: "refused",
        reason: "fingerprint-mismatch",
        detail: `a second ${signal.type} with another certificate`,
      }
    }
    const expected = this.#role === "initiator" ? "answer" : "offer"
    if (signal.type !== expected || (expected === "answer" && this.#local === null)) {
      return { verdict: "dropped", reason: "unexpected-description" }
    }
    if (!found.ok) return { verdict: "refused", reason: "bad-description", detail: found.reason }
    if (hasTooManyCandidates(signal.sdp))
      return { verdict: "refused", reason: "bad-description", detail: "too-many-candidates" }
    this.#remote = found.fingerprint
    return this.#forward(signal)
  }

  /**
   * A restart must have the pinned certificate. Its repetition gets the same answer, which may have been lost. A
   * description that changes more than ICE, or names too many candidates, is dropped.
   */
  #handleRestart(signal: Signal & { kind: "description" }): RemoteVerdict {
    const expected = this.#role === "initiator" ? "answer" : "offer"
    const inTurn = signal.type === expected && (expected === "offer" || this.#offered)
    // Before the first restart both ends repeat their signals by themselves.
    const isAgain =
      expected === "offer" && this.#restarts > 0 && this.#sent.length > 0 && isRepetition(this.#remoteSdp, signal.sdp)
    if (
      !inTurn ||
      hasTooManyCandidates(signal.sdp) ||
      this.#restarts >= ICE_RESTARTS_MAX ||
      !(isAgain || isIceRestart(this.#remoteSdp, signal.sdp))
    )
      return { verdict: "dropped", reason: "renegotiation" }
    this.#restarts += 1
    if (isAgain) return { verdict: "answered", signals: this.#sent }
    this.#remoteCandidates.clear()
    this.#sent = []
    return this.#forward(signal)
  }

  #forward({ type, sdp }: Signal & { kind: "description" }): RemoteVerdict {
    this.#remoteSdp = sdp
    this.#offered = false
    return { verdict: "forward", signal: { type, sdp } }
  }

  /** The descriptions in force at the open channel must be those that were authenticated. */
  pinned(inForce: { readonly localFingerprint: string; readonly remoteFingerprint: string }): boolean {
    return this.#local === inForce.localFingerprint && this.#remote === inForce.remoteFingerprint
  }
}
