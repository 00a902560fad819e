import type { PeerEvent, Reliability } from "../../port/port.ts"
import { Association, type AssociationOutput } from "../association/association.ts"
import {
  ASSOCIATION_TIMEOUT_MS,
  CONNECT_TIMEOUT_MS,
  PATH_NUDGES,
  RELAY_CONNECT_TIMEOUT_MS,
  SIGNAL_REPEAT_MS,
} from "../../bounds/network-bounds.ts"
import { SealedChannel } from "../association/channel.ts"
import { isUnopened } from "../association/hop.ts"
import type { MemberId } from "../../members/ids.ts"
import type { MeshBase } from "../base/mesh-base.ts"
import type { Control } from "../messages/control.ts"
import type { InvitationKeys } from "../shared/keyring.ts"
import { KEM_SEED_BYTES } from "../shared/kem.ts"
import { PROTOCOL, type Feature } from "../shared/protocol.ts"
import { Hearing } from "./hearing.ts"
import { Negotiation } from "./negotiation.ts"
import type { Signal } from "../messages/signal.ts"
import type { ConnectionConfig, ConnectionFault, ConnectionInput, ConnectionOutput, Opening } from "./connection-io.ts"

/** Frames of the unreliable lane that the other end drops: they have no header and prove no fault. A port takes them. */
const nudge = () => Array.from({ length: PATH_NUDGES }, () => Uint8Array.of(0))

type State =
  | { readonly name: "negotiating"; readonly untilMs: number; repeatAtMs: number }
  | { readonly name: "associating"; readonly untilMs: number; readonly association: Association }
  /** The peer's identity is proved, so sending is allowed. The peer has not confirmed yet. */
  | {
      readonly name: "proved"
      readonly untilMs: number
      readonly association: Association
      readonly channel: SealedChannel
      readonly keys: InvitationKeys
      readonly features: readonly Feature[]
    }
  | { readonly name: "up"; readonly channel: SealedChannel }
  | { readonly name: "ended" }

/** One connection with one member: opening, offer, answer, association and end. */
export class Connection {
  readonly config: ConnectionConfig
  readonly hearing = new Hearing()
  readonly #base: MeshBase
  /** Newest first, as they were when the connection began. */
  readonly #invitations: readonly InvitationKeys[]
  readonly #negotiation: Negotiation
  #state: State
  /** Begun before the relay is open: its first message goes along with the request. */
  #early: Association | null = null

