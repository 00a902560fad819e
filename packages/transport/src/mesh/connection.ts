import type { Credential } from "../credentials.ts"
import type { IceServer, LinkNumber, PeerCommand, PeerEvent } from "../host/port.ts"
import { Association, type AssociationOutput } from "./association.ts"
import { ASSOCIATION_TIMEOUT_MS, CONNECT_TIMEOUT_MS } from "./bounds.ts"
import { SealedChannel } from "./channel.ts"
import { Negotiation } from "./negotiation.ts"
import type { Scope } from "./scope.ts"
import type { Signal } from "./signal.ts"
import type { Role } from "./transcript.ts"

export type ConnectionConfig = {
  readonly link: LinkNumber
  readonly scope: Scope
  readonly associationKey: Uint8Array
  /** The initiator makes the offer and is the association's initiator too. */
  readonly role: Role
  readonly attempt: number
  readonly own: { readonly certificate: Uint8Array; readonly incarnation: number }
  readonly peer: Credential
  readonly peerIncarnation: number
  readonly iceServers: readonly IceServer[]
  readonly random: (length: number) => Uint8Array
}

export type ConnectionInput =
  | { readonly type: "peer"; readonly event: PeerEvent }
  /** Authenticated, current, of this attempt. */
  | { readonly type: "signal"; readonly signal: Signal & { kind: "description" | "candidate" } }
  | { readonly type: "signed"; readonly signature: Uint8Array }
  | { readonly type: "verified"; readonly ok: boolean }
  | { readonly type: "flush" }
  | { readonly type: "tick" }
  | { readonly type: "close"; readonly reason: string }

export type SecurityCode = "fingerprint-mismatch" | "forged-signal" | "bad-association" | "bad-credential" | "bad-frame"

export type ConnectionOutput =
  | { readonly type: "post"; readonly command: PeerCommand }
  | { readonly type: "signal"; readonly signal: Signal }
  | { readonly type: "dropped"; readonly reason: string }
  /** By our identity; answer with `signed`. */
  | { readonly type: "sign"; readonly bytes: Uint8Array }
  /** By the peer's; answer with `verified`. */
  | { readonly type: "verify"; readonly bytes: Uint8Array; readonly signature: Uint8Array }
  | { readonly type: "up" }
  | { readonly type: "message"; readonly bytes: Uint8Array }
  /** Once, and last. */
  | {
      readonly type: "ended"
      readonly reason: string
      readonly security: { readonly code: SecurityCode; readonly detail: string } | null
    }

type State =
  | { readonly name: "negotiating"; readonly untilMs: number }
  | { readonly name: "associating"; readonly untilMs: number; readonly association: Association }
  | { readonly name: "up"; readonly channel: SealedChannel }
  | { readonly name: "ended" }

/** One peer connection with one member: from its opening through offer, answer and association to its end. */
export class Connection {
  readonly config: ConnectionConfig
  readonly #negotiation: Negotiation
  #state: State

  constructor(config: ConnectionConfig, nowMs: number) {
    this.config = config
    this.#negotiation = new Negotiation(config.role, config.attempt)
    this.#state = { name: "negotiating", untilMs: nowMs + CONNECT_TIMEOUT_MS }
  }

  get up(): boolean {
    return this.#state.name === "up"
  }

  /** Queued here and below, in bytes; 0 unless up. */
  get bufferedBytes(): number {
    return this.#state.name === "up" ? this.#state.channel.bufferedBytes : 0
  }

  start(): ConnectionOutput[] {
    const { link, role, iceServers } = this.config
    return [{ type: "post", command: { type: "peer-open", link, initiator: role === "initiator", iceServers } }]
  }

