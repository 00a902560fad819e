import type { PeerSignal } from "../host/port.ts"
import { CANDIDATES_MAX, CANDIDATE_CHARACTERS_MAX } from "./bounds.ts"
import { sdpFingerprint } from "./sdp.ts"
import type { Signal } from "./signal.ts"
import type { Role } from "./transcript.ts"

type NegotiationRefusal = "bad-description" | "fingerprint-mismatch"

/** A verdict on a signal of the peer. `dropped`: no harm done, the connection goes on as it is. */
export type RemoteVerdict =
  | { readonly verdict: "forward"; readonly signal: PeerSignal }
  | {
      readonly verdict: "dropped"
      readonly reason: "unexpected-description" | "renegotiation" | "early-candidate" | "too-many-candidates"
    }
  | { readonly verdict: "refused"; readonly reason: NegotiationRefusal; readonly detail: string }

/**
 * The offer and answer of one attempt, and the two DTLS fingerprints pinned by them for the life of the link.
 *
 * simple-peer would take a second offer with another certificate on a connected peer and send the next message to
 * whoever made it, without an event. So one description goes to it per attempt, and never another.
 */
export class Negotiation {
  readonly #role: Role
  readonly #attempt: number
  #local: string | null = null
  #remote: string | null = null
  #localCandidates: Signal[] = []
  #localCandidateCount = 0
  #remoteCandidateCount = 0

  constructor(role: Role, attempt: number) {
    this.#role = role
    this.#attempt = attempt
  }

  /** What to tell the peer about a signal of our own connection; `null`: its description is unusable. */
  handleLocal(signal: PeerSignal): Signal[] | null {
    if (signal.type === "candidate") return this.#handleLocalCandidate(signal)
    // Our end never renegotiates: a further description of ours stays here.
    if (this.#local !== null) return []
    const found = sdpFingerprint(signal.sdp)
    if (!found.ok) return null
    this.#local = found.fingerprint
    const waiting = this.#localCandidates
    this.#localCandidates = []
    return [{ kind: "description", attempt: this.#attempt, type: signal.type, sdp: signal.sdp }, ...waiting]
  }

  /** A candidate that precedes our description would be dropped at the other end, so it waits. */
  #handleLocalCandidate({ candidate, sdpMid, sdpMLineIndex }: PeerSignal & { type: "candidate" }): Signal[] {
    if (this.#localCandidateCount >= CANDIDATES_MAX || candidate.length > CANDIDATE_CHARACTERS_MAX) return []
    this.#localCandidateCount += 1
    const signal: Signal = { kind: "candidate", attempt: this.#attempt, candidate, sdpMid, sdpMLineIndex }
    if (this.#local !== null) return [signal]
    this.#localCandidates.push(signal)
    return []
  }

  /** `signal` is authenticated and of this attempt. */
  handleRemote(signal: Signal & { kind: "description" | "candidate" }): RemoteVerdict {
    if (signal.kind === "candidate") {
      if (this.#remote === null) return { verdict: "dropped", reason: "early-candidate" }
      if (this.#remoteCandidateCount >= CANDIDATES_MAX) return { verdict: "dropped", reason: "too-many-candidates" }
      this.#remoteCandidateCount += 1
      const { candidate, sdpMid, sdpMLineIndex } = signal
      return { verdict: "forward", signal: { type: "candidate", candidate, sdpMid, sdpMLineIndex } }
    }
    const found = sdpFingerprint(signal.sdp)
    if (this.#remote !== null) {
      if (found.ok && found.fingerprint === this.#remote) return { verdict: "dropped", reason: "renegotiation" }
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
    this.#remote = found.fingerprint
    return { verdict: "forward", signal: { type: signal.type, sdp: signal.sdp } }
  }

  /** The descriptions in force at the open channel must be those that were authenticated. */
  pinned(inForce: { readonly localFingerprint: string; readonly remoteFingerprint: string }): boolean {
    return this.#local === inForce.localFingerprint && this.#remote === inForce.remoteFingerprint
  }
}