  /** It sends nothing before `start`. */
  constructor(base: MeshBase, opening: Opening) {
    const config = { ...opening, id: base.mesh.host.nextConnection() }
    const { nowMs } = base.clock
    this.config = config
    this.#base = base
    this.#invitations = base.keyring.all
    this.#negotiation = new Negotiation(config.role, config.attempt)
    this.#state = {
      name: "negotiating",
      untilMs: nowMs + (config.carrier.type === "webrtc" ? CONNECT_TIMEOUT_MS : RELAY_CONNECT_TIMEOUT_MS),
      repeatAtMs: nowMs + SIGNAL_REPEAT_MS,
    }
  }

  get up(): boolean {
    return this.#state.name === "up"
  }

  /** The other end may still lack the signals that this connection needs. */
  get isNegotiating(): boolean {
    return this.#state.name === "negotiating"
  }

  /** The peer makes this connection with us, and has not proved its identity yet. */
  get answered(): boolean {
    const { name } = this.#state
    return name === "associating" || (name === "negotiating" && this.#negotiation.answered)
  }

  start(): ConnectionOutput[] {
    const { id, role, carrier, attempt: circuit } = this.config
    if (carrier.type === "server") {
      const { server, room, to } = carrier
      const answering = role === "responder"
      if (!answering) this.#early = this.#associate("", "")
      const command = { type: "relay-open", connectionId: id, server, room, to, circuit, answering } as const
      return [{ type: "post", command }, ...this.#signals()]
    }
    return [{ type: "post", command: { type: "peer-open", connectionId: id, initiator: role === "initiator" } }]
  }

  /** As `SealedChannel.queue`. The message is lost unless the connection is up. */
  queue(message: Uint8Array, isFast: boolean): void {
    if (this.#state.name === "up") this.#state.channel.queue(message, isFast)
  }

  /** As `queue`, but accepted from the peer's proof on. */
  control(control: Control): void {
    if (this.#state.name === "up" || this.#state.name === "proved") this.#state.channel.control(control)
  }

  /** Returns false for a message too long for an unreliable frame. */
  queueUnreliable(message: Uint8Array): boolean {
    return this.#state.name !== "up" || this.#state.channel.queueUnreliable(message)
  }

  step(input: ConnectionInput, nowMs: number): ConnectionOutput[] {
    if (this.#state.name === "ended") return []
    switch (input.type) {
      case "peer":
        return this.#handlePeer(input.event, nowMs)
      case "signal":
        return this.#handleSignal(input.signal)
      case "signed":
      case "verified":
        return this.#state.name === "associating"
          ? this.#handleAssociation(this.#state.association.step(input), nowMs)
          : []
      case "flush":
        return this.#flush()
      case "tick":
        return this.#handleTick(nowMs)
      case "repeat":
        return this.#repeat(nowMs)
      case "nudge":
        return this.up ? [this.#postFrames(nudge(), "unreliable")] : []
      case "close":
        return [...this.#flush(), ...this.#end(input.reason)]
      case "refuse":
        return this.#end("bad-frame", { code: "bad-frame", detail: input.detail })
    }
  }

  #handleTick(nowMs: number): ConnectionOutput[] {
    if (this.#state.name === "up") {
      this.#state.channel.tick(nowMs)
      return this.#flush()
    }
    if (this.#state.name === "ended") return []
    if (nowMs >= this.#state.untilMs) return this.#end(`${this.#state.name} took too long`)
    return this.#state.name === "negotiating" && nowMs >= this.#state.repeatAtMs ? this.#repeat(nowMs) : []
  }

  /** Repeats all signals sent so far. */
  #repeat(nowMs: number): ConnectionOutput[] {
    if (this.#state.name !== "negotiating") return []
    this.#state.repeatAtMs = nowMs + SIGNAL_REPEAT_MS
    return this.#signals()
  }

  #signals(): ConnectionOutput[] {
    const { carrier, attempt } = this.config
    if (carrier.type === "webrtc") return this.#negotiation.repeat().map((signal) => ({ type: "signal", signal }))
    return this.#early ? [{ type: "signal", signal: { kind: "relay", attempt, opening: this.#early.start() } }] : []
  }

  #handlePeer(event: PeerEvent, nowMs: number): ConnectionOutput[] {
    switch (event.type) {
      case "peer-signal": {
        const signals = this.#negotiation.handleLocal(event.signal)
        if (signals === null) return this.#end("the own description is unusable")
        return signals.map((signal) => ({ type: "signal", signal }))
      }
      case "peer-connected":
        return this.#handleConnected(event, nowMs)
      case "peer-frames":
        return event.reliability === "reliable"
          ? this.#handleFrames(event.frames, nowMs)
          : this.#handleUnreliable(event.frames)
      case "peer-closed":
        this.abandon()
        return [{ type: "ended", reason: event.reason, ending: event.byPeer ? "by-peer" : "failure", security: null }]
    }
  }

  #handleSignal(signal: Signal & { kind: "description" | "candidate" }): ConnectionOutput[] {
    const verdict = this.#negotiation.handleRemote(signal)
    switch (verdict.verdict) {
      case "forward":
        return [
          { type: "post", command: { type: "peer-signal", connectionId: this.config.id, signal: verdict.signal } },
        ]
      case "answered":
        return verdict.signals.map((each) => ({ type: "signal", signal: each }))
      case "dropped":
        return [{ type: "dropped", reason: verdict.reason }]
      case "refused": {
        const code = verdict.reason === "fingerprint-mismatch" ? "fingerprint-mismatch" : "forged-signal"
        return this.#end(verdict.reason, { code, detail: verdict.detail })
      }
    }
  }

  #handleConnected(event: PeerEvent & { type: "peer-connected" }, nowMs: number): ConnectionOutput[] {
    if (this.#state.name !== "negotiating") return []
    const { carrier } = this.config
    if (carrier.type === "webrtc" && !this.#negotiation.pinned(event)) {
      const detail = "the connection's certificates are not those of the authenticated descriptions"
      return this.#end("fingerprint-mismatch", { code: "fingerprint-mismatch", detail })
    }
    const association = this.#early ?? this.#associate(event.localFingerprint, event.remoteFingerprint)
    const first = this.#early ? [] : [this.#postFrames([association.start()])]
    this.#early = null
    this.#state = { name: "associating", untilMs: nowMs + ASSOCIATION_TIMEOUT_MS, association }
    const { opening } = this.config
    if (opening === undefined) return first
    return [...first, ...this.#handleAssociation(association.step({ type: "message", bytes: opening }), nowMs)]
  }

  #associate(localFingerprint: string, remoteFingerprint: string): Association {
    const { role, attempt, peer, peerIncarnation, carrier } = this.config
    const { scope, mesh } = this.#base
    const { random, protocol = PROTOCOL, hopCipher, x25519, kem = null, signer, incarnation } = mesh
    return new Association({
      scope,
      keys: this.#invitations.map(({ association }) => association),
      role,
      attempt,
      linkType: carrier.type === "webrtc" ? "webrtc" : "relay",
      own: { certificate: signer.certificate, incarnation, fingerprint: localFingerprint },
      peer: { certificate: peer.certificate, incarnation: peerIncarnation, fingerprint: remoteFingerprint },
      protocol,
      hopCipher,
      x25519,
      ephemeralSecret: random.bytes(32),
      nonce: random.bytes(32),
      hybrid: kem && { kem, seed: random.bytes(KEM_SEED_BYTES) },
    })
  }

  #handleFrames(frames: readonly Uint8Array[], nowMs: number): ConnectionOutput[] {
    const outputs: ConnectionOutput[] = []
    for (const frame of frames) {
      if (this.#state.name === "associating" || this.#state.name === "proved") {
        const results = this.#state.association.step({ type: "message", bytes: frame })
        outputs.push(...this.#handleAssociation(results, nowMs))
      } else if (this.#state.name === "up") outputs.push(...this.#open(this.#state.channel, frame, nowMs))
    }
    return [...outputs, ...this.#flush()]
  }

  #open(channel: SealedChannel, frame: Uint8Array, nowMs: number): ConnectionOutput[] {
    const received = channel.open(frame, nowMs)
    if ("refused" in received) {
      const fault = { code: "bad-frame", detail: received.refused } as const
      return this.#end("bad-frame", fault, isUnopened(received.refused) ? this.#author : this.config.peer.member)
    }
    this.hearing.add(frame.length, channel.isReceiving)
    return received.map((each) => (each.type === "message" ? { ...each, reliability: "reliable" } : each))
  }

  #handleUnreliable(frames: readonly Uint8Array[]): ConnectionOutput[] {
    const state = this.#state
    if (state.name !== "up") return []
    const messages = frames.flatMap((frame) => state.channel.openUnreliable(frame))
    // The peer may send nothing else while its acknowledgement waits for the rest of a long message.
    for (const { length } of messages) this.hearing.add(length, state.channel.isReceiving)
    return messages.map((bytes) => ({ type: "message", bytes, reliability: "unreliable" }))
  }

  #handleAssociation(results: readonly AssociationOutput[], nowMs: number): ConnectionOutput[] {
    return results.flatMap((result): ConnectionOutput[] => {
      switch (result.type) {
        case "sign":
        case "verify":
          return [result]
        case "send":
          return [this.#postFrames([result.bytes])]
        case "proved":
          this.#becomeProved(result, nowMs)
          return [{ type: "proved" }]
        case "established":
          return this.#becomeUp(result.early, nowMs)
        case "refused":
          return this.#end("bad-association", { code: "bad-association", detail: result.reason }, this.#author)
      }
    })
  }

  #becomeProved({ hop, key, features }: AssociationOutput & { type: "proved" }, nowMs: number): void {
    if (this.#state.name !== "associating") return
    const { random, kem = null, x25519 } = this.#base.mesh
    const channel = new SealedChannel(hop, this.config.role, random, nowMs, kem, x25519)
    this.#state = { ...this.#state, name: "proved", channel, keys: this.#invitations[key]!, features }
  }

  #becomeUp(early: readonly Uint8Array[], nowMs: number): ConnectionOutput[] {
    if (this.#state.name !== "proved") return []
    const { channel, keys, features } = this.#state
    this.#state = { name: "up", channel }
    return [{ type: "up", keys, features }, ...this.#handleFrames(early, nowMs)]
  }

  /** Author of bytes that are not authenticated yet. Null on a relayed link, where the server may have forged them. */
  get #author(): MemberId | null {
    return this.config.carrier.type === "server" ? null : this.config.peer.member
  }

  #flush(): ConnectionOutput[] {
    if (this.#state.name !== "up" && this.#state.name !== "proved") return []
    const { reliable, unreliable } = this.#state.channel.flush()
    return [
      ...(reliable.length > 0 ? [this.#postFrames(reliable)] : []),
      ...(unreliable.length > 0 ? [this.#postFrames(unreliable, "unreliable")] : []),
    ]
  }

  #postFrames(frames: readonly Uint8Array[], reliability: Reliability = "reliable"): ConnectionOutput {
    return { type: "post", command: { type: "peer-send", connectionId: this.config.id, reliability, frames } }
  }

  #end(
    reason: string,
    fault: Omit<ConnectionFault, "member"> | null = null,
    member: MemberId | null = this.config.peer.member,
  ): ConnectionOutput[] {
    this.abandon()
    return [
      { type: "post", command: { type: "peer-close", connectionId: this.config.id } },
      { type: "ended", reason, ending: "failure", security: fault && { ...fault, member } },
    ]
  }

  /** Ends the connection in any state without a message. The caller closes the link. */
  abandon(): void {
    this.#early?.forget()
    if (this.#state.name === "associating") this.#state.association.forget()
    if (this.#state.name === "proved" || this.#state.name === "up") this.#state.channel.forget()
    this.#state = { name: "ended" }
  }
}
