/**
 * Majority: the fault-tolerant group key exchange of Cachin and Strobl, over the consensus of Chandra and Toueg.
 * Source: "Asynchronous group key exchange with failures", as in section 2.3 of the SecChat thesis. The fault model is
 * crash faults; values that an insider could fake are checked where possible. A session completes as soon as a majority
 * of its roster runs it, and never waits for the rest.
 */
import { bytesToHex } from "@noble/hashes/utils.js"
import { requireLength } from "../shared/bytes.ts"
import { type PrimeOrderGroup, RANDOM_BYTES } from "../group/prime-order-group.ts"
import type { X25519 } from "../hpke/x25519.ts"
import type { KeyAgreement, KeyAgreementInput, KeyedView, KeyStructure } from "../agreement/key-agreement.ts"
import { requireWellFormed } from "../agreement/well-formed-view.ts"
import type { MemberId } from "../shared/member-id.ts"
import { createMajorityCodec, type MajorityCodec } from "./majority-codec.ts"
import { SESSIONS_MAX, TOMBSTONES_MAX } from "./majority-limits.ts"
import type { MajorityOutput } from "./statements.ts"
import { Session } from "./session.ts"
import type { SignatureVerifier } from "./verifier.ts"
import { isLaterSession, type SessionName } from "./sid.ts"

export type MajorityOptions = {
  readonly group: PrimeOrderGroup
  readonly x25519: X25519
  readonly self: MemberId
  /** Verifies statements that another member relays. A member without a key has signed none. */
  readonly verifier: SignatureVerifier
  readonly publicKeys: ReadonlyMap<MemberId, Uint8Array>
}

/**
 * `session`: the name that `sid` covers. It orders sessions, because members may enter an earlier one after a later one.
 * `resumed`: this member may have been in this session before and lost its state. Say true when in doubt.
 */
export type MajorityView = KeyedView & { readonly session: SessionName; readonly resumed?: boolean }

/** `resend`: the link to this member is new, so that it may have missed what was sent to it. */
export type MajorityInput =
  | Exclude<KeyAgreementInput, { type: "view" }>
  | { readonly type: "view"; readonly view: MajorityView; readonly random: Uint8Array }
  | { readonly type: "resend"; readonly to: MemberId }

export interface MajorityAgreement extends Omit<KeyAgreement, "step"> {
  step(input: MajorityInput): readonly MajorityOutput[]
}

type Running = { readonly session: Session; readonly name: SessionName; readonly members: readonly MemberId[] }

const NO_STATE = { hash: new Uint8Array(0), bytes: new Uint8Array(0) }

/**
 * One member's side of all sessions of one conference with a fixed roster.
 *
 * The caller provides, beyond `KeyAgreement`:
 *
 * - **Sessions.** A `view` starts the session `view.sid`: 32 bytes over conference, descriptor, roster without the
 *   revoked, and session number, but no view. `view.members` is that roster, sorted, `self` included, absent members
 *   too. `proposal` and `attachments` are ignored. A `view` with the `sid` of a known session changes nothing, so the
 *   caller may pass every view of the conference. A `sid` must never be reused after its session. The output of
 *   `contribute` is an empty contribution, because nothing rides on the flush.
 * - **Signatures.** Each `unicast` and `multicast` output is a statement. The caller signs
 *   `majoritySigningInput(statement)` by Ed25519 with its identity key and sends statement ‖ signature (64 bytes). On
 *   arrival it verifies that signature against the sender's certificate, and passes a `message` with the sender and
 *   those same bytes, signature included. The signature covers no outer frame, so that members can relay offers.
 * - **Own multicasts** come back as `message` too, once signed: only then can this member's offer be relayed.
 * - **Delivery.** Multicasts are for the whole roster. Messages may be lost, repeated and reordered. When a link is
 *   restored after a loss, both ends must get a `resend` for the other. The caller need not buffer messages for absent
 *   members.
 * - **Time.** A `tick` by the time of each `wakeAt`; more do no harm. A deadline of 0 means now. No safety depends on
 *   it.
 *
 * Outputs: `secret` names its `sid`. A `fault` names a member that provably lied or broke the protocol; the session
 * continues. When a session's secret is output, sessions of earlier names are erased, finished or not, unless one that
 * was started later still runs.
 *
 * @example
 * const agreement = createMajorityAgreement({ group, x25519, self, verifier, publicKeys })
 * agreement.step({ type: "view", view: { sid, session, self, members, proposal, attachments: new Map() }, random })
 */
export function createMajorityAgreement(options: MajorityOptions): MajorityAgreement {
  return new Majority(options)
}

class Majority implements MajorityAgreement {
  readonly #options: MajorityOptions
  readonly #codec: MajorityCodec
  /** By sid, in the order in which they were started. */
  readonly #sessions = new Map<string, Running>()
  readonly #tombstones = new Set<string>()
  #nowMs: number | null = null
  #announcedMs: number | null = null

