/**
 * Drives one conference's cores: the mesh of links, group communication and the secure group. It owns the queues in
 * which signing, verifying, sealing and opening happen in order; what is right or wrong the cores decide.
 */
import type { KeyStructure } from "@keymoot/gke"
import {
  GroupCore,
  type GroupInput,
  type GroupOutput,
  type MemberId,
  type CarriedFrame,
  type Heartbeat,
  type ProposalId,
  type View,
} from "@keymoot/transport"
import { KeymootError, type SecurityEvent } from "../api.ts"
import { LruMap } from "../wire/index.ts"
import { SecureGroup, type SecureGroupInput, type SecureGroupOutput } from "../secure-group/index.ts"
import type { DriverConfig } from "./driver-config.ts"
import { Epochs } from "./epochs.ts"
import { FrameOpener, openTrusted } from "./frame-opener.ts"
import { Inbound } from "./inbound.ts"
import { CREDENTIALS_KNOWN_MAX, type KnownCredentials } from "./known-credentials.ts"
import type { Outbound } from "./outbox.ts"
import { Outgoing } from "./outgoing.ts"
import type { OverlayLinks, PeerOutput } from "./overlay-links.ts"
import { codeOfAgreementFault, codeOfGroupFault, isObstructing } from "./security-code.ts"
import { Statements } from "./statements.ts"
import { Transmitter, type LinkSender } from "./transmitter.ts"

const NONCE_BYTES = 16

export class GroupDriver {
  readonly known: KnownCredentials = new LruMap(CREDENTIALS_KNOWN_MAX)
  /** Members of the view that have said goodbye. */
  readonly departed = new Set<MemberId>()
  readonly #config: DriverConfig
  readonly #group: GroupCore
  readonly #secure: SecureGroup
  readonly #opener: FrameOpener
  readonly #inbound: Inbound
  readonly #transmitter: Transmitter
  readonly #outgoing: Outgoing
  readonly #epochs: Epochs
  readonly #statements: Statements
  /** Told to the group after its present outputs have been acted upon. */
  #obstructing: MemberId[] = []
  #flush: { readonly proposal: ProposalId; readonly attachment: Uint8Array } | null = null
  #closed = false

