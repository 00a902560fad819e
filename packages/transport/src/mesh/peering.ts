import type { Lane } from "../host/port.ts"
import {
  ACK_BYTES,
  CLOSED_GRACE_MS,
  LINK_BYTES_MAX,
  OVER_MAX,
  PAYLOAD_BYTES_HIGH,
  RELAYED_PAYLOAD_BYTES_HIGH,
  RESUME_GRACE_MS,
  STALL_MS,
  UNACKED_BYTES_MAX,
} from "./bounds.ts"
import type { Carrier, Connection, Ending } from "./connection.ts"
import type { Control } from "./control.ts"
import { Pace } from "./pace.ts"
import { Pair } from "./pair.ts"

export type LinkPath = "direct" | "relayed-by-member" | "relayed-by-server"
export type PairControl = Extract<Control, { readonly kind: "resume" | "start" | "ack" | "over" | "bye" }>
/** No honest peer does this. */
export type PairRefusal = "bad-resume" | "bad-sequence"

export type PeeringConfig = {
  /** 16 random bytes. */
  readonly nonce: Uint8Array
  onUp(): void
  /** The peer has lost its state, and what was under way between the two is lost. `onUp` follows. */
  onReset(): void
  onPath(path: LinkPath): void
  onMessage(bytes: Uint8Array): void
  /** It is not congested any more. */
  onReady(): void
  /** End this connection; answer with `ended`. */
  close(connection: Connection, reason: string): void
  /** There is something to send on it. */
  dirty(connection: Connection): void
}

type Ready = { readonly connection: Connection; resumed: boolean; incoming: number | null }

const rank: Readonly<Record<Carrier["type"], number>> = { webrtc: 3, members: 2, server: 1 }
const pathOf: Readonly<Record<Carrier["type"], LinkPath>> = {
  webrtc: "direct",
  members: "relayed-by-member",
  server: "relayed-by-server",
}

/**
 * The link to one life of one member, over whichever connections there are: messages go over the best one, and move to
 * another without loss when that breaks or a better one comes up (pair.ts). Each end chooses for what it sends.
 */
export class Peering {
  readonly #config: PeeringConfig
  readonly #pair: Pair
  readonly #pace = new Pace()
  readonly #connections = new Map<Connection, Ready>()
  #active: Ready | null = null
  #up = false
  /** Without a connection, until then. */
  #lost: { readonly sinceMs: number; untilMs: number; readonly reason: string } | null = null
  /** When the member said that its link here has lost its last connection. */
  #missedMs = -Infinity
  #over: number[] = []
  #unackedHere = 0
  #progressMs = 0
  #tickMs = 0

  constructor(config: PeeringConfig) {
    this.#config = config
    this.#pair = new Pair(config.nonce)
  }

  get up(): boolean {
    return this.#up
  }

  get path(): LinkPath | null {
    return this.#active && pathOf[this.#active.connection.config.carrier.type]
  }

  /** No connection, nor any wait for one. */
  get over(): boolean {
    return this.#connections.size === 0 && this.#lost === null
  }

  /** Bytes sent that the member is not known to hold. */
  get unackedBytes(): number {
    return this.#pair.unackedBytes
  }

  /** So much is under way that more would only wait. */
  get congested(): boolean {
    return this.#pair.unackedBytes > this.windowBytes
  }

  /** Half as much is under way: the rest is for what people wait for. */
  get halfCongested(): boolean {
    return this.#pair.unackedBytes > this.windowBytes / 2
  }