  /** Queues a message for the next `flush`; lost unless up. */
  queue(bytes: Uint8Array): void {
    if (this.#state.name === "up") this.#state.channel.queue(bytes)
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
        return this.#state.name === "associating" ? this.#handleAssociation(this.#state.association.step(input)) : []
      case "flush":
        return this.#flush()
      case "tick":
        return "untilMs" in this.#state && nowMs >= this.#state.untilMs
          ? this.#end(`${this.#state.name} took too long`)
          : []
      case "close":
        return [...this.#flush(), ...this.#end(input.reason)]
    }
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
        return this.#handleFrames(event.frames)
      case "peer-buffered":
        if (this.#state.name === "up") this.#state.channel.handleBuffered(event.bufferedBytes)
        return []
      case "peer-closed":
        this.#becomeEnded()
        return [{ type: "ended", reason: event.reason, security: null }]
    }
  }

  #handleSignal(signal: Signal & { kind: "description" | "candidate" }): ConnectionOutput[] {
    const verdict = this.#negotiation.handleRemote(signal)
    switch (verdict.verdict) {
      case "forward":
        return [{ type: "post", command: { type: "peer-signal", link: this.config.link, signal: verdict.signal } }]
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
    if (!this.#negotiation.pinned(event)) {
      const detail = "the connection's certificates are not those of the authenticated descriptions"
      return this.#end("fingerprint-mismatch", { code: "fingerprint-mismatch", detail })
    }
    const { scope, associationKey: key, role, attempt, own, peer, peerIncarnation, random } = this.config
    const association = new Association({
      scope,
      key,
      role,
      attempt,
      linkType: "webrtc",
      own: { ...own, fingerprint: event.localFingerprint },
      peer: { certificate: peer.certificate, incarnation: peerIncarnation, fingerprint: event.remoteFingerprint },
      ephemeralSecret: random(32),
      nonce: random(32),
    })
    this.#state = { name: "associating", untilMs: nowMs + ASSOCIATION_TIMEOUT_MS, association }
    return [this.#postFrames([association.start()])]
  }

  #handleFrames(frames: readonly Uint8Array[]): ConnectionOutput[] {
    const outputs: ConnectionOutput[] = []
    for (const frame of frames) {
      if (this.#state.name === "associating") {
        outputs.push(...this.#handleAssociation(this.#state.association.step({ type: "message", bytes: frame })))
      } else if (this.#state.name === "up") {
        const opened = this.#state.channel.open(frame)
        if ("refused" in opened) outputs.push(...this.#end("bad-frame", { code: "bad-frame", detail: opened.refused }))
        else outputs.push(...opened.map((bytes): ConnectionOutput => ({ type: "message", bytes })))
      }
    }
    return outputs
  }

  #handleAssociation(results: readonly AssociationOutput[]): ConnectionOutput[] {
    return results.flatMap((result): ConnectionOutput[] => {
      switch (result.type) {
        case "sign":
        case "verify":
          return [result]
        case "send":
          return [this.#postFrames([result.bytes])]
        case "established":
          this.#state = { name: "up", channel: new SealedChannel(result.sealer, result.opener) }
          return [{ type: "up" }]
        case "refused":
          return this.#end("bad-association", { code: "bad-association", detail: result.reason })
      }
    })
  }

  #flush(): ConnectionOutput[] {
    const frames = this.#state.name === "up" ? this.#state.channel.flush() : []
    return frames.length > 0 ? [this.#postFrames(frames)] : []
  }

  #postFrames(frames: readonly Uint8Array[]): ConnectionOutput {
    return { type: "post", command: { type: "peer-send", link: this.config.link, frames } }
  }

  #end(
    reason: string,
    security: { readonly code: SecurityCode; readonly detail: string } | null = null,
  ): ConnectionOutput[] {
    this.#becomeEnded()
    return [
      { type: "post", command: { type: "peer-close", link: this.config.link } },
      { type: "ended", reason, security },
    ]
  }

  #becomeEnded(): void {
    if (this.#state.name === "associating") this.#state.association.forget()
    if (this.#state.name === "up") this.#state.channel.forget()
    this.#state = { name: "ended" }
  }
}