  constructor(config: DriverConfig) {
    this.#config = config
    const { fail } = config
    this.#epochs = new Epochs({
      ...config,
      self: config.self.member,
      authenticity: config.authenticity ?? "signature",
      hold: (held) => this.#step({ type: "hold", held }),
      takeOwn: (view, number) => this.#outgoing.takeUnderWay(view, number),
      report: (event) => this.#report(event),
    })
    this.#statements = new Statements({
      signer: config.signer,
      send: (to, body) => this.#step({ type: "roster", to, body }),
      loopBack: (body) => this.#hear({ type: "rosterMessage", from: config.self.member, body }),
      fail,
    })
    for (const person of [...config.roster, config.self]) this.known.set(person.member, person)
    this.#opener = new FrameOpener(
      config.group.conferenceTag,
      this.known,
      config.checker,
      this.#signsData ? null : (view) => this.#epochs.authenticatorOf(view),
    )
    this.#group = new GroupCore(config.group)
    this.#transmitter = new Transmitter({
      self: config.self.member,
      conferenceTag: config.group.conferenceTag,
      signer: config.signer,
      signed: (frame) => this.#opener.trust(frame),
      loopBack: (frame) => this.#step({ type: "frame", from: config.self.member, ...openTrusted(frame) }),
      fail: config.fail,
    })
    const named = [config.self, ...config.roster].map(({ member }) => member)
    this.#inbound = new Inbound({
      known: this.known,
      checker: config.checker,
      opener: this.#opener,
      step: (input) => this.#step(input),
      reject: (peer, why) => this.#report({ code: "bad-frame", member: peer, detail: `a frame was refused: ${why}` }),
      overlay: () => this.#overlay,
      needed: () => [...this.view.members.map(({ id }) => id), ...named],
      fail: config.fail,
    })
    this.#outgoing = new Outgoing({
      group: this.#group,
      transmitter: this.#transmitter,
      epoch: () => this.#epochs.secured(this.view.id),
      multicast: (frame) => this.#step({ type: "multicast", frame }),
      onIdle: () => this.#answerFlush(),
      fail: config.fail,
    })
    const self = config.self.member
    const fingerprintOf = (member: MemberId): Uint8Array => config.fingerprintOf(this.known.get(member)!)
    const { secure } = config
    this.#secure = new SecureGroup(
      secure.module === "majority" ? { ...secure, self } : { ...secure, self, fingerprintOf },
      config.statementsDigest,
    )
  }

  get view(): View {
    return this.#group.view
  }

  get #signsData(): boolean {
    return this.#config.authenticity !== "group"
  }

  /** Of the last key that was agreed. */
  get keyStructure(): KeyStructure | null {
    return this.#secure.structure()
  }

  /** Bytes that wait here, each with its bound: own ones for all to hold them, delivered ones to be opened. */
  get waitingBytes(): { readonly unstable: number; readonly opening: number } {
    return { unstable: this.#group.unstableBytes, opening: this.#epochs.waitingBytes }
  }

  /** `overlay`: for conferences that may have more members than a full mesh. */
  attach(links: LinkSender, overlay: OverlayLinks | null = null): void {
    this.#overlay = overlay
    this.#transmitter.attach(links, overlay)
  }
  #overlay: OverlayLinks | null = null

  /** What a member tells all of itself over the overlay. */
  hearHeartbeat(from: MemberId, heartbeat: Heartbeat): void {
    if (!this.#closed) this.#inbound.tell(from, heartbeat)
  }

  /** It has come over the overlay, and was verified. */
  takeCarried({ frame, syncs }: CarriedFrame): void {
    this.#step({ type: "frame", from: frame.origin, frame, syncs })
  }

  tick(nowMs: number): void {
    this.#step({ type: "tick", nowMs })
    this.#hear({ type: "tick", nowMs })
  }

  /** False while the present view has to wait for people who are not in it. */
  get expectsKey(): boolean {
    return this.#secure.expectsKey
  }

  /** A view of the same members, for a new key. */
  refresh(): void {
    this.#secure.renew()
    this.changeView()
  }

  /** A view of the same members; under majority with a key that is there already, if there is one. */
  changeView(): void {
    this.#step({ type: "refresh" })
  }

  /** With this member in the view no key comes about: it is left out for a while. */
  obstructed(by: MemberId): void {
    this.#step({ type: "obstructed", by })
  }

  /** Hands over a message; held until there is a secured view and room in the window. */
  send(outbound: Outbound): void {
    if (this.#closed) throw closedError()
    this.#outgoing.push(outbound)
  }

  withdraw(outbound: Outbound): boolean {
    return this.#outgoing.withdraw(outbound)
  }

  /** Nothing of ours is waiting or on its way. */
  get drained(): boolean {
    return this.#outgoing.drained
  }

  /** Says goodbye; nothing is sent or delivered afterwards. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#step({ type: "leave" })
    this.#closed = true
    this.#epochs.close()
    this.#outgoing.close(closedError())
    await this.#transmitter.idle()
    this.#epochs.erase()
    this.#secure.erase()
  }

  // The way in

  handle(output: PeerOutput): void {
    if (this.#closed) return
    if (output.type === "security") return this.#report(output)
    if (output.type === "ready") return this.#outgoing.pump()
    if (output.type === "alive") return this.#step({ type: "alive", from: output.peer })
    // The neighbour that handed a frame over is named where it is bad: a spoilt signature says nothing about the origin.
    this.#inbound.handle(output)
  }

  #step(input: GroupInput): void {
    if (this.#closed) return
    try {
      for (const output of this.#group.step(input)) this.#onGroupOutput(output)
      for (const by of this.#obstructing.splice(0)) this.#step({ type: "obstructed", by })
      this.#outgoing.pump()
    } catch (error) {
      this.#config.fail(error)
    }
  }

  #onGroupOutput(output: GroupOutput): void {
    switch (output.type) {
      case "sign":
        return this.#transmitter.signAndSend(output.to, output.view, output.payload)
      case "send":
        return this.#transmitter.send(output.to, { type: "frame", bytes: output.bytes }, output.how)
      case "heartbeat":
      case "acknowledgement":
        return this.#transmitter.send(output.to, output)
      case "farewell":
        if (this.view.members.some(({ id }) => id === output.member)) this.departed.add(output.member)
        return
      case "unadmitted":
        return void this.#config.emit(output)
      case "fault":
        // Where nobody signs data, any member can have made the other one.
        if (output.reason === "conflicting-frames" && !this.#signsData)
          return this.#report({ code: "divergence", member: null, detail: "one number was given to two messages" })
        return this.#report({ code: codeOfGroupFault(output.reason), member: output.member, detail: output.reason })
      case "divergence":
        return this.#report({
          code: "divergence",
          member: output.from,
          detail: "it holds other messages than this member",
        })
      default:
        for (const secured of this.#secure.step(output)) this.#onSecureOutput(secured)
    }
  }

  /** Something for the secure group that is not the group's. */
  #hear(input: SecureGroupInput): void {
    if (this.#closed) return
    try {
      for (const output of this.#secure.step(input)) this.#onSecureOutput(output)
      for (const by of this.#obstructing.splice(0)) this.#step({ type: "obstructed", by })
      this.#outgoing.pump()
    } catch (error) {
      this.#config.fail(error)
    }
  }

  #onSecureOutput(output: SecureGroupOutput): void {
    switch (output.type) {
      case "multicast":
        return this.#outgoing.pushAgreement(output.body)
      case "statement":
        return this.#statements.say(output)
      case "flushed":
        this.#flush = output
        return
      case "agreeing":
        this.#outgoing.onView()
        this.#flush = null
        return this.#epochs.onAgreeing(output.view)
      case "keyed":
        return this.#epochs.onKeyed(output.view, output.epochKey)
      case "secured":
        return this.#epochs.onSecured(output.view)
      case "data":
        return this.#epochs.open(output.frame)
      case "refreshDue":
      case "apart":
        return this.#epochs.emitInOrder(output)
      case "fault": {
        if (isObstructing(output.reason)) this.#obstructing.push(output.member)
        return this.#report({ code: codeOfAgreementFault(output.reason), member: output.member, detail: output.reason })
      }
      case "overdue":
        return void this.#obstructing.push(output.member)
      case "closing":
        return
    }
  }

  #report({ code, member, detail }: SecurityEvent): void {
    if (!this.#closed) void this.#config.emit({ type: "security", event: { code, member, detail } })
  }

  // The way out

  /** With nothing left in the making, a flush that is asked for is answered. */
  #answerFlush(): void {
    const flush = this.#flush
    if (!flush || this.#group.maySend) return
    this.#flush = null
    const nonce = this.#config.secure.random(NONCE_BYTES)
    this.#step({ type: "flushed", ...flush, nonce })
  }
}

function closedError(): KeymootError {
  return new KeymootError("closed", "This conference is over for you. Join it again to send.")
}