  /** Above so many bytes under way it is congested. */
  get windowBytes(): number {
    return Math.min(this.#pace.bytes, this.path === "direct" ? LINK_BYTES_MAX : RELAYED_PAYLOAD_BYTES_HIGH / 2)
  }

  /** The association of a connection is established. */
  established(connection: Connection): void {
    this.#connections.set(connection, { connection, resumed: false, incoming: null })
    connection.control(this.#pair.resume())
    for (const attempt of this.#over.splice(0)) connection.control({ kind: "over", attempt })
    this.#config.dirty(connection)
  }

  /** False: payload is turned away now, and must be fetched later. `null`: too much for this member, give it up. */
  send(bytes: Uint8Array, lane: Lane, payload: boolean): boolean | null {
    const active = this.#active
    if (lane === "unreliable" && (!active || active.connection.queueUnreliable(bytes))) {
      if (active) this.#config.dirty(active.connection)
      return active !== null
    }
    const bytesAfter = this.#pair.unackedBytes + bytes.length
    if (payload && bytesAfter > this.#payloadBytesHigh) return false
    if (bytesAfter > UNACKED_BYTES_MAX) return null
    if (this.#pair.unacked.length === 0) this.#progressMs = this.#tickMs
    this.#pair.send(bytes)
    if (!active) return true
    active.connection.queue(bytes)
    this.#config.dirty(active.connection)
    return true
  }

  /** An empty queue takes one message of any size, or a large one would never leave. */
  get #payloadBytesHigh(): number {
    if (this.#pair.unackedBytes === 0) return UNACKED_BYTES_MAX
    return this.path === "direct" ? PAYLOAD_BYTES_HIGH : RELAYED_PAYLOAD_BYTES_HIGH
  }

  sendControl(control: Control): void {
    if (!this.#active) return
    this.#active.connection.control(control)
    this.#config.dirty(this.#active.connection)
  }

  /** What the peer sent out of its turn, if it did. */
  handleMessage(connection: Connection, bytes: Uint8Array, lane: Lane): PairRefusal | null {
    const from = this.#connections.get(connection)
    if (lane === "unreliable") {
      if (from?.resumed) this.#config.onMessage(bytes)
      return null
    }
    if (!from?.resumed || from.incoming === null) return "bad-sequence"
    const verdict = this.#pair.receive(from.incoming)
    from.incoming += 1
    if (verdict === "gap") return "bad-sequence"
    if (verdict === "known") return null
    this.#unackedHere += bytes.length
    if (this.#unackedHere >= ACK_BYTES) this.#ack()
    this.#config.onMessage(bytes)
    return null
  }

  handleControl(connection: Connection, control: PairControl): PairRefusal | "bye" | null {
    const from = this.#connections.get(connection)
    if (!from) return null
    switch (control.kind) {
      case "resume":
        return this.#handleResume(from, control)
      case "start":
        if (!from.resumed || control.next > this.#pair.received + 1 || control.next < 1) return "bad-sequence"
        from.incoming = control.next
        return null
      case "ack":
        this.#progressMs = this.#tickMs
        return from.resumed && this.#acknowledge(control.received) ? null : "bad-sequence"
      case "over":
        for (const { connection: other } of this.#connections.values()) {
          if (other.config.attempt === control.attempt) this.#config.close(other, "the other end has lost it")
        }
        return null
      case "bye":
        return "bye"
    }
  }

  #acknowledge(received: number): boolean {
    const { congested } = this
    const before = this.#pair.unackedBytes
    if (!this.#pair.acknowledge(received)) return false
    this.#pace.acknowledged(before - this.#pair.unackedBytes, this.#pair.unackedBytes)
    if (congested && !this.congested) this.#config.onReady()
    return true
  }

  #handleResume(from: Ready, resume: PairControl & { readonly kind: "resume" }): PairRefusal | null {
    if (from.resumed) return "bad-resume"
    const result = this.#pair.handleResume(resume)
    if (result === "bad") return "bad-resume"
    from.resumed = true
    if (result === "begun" && this.#up) this.#reset(from)
    const wasUp = this.#up
    this.#up = true
    if (!wasUp) this.#config.onUp()
    this.#select()
    return null
  }

  #reset(from: Ready): void {
    this.#up = false
    this.#config.onReset()
    for (const { connection } of this.#connections.values()) {
      if (connection !== from.connection) this.#config.close(connection, "the other side has lost its state")
    }
  }

  /** Told once; whoever is up goes down by `tick`, or at once by what the mesh decides. */
  ended(connection: Connection, ending: Ending, reason: string, nowMs: number): void {
    if (!this.#connections.delete(connection)) return
    if (this.#active?.connection === connection) this.#active = null
    const { attempt } = connection.config
    this.#over.push(attempt)
    if (this.#over.length > OVER_MAX) this.#over.shift()
    this.#select()
    if (this.#active) {
      for (const each of this.#over.splice(0)) this.#active.connection.control({ kind: "over", attempt: each })
      this.#config.dirty(this.#active.connection)
    } else if (this.#connections.size === 0 && this.#up) {
      const isGone = ending === "by-peer" && nowMs - this.#missedMs > CLOSED_GRACE_MS
      this.#lost = { sinceMs: nowMs, untilMs: nowMs + (isGone ? CLOSED_GRACE_MS : RESUME_GRACE_MS), reason }
    }
  }

  /** No connection, but there may be one soon. */
  get waiting(): boolean {
    return this.#lost !== null
  }

  /** The member is there, whoever closed the last connection. */
  heardOf(): void {
    if (this.#lost) this.#lost.untilMs = this.#lost.sinceMs + RESUME_GRACE_MS
  }

  /** The member has greeted, and so misses this one: through the room that may come before the end of the connection does. */
  greeted(nowMs: number): void {
    this.#missedMs = nowMs
    this.heardOf()
  }

  /** Why the link is down, once the grace time is over. */
  tick(nowMs: number): string | null {
    // A gap this long means that this member slept: others had no chance to acknowledge.
    if (nowMs - this.#tickMs > STALL_MS / 2) this.#progressMs = nowMs
    this.#tickMs = nowMs
    this.#pace.tick(nowMs, this.#pair.unackedBytes)
    this.#ack()
    const stalled = this.#pair.unackedBytes > 0 && nowMs - this.#progressMs > STALL_MS
    if (stalled && this.#active) this.#config.close(this.#active.connection, "nothing was acknowledged for too long")
    return this.#lost && nowMs >= this.#lost.untilMs ? this.#lost.reason : null
  }

  /** The last word to the member. */
  bye(): void {
    this.#active?.connection.control({ kind: "bye" })
  }

  /** Moves to the best connection, with everything that is not known to have arrived. */
  #select(): void {
    const ready = [...this.#connections.values()].filter(({ resumed }) => resumed)
    const [best] = ready.sort((a, b) => rankOf(b) - rankOf(a))
    if (!best || best === this.#active) return
    this.#active = best
    this.#lost = null
    this.#progressMs = this.#tickMs
    best.connection.control({ kind: "start", next: this.#pair.next })
    for (const message of this.#pair.unacked) best.connection.queue(message)
    this.#config.dirty(best.connection)
    this.#config.onPath(pathOf[best.connection.config.carrier.type])
    for (const other of ready) if (other !== best) this.#config.close(other.connection, "a better one is up")
  }

  #ack(): void {
    const ack = this.#active && this.#pair.ack()
    if (!ack) return
    this.#unackedHere = 0
    this.#active!.connection.control(ack)
    this.#config.dirty(this.#active!.connection)
  }
}

function rankOf({ connection }: Ready): number {
  return rank[connection.config.carrier.type]
}
