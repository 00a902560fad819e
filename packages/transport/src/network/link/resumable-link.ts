import type { Reliability } from "../../port/port.ts"
import {
  ACK_BYTES,
  CLOSED_GRACE_MS,
  HEARTBEATS_LOSSY_BYTES_MAX,
  LINK_SILENT_MS,
  OVER_MAX,
  PAYLOAD_BYTES_HIGH,
  RELAYED_PAYLOAD_BYTES_HIGH,
  RESUME_GRACE_MS,
  RESUMING_MS,
  STALL_MS,
  UNACKED_BYTES_MAX,
} from "../../bounds/network-bounds.ts"
import type { Connection } from "../path/connection.ts"
import type { Ending } from "../path/connection-io.ts"
import type { Control } from "../messages/control.ts"
import type { LinkPath } from "../shared/config.ts"
import { pathOf, type ResumableLinkOutput, type SessionControl, type SessionRefusal } from "./link-io.ts"
import { PathChoice, type PathInput } from "../path/path-choice.ts"
import { AckDeadline } from "./ack-deadline.ts"
import { RateEstimator } from "./rate-estimator.ts"
import { NumberedConnection } from "./numbered-connection.ts"
import { ReliableSession, type Resume } from "./reliable-session.ts"

/**
 * The link to one incarnation of one member, over one or more connections. Each end chooses the connection for what it
 * sends (path/path-choice.ts). Messages move to another one without loss (reliable-session.ts).
 */
export class ResumableLink {
  readonly #emit: (output: ResumableLinkOutput) => void
  /** Changed only here. */
  readonly session: ReliableSession
  readonly #rate = new RateEstimator()
  readonly deadline = new AckDeadline()
  readonly #connections = new Map<Connection, NumberedConnection>()
  readonly #paths = new PathChoice<Connection>()
  #up = false
  /** Set while no connection carries the link. It goes down at `untilMs`. */
  #lost: { readonly sinceMs: number; untilMs: number; readonly reason: string } | null = null
  /** When the member reported that its end of the link has lost its last connection. */
  #missedMs = -Infinity
  #over: number[] = []
  #unackedHere = 0
  #progressMs = 0
  #tickMs = 0
  #heardMs = 0
  #waitingSinceMs = 0

  /** `nonce`: see `sessionNonce`. */
  constructor(nonce: Uint8Array, emit: (output: ResumableLinkOutput) => void) {
    this.#emit = emit
    this.session = new ReliableSession(nonce)
  }

  get up(): boolean {
    return this.#up
  }

  get path(): LinkPath | null {
    return this.#active && pathOf(this.#active)
  }

  /** See `PathChoice.doubted`. */
  get doubted(): boolean {
    return this.#paths.doubted
  }

  /** Whether it waits for nothing: no acknowledgement, no connection, and no path that was left. */
  get isCalm(): boolean {
    return this.#lost === null && this.session.unackedBytes === 0 && this.#paths.isCalm
  }