  constructor(options: MajorityOptions) {
    this.#options = options
    this.#codec = createMajorityCodec(options.group)
  }

  /** Always empty: a session does not depend on an earlier one. */
  publicState(): { readonly hash: Uint8Array; readonly bytes: Uint8Array } {
    return NO_STATE
  }

  structure(): KeyStructure | null {
    const finished = [...this.#sessions.values()].findLast(({ session }) => session.isFinished)
    return finished?.session.quorum() ?? null
  }

  /** Always empty: it never waits for a particular member. */
  awaiting(): readonly MemberId[] {
    return []
  }

  step(input: MajorityInput): readonly MajorityOutput[] {
    if (input.type === "contribute") return [{ type: "contribution", bytes: new Uint8Array(0) }]
    const outputs = [...this.#stepSessions(input)]
    const finished = outputs.filter((output) => output.type === "secret")
    for (const { sid } of finished) this.#eraseBefore(bytesToHex(sid))
    const dueMs = this.#dueMs()
    if (dueMs !== null && dueMs !== this.#announcedMs) outputs.push({ type: "wakeAt", deadlineMs: dueMs })
    this.#announcedMs = dueMs
    return outputs
  }

  #stepSessions(input: Exclude<MajorityInput, { type: "contribute" }>): readonly MajorityOutput[] {
    const sessions = [...this.#sessions.values()].map(({ session }) => session)
    switch (input.type) {
      case "view":
        return this.#stepView(input.view, input.random)
      case "message":
        return this.#stepMessage(input.from, input.via, input.bytes)
      case "resend":
        return sessions.flatMap((session) => session.resend(input.to))
      case "tick":
        this.#nowMs = Math.max(input.nowMs, this.#nowMs ?? input.nowMs)
        this.#announcedMs = null
        return sessions.flatMap((session) => session.tick(this.#nowMs!))
    }
  }

  erase(): void {
    for (const sid of this.#sessions.keys()) this.#erase(sid)
    this.#announcedMs = null
  }

  // --- sessions --------------------------------------------------------------------------------------------------------

  #stepView(view: MajorityView, random: Uint8Array): readonly MajorityOutput[] {
    requireWellFormed(view, this.#options.self)
    requireLength("random", random, RANDOM_BYTES)
    const sid = bytesToHex(view.sid)
    if (this.#sessions.has(sid) || this.#tombstones.has(sid)) return []
    const [oldest] = this.#sessions.keys()
    if (this.#sessions.size >= SESSIONS_MAX) this.#erase(oldest!)
    const members = [...view.members]
    const { group, x25519, verifier, publicKeys, self } = this.#options
    const session = new Session({
      group,
      x25519,
      verifier,
      publicKeys,
      codec: this.#codec,
      sid: view.sid.slice(),
      roster: members,
      self: members.indexOf(self),
      contributes: !view.resumed,
      random,
    })
    this.#sessions.set(sid, { session, name: view.session, members })
    return session.start(this.#nowMs)
  }

  /**
   * After a partition a member enters an earlier session while a later one runs. The end of the earlier one leaves the
   * later one alone. An unfinished earlier one that was started last is kept, because a view may wait for its secret.
   */
  #eraseBefore(sid: string): void {
    const name = this.#sessions.get(sid)?.name
    if (!name) return
    let isStartedBefore = true
    for (const [other, running] of this.#sessions) {
      if (other === sid) isStartedBefore = false
      const isOver = isStartedBefore || running.session.isFinished
      if (isOver && isLaterSession(name, running.name)) this.#erase(other)
    }
  }

  /** A tombstone stays, so that the session never runs again. */
  #erase(sid: string): void {
    this.#sessions.get(sid)!.session.erase()
    this.#sessions.delete(sid)
    this.#tombstones.add(sid)
    const [oldest] = this.#tombstones
    if (this.#tombstones.size > TOMBSTONES_MAX) this.#tombstones.delete(oldest!)
  }

  // --- messages ----------------------------------------------------------------------------------------------------------

  #stepMessage(from: MemberId, via: "unicast" | "multicast", bytes: Uint8Array): readonly MajorityOutput[] {
    const signed = this.#codec.decodeSigned(bytes)
    if (!signed) return [{ type: "fault", member: from, reason: "malformed-message" }]
    const { statement, signature } = signed
    // Message of a session that is not started here yet, or that is over. A late starter asks, and is sent what it
    // missed.
    const running = this.#sessions.get(bytesToHex(statement.sid))
    if (!running) return []
    const to = via === "multicast" ? null : this.#options.self
    if (statement.from !== from || statement.to !== to || !running.members.includes(from)) {
      return [{ type: "fault", member: from, reason: "unexpected-message" }]
    }
    return running.session.receive(statement, signature)
  }

  // --- time ----------------------------------------------------------------------------------------------------------------

  #dueMs(): number | null {
    const due = [...this.#sessions.values()].map(({ session }) => session.dueMs).filter((ms) => ms !== null)
    return due.length > 0 ? Math.min(...due) : null
  }
}