  get #active(): Connection | null {
    return this.#paths.active
  }

  /** True if there is neither a connection nor a wait for one. */
  get over(): boolean {
    return this.#connections.size === 0 && this.#lost === null
  }

  /** True if the window is full: further messages would only wait. */
  get congested(): boolean {
    return this.session.unackedBytes > this.windowBytes
  }

  /** True if half of the window is full. The other half is reserved for interactive messages. */
  get halfCongested(): boolean {
    return this.session.unackedBytes > this.windowBytes / 2
  }

  /** Size of the window in bytes. Above it the link is congested. */
  get windowBytes(): number {
    return this.path === "direct" ? this.#rate.bytes : Math.min(this.#rate.bytes, RELAYED_PAYLOAD_BYTES_HIGH / 2)
  }

  /** The association of a connection is established. */
  established(connection: Connection): void {
    this.#connections.set(connection, new NumberedConnection(connection))
    this.#extendGrace(this.#tickMs + RESUMING_MS)
    connection.control(this.session.resume())
    for (const attempt of this.#over.splice(0)) connection.control({ kind: "over", attempt })
    this.#emit({ type: "dirty", connection })
  }

  /**
   * Returns false if payload is refused now and must be fetched later. Returns `null` if the member's buffer is full:
   * give up the link.
   */
  send(bytes: Uint8Array, reliability: Reliability, payload: boolean): boolean | null {
    const active = this.#active
    if (reliability === "unreliable" && (!active || active.queueUnreliable(bytes))) {
      if (active) this.#emit({ type: "dirty", connection: active })
      return active !== null
    }
    const bytesAfter = this.session.unackedBytes + bytes.length
    if (payload && bytesAfter > this.#payloadBytesHigh) return false
    if (bytesAfter > UNACKED_BYTES_MAX) return null
    if (this.session.unacked.length === 0) this.#progressMs = this.#waitingSinceMs = this.#tickMs
    this.session.send(bytes)
    if (active) this.#queue(active)
    return true
  }

  /** An empty queue accepts one message of any size. Otherwise a large one would never leave. */
  get #payloadBytesHigh(): number {
    if (this.session.unackedBytes === 0) return UNACKED_BYTES_MAX
    return this.path === "direct" ? PAYLOAD_BYTES_HIGH : RELAYED_PAYLOAD_BYTES_HIGH
  }

  sendControl(control: Control): void {
    if (this.#active) this.#controlOver(this.#active, control)
  }

  #controlOver(connection: Connection, control: Control): void {
    connection.control(control)
    this.#emit({ type: "dirty", connection })
  }

  /** Returns the violation of the session's order by the peer, or null. */
  handleMessage(connection: Connection, bytes: Uint8Array, reliability: Reliability): SessionRefusal | null {
    const from = this.#connections.get(connection)
    if (reliability === "unreliable") {
      if (from?.resumed) this.#emit({ type: "message", bytes })
      return null
    }
    const verdict = from?.receive(this.session) ?? "gap"
    if (verdict !== "new") return verdict === "gap" ? "bad-sequence" : null
    this.#choose({ type: "peer-uses", path: connection }, this.#heardMs)
    this.#unackedHere += bytes.length
    if (this.#unackedHere >= ACK_BYTES) this.#ack()
    this.#emit({ type: "message", bytes })
    return null
  }

  handleControl(connection: Connection, control: SessionControl, nowMs: number): SessionRefusal | "bye" | null {
    const from = this.#connections.get(connection)
    if (!from) return null
    switch (control.kind) {
      case "resume":
        return this.#handleResume(from, control, nowMs)
      case "start":
        return from.handleStart(control.next, this.session) ? null : "bad-sequence"
      case "ack":
        return from.resumed && this.#acknowledge(control.received) ? null : "bad-sequence"
      case "over":
        for (const { connection: other } of this.#connections.values()) {
          if (other.config.attempt === control.attempt) this.#close(other, "the other end has lost it")
        }
        return null
      case "bye":
        return "bye"
    }
  }

  #acknowledge(received: number): boolean {
    const { congested } = this
    const { unackedBytes: before, next } = this.session
    if (!this.session.acknowledge(received)) return false
    // A probe acknowledges nothing new, and so is no progress.
    if (this.session.next > next) this.#progressMs = this.#tickMs
    this.#rate.acknowledged(before - this.session.unackedBytes, this.session.unackedBytes)
    if (congested && !this.congested) this.#emit({ type: "ready" })
    return true
  }

  #handleResume(from: NumberedConnection, resume: Resume, nowMs: number): SessionRefusal | null {
    if (from.resumed) return "bad-resume"
    const result = this.session.handleResume(resume)
    if (result === "bad") return "bad-resume"
    if (result === "former") {
      this.#close(from.connection, "the peer has given its session up")
      return null
    }
    from.resumed = true
    if (result === "begun" && this.#up) this.#reset(from)
    const wasUp = this.#up
    this.#up = true
    if (!wasUp) this.#emit({ type: "up" })
    this.#heardMs = nowMs
    const { carrier, role } = from.connection.config
    this.#choose({ type: "opened", path: from.connection, kind: carrier.type, leads: role === "initiator" }, nowMs)
    return null
  }

  #reset(from: NumberedConnection): void {
    this.#up = false
    this.deadline.restart()
    this.#emit({ type: "reset" })
    for (const { connection } of this.#connections.values()) {
      if (connection !== from.connection) this.#close(connection, "the peer has lost its state")
    }
  }

  /** Called once for each connection. A link that was up goes down in `tick`, or earlier if the mesh decides so. */
  ended(connection: Connection, ending: Ending, reason: string, nowMs: number): void {
    if (!this.#connections.delete(connection)) return
    const { attempt } = connection.config
    this.#over.push(attempt)
    if (this.#over.length > OVER_MAX) this.#over.shift()
    this.#choose({ type: "ended", path: connection }, nowMs)
    const active = this.#active
    if (active) {
      for (const each of this.#over.splice(0)) this.#controlOver(active, { kind: "over", attempt: each })
    } else if (this.#up && !this.#lost) {
      const isGone = ending === "by-peer" && nowMs - this.#missedMs > CLOSED_GRACE_MS
      this.#lost = { sinceMs: nowMs, untilMs: nowMs + (isGone ? CLOSED_GRACE_MS : RESUME_GRACE_MS), reason }
    }
  }

  /** True while the link has no connection but may get one. */
  get waiting(): boolean {
    return this.#lost !== null
  }

  /** The member is present, whichever end closed the last connection. The longer grace time applies. */
  heardOf(): void {
    if (this.#lost) this.#extendGrace(this.#lost.sinceMs + RESUME_GRACE_MS)
  }

  /** Bounded, since a member could establish connections for ever and resume none. */
  #extendGrace(untilMs: number): void {
    if (!this.#lost) return
    const latestMs = this.#lost.sinceMs + RESUME_GRACE_MS + RESUMING_MS
    this.#lost.untilMs = Math.max(this.#lost.untilMs, Math.min(untilMs, latestMs))
  }

  /**
   * The member has sent a hello, so it lacks this link. Through the room the hello may arrive before the connection's
   * end does.
   */
  greeted(nowMs: number): void {
    // While the link is being made both ends send hellos, and miss nothing.
    if (this.#up) this.#missedMs = nowMs
    this.heardOf()
  }

  /** Returns the reason why the link is down, once the grace time is over, else null. */
  tick(nowMs: number): string | null {
    // A gap this long means that this device slept. The other end had no chance to acknowledge.
    if (nowMs - this.#tickMs > STALL_MS / 2) this.#progressMs = nowMs
    this.#tickMs = nowMs
    if (this.deadline.isOver(this.session, nowMs)) {
      // A silent member may be cut off, or this device may be.
      if (nowMs - this.#heardMs <= STALL_MS) this.#emit({ type: "obstructed" })
      return "it took too little for too long"
    }
    const { unackedBytes } = this.session
    this.#rate.tick(nowMs, unackedBytes)
    this.#ack()
    const isStalled = unackedBytes > 0 && nowMs - Math.max(this.#progressMs, this.#heardMs) > STALL_MS
    if (isStalled && this.#active) this.#close(this.#active, "nothing was acknowledged for too long")
    this.#choose({ type: "tick", waitingSinceMs: unackedBytes > 0 ? this.#progressMs : null }, nowMs)
    if (this.#active) this.#queue(this.#active)
    return this.#lost && nowMs >= this.#lost.untilMs ? this.#lost.reason : null
  }

  /** Sends a goodbye. */
  bye(): void {
    this.#active?.control({ kind: "bye" })
  }

  /** Authentic frames have come over this connection. `isShown`: the last acknowledgement is repeated. */
  heard(connection: Connection, nowMs: number, isShown = false): void {
    this.#heardMs = nowMs
    this.#choose({ type: "heard", path: connection }, nowMs)
    if (isShown) this.sendControl({ kind: "ack", received: this.session.received })
  }

  /** See `Mesh.heartbeatLane`. */
  get heartbeatLane(): Reliability | null {
    if (this.#isSilent) return null
    const { unackedBytes } = this.session
    const isLossy = this.path === "direct" && unackedBytes > 0 && unackedBytes <= HEARTBEATS_LOSSY_BYTES_MAX
    return isLossy ? "unreliable" : "reliable"
  }

  get #isSilent(): boolean {
    const sinceMs = Math.max(this.#waitingSinceMs, this.#heardMs)
    return this.session.unackedBytes > 0 && this.#tickMs - sinceMs > LINK_SILENT_MS
  }

  /** See `Mesh.unheard`. */
  unheard(nowMs: number): void {
    this.#choose({ type: "unheard" }, nowMs)
  }

  #choose(input: PathInput<Connection>, nowMs: number): void {
    for (const output of this.#paths.step(input, nowMs)) {
      if (output.type === "use") this.#use(output.path)
      else if (output.type === "close") this.#close(output.path, output.reason)
      else if (output.type === "nudge") this.#emit({ type: "nudge", connection: output.path })
      else this.#controlOver(output.path, { kind: "ack", received: this.session.received })
    }
  }

  /** Retransmits the unacknowledged messages that the chosen connection has not taken before. */
  #use(connection: Connection): void {
    this.#lost = null
    this.#progressMs = this.#tickMs
    this.#connections.get(connection)!.start(this.session)
    this.#queue(connection)
    this.#emit({ type: "dirty", connection })
    this.#emit({ type: "path", path: pathOf(connection) })
  }

  /** A silent direct connection takes nothing until it is heard. More under way would take the place of nudges. */
  #queue(connection: Connection): void {
    if (this.#isSilent && connection.config.carrier.type === "webrtc") return
    const numbered = this.#connections.get(connection)!
    if (numbered.queue(this.session, this.#rate.isFast)) this.#emit({ type: "dirty", connection })
  }

  #close(connection: Connection, reason: string): void {
    this.#emit({ type: "close", connection, reason })
  }

  #ack(): void {
    const ack = this.#active && this.session.ack()
    if (!ack) return
    this.#unackedHere = 0
    this.#controlOver(this.#active!, ack)
  }
}
