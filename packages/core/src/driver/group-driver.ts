/**
 * Drives the cores of one conference: group communication and secure group. Frames pass through the two pipelines, in
 * which they are signed, verified, encrypted and decrypted in order. The cores decide what is valid.
 */
import type { KeyStructure } from "@keymoot/gke"
import {
  GroupCore,
  GroupTrace,
  type GroupInput,
  type GroupOutput,
  type MemberId,
  type View,
  UNSTABLE_BYTES_MAX,
} from "@keymoot/transport"
import type { QueueFill, SecurityEvent } from "../api/index.ts"
import { Containment, type Cause } from "../frames/containment.ts"
import { FrameOpener, type KnownCredentials } from "../frames/frame-opener.ts"
import { MemberPrints } from "../identity/member-prints.ts"
import type { PeerOutput } from "../overlay/overlay-links.ts"
import { OPENING_BYTES_HIGH } from "../queues/decrypt-queue.ts"
import { SecureGroup, type SecureGroupInput, type SecureGroupOutput } from "../secure-group/secure-group.ts"
import type { DriverConfig, DriverEvent } from "./driver-config.ts"
import { PresentEpoch } from "../multicast/epoch.ts"
import { EarlyData } from "./early-data.ts"
import { reportsOf, type GroupReport } from "./group-report.ts"
import { closedError, OUTBOX_BYTES_MAX, type Outbound } from "./outbox.ts"
import { ReceivePipeline } from "./receive-pipeline.ts"
import { codeOfAgreementFault, codeOfGroupFault } from "./security-code.ts"
import { SendPipeline } from "./send-pipeline.ts"
import { StatementQueue } from "./statement-queue.ts"
import { traceSecureGroup } from "../trace/layer-event.ts"

export class GroupDriver {
  readonly known: KnownCredentials
  readonly prints: MemberPrints
  /** Members of the view that said goodbye. */
  readonly departed = new Set<MemberId>()
  readonly #config: DriverConfig
  readonly #group: GroupCore
  readonly #secure: SecureGroup
  readonly #epoch = new PresentEpoch()
  readonly #early = new EarlyData()
  readonly #sending: SendPipeline
  readonly #receiving: ReceivePipeline
  readonly #statements: StatementQueue
  readonly #containment: Containment
  readonly #groupTrace: GroupTrace | null
  /** Reports to the group about the present view, which follow its present outputs. */
  #reports: GroupReport[] = []
  #closed = false

  constructor(config: DriverConfig) {
    this.#config = config
    const { self, roster, links, checker, conferenceId, signer, faults, group, secure } = config
    const { conferenceTag } = group
    this.known = config.known
    this.prints = new MemberPrints(this.known, config.identifiedBy)
    for (const person of [...roster, self]) this.known.set(person.member, person)
    this.#containment = new Containment(faults, (event) => this.#emit({ type: "security", event }))
    this.#group = config.core ?? new GroupCore({ ...group, signsData: this.#signsData })
    this.#groupTrace = config.trace ? new GroupTrace(self.member, config.trace.take) : null
    const { prints } = this
    this.#secure = new SecureGroup(
      secure.module === "majority" ? { ...secure, self: self.member } : { ...secure, self: self.member, prints },
    )
    this.#statements = new StatementQueue(signer, faults, {
      take: (output) => (output.type === "roster" ? this.#step(output) : this.#enterSecure(output)),
    })
    const authenticatorOf = this.#signsData ? null : (view: View["id"]) => this.#epoch.authenticatorOf(view)
    const opener = new FrameOpener(conferenceTag, this.known, checker, authenticatorOf)
    const { random } = secure
    const common = { self: self.member, links, group: this.#group, epoch: this.#epoch, opener, faults, random }
    const inputs = { take: (input: GroupInput): void => this.#step(input) }
    this.#sending = new SendPipeline({ ...common, conferenceTag, signer, inputs })
    this.#receiving = new ReceivePipeline({
      ...common,
      conferenceId,
      checker,
      signsData: this.#signsData,
      cipher: secure.cipher,
      known: this.known,
      named: [self, ...roster].map(({ member }) => member),
      sent: this.#sending,
      inputs: { take: (input) => this.#step(input, "peer") },
      sink: { take: (event) => this.#emit(event) },
      containment: this.#containment,
    })
  }

  /** See `GroupCore.heldUp`. */
  get heldUp(): ReadonlySet<MemberId> {
    return this.#group.heldUp
  }

  get view(): View {
    return this.#group.view
  }

  get #signsData(): boolean {
    return this.#config.authenticity !== "group"
  }

  /** Structure of the last agreed key. */
  get keyStructure(): KeyStructure | null {
    return this.#secure.structure()
  }

  get queues(): readonly QueueFill[] {
    return [
      { queue: "outbox", bytes: this.#sending.waitingBytes, bytesMax: 2 * OUTBOX_BYTES_MAX },
      { queue: "unstable", bytes: this.#group.unstableBytes, bytesMax: UNSTABLE_BYTES_MAX },
      { queue: "decryption", bytes: this.#receiving.fills.openingBytes, bytesMax: OPENING_BYTES_HIGH },
    ]
  }

  /** As `GroupCore.nextTickMs`. */
  get nextTickMs(): number {
    const isIdle =
      this.#sending.isIdle && this.#receiving.isIdle && this.#statements.length === 0 && !this.#config.links.isUnsure
    return isIdle && this.#secure.isCalm ? this.#group.nextTickMs : -Infinity
  }

  tick(nowMs: number): void {
    if (this.#containment.tick(nowMs)) this.changeView()
    this.#receiving.tick(nowMs)
    this.#config.links.tick(nowMs)
    this.#step({ type: "tick", nowMs })
    this.#enterSecure({ type: "tick", nowMs, proposer: this.#group.proposer })
  }

  /** False while the present view contains members with which no key is agreed. */
  get expectsKey(): boolean {
    return this.#secure.expectsKey
  }

  /** See `SecureGroup.progress`. */
  get agreementProgress(): number {
    return this.#secure.progress
  }

  /** Installs a view of the same members with a new key. */
  refresh(): void {
    this.#secure.renew()
    this.changeView()
  }

  /** Installs a view of the same members. Under majority it gets an existing key if there is one. */
  changeView(): void {
    this.#step({ type: "refresh" })
  }

  /** Replaces a view that gets no key, without newcomers at first. One could withhold its part and delay the others. */
  replaceView(): void {
    this.#step({ type: "propose", members: this.view.members.map(({ id }) => id) })
    this.changeView()
  }

  /** A member obstructs the key agreement. It is left out for a while. */
  obstructed(by: MemberId): void {
    this.#step({ type: "obstructed", by })
  }

  /** Queues a message until there is a secured view and room in the window. */
  send(outbound: Outbound): void {
    if (this.#closed) throw closedError()
    this.#sending.push(outbound)
  }

  withdraw(outbound: Outbound): boolean {
    return this.#sending.withdraw(outbound)
  }

  /** Whether no own message waits or is unstable. */
  get drained(): boolean {
    return this.#sending.drained
  }

  /** Backpressure of the application: pauses or resumes a sender. */
  pause(sender: MemberId, paused: boolean): void {
    this.#receiving.pause(sender, paused)
  }

  /** Says goodbye. Sends and delivers nothing afterwards. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#step({ type: "leave" })
    this.#closed = true
    this.#sending.close(closedError())
    await this.#sending.idle()
    this.#epoch.value?.erase()
    this.#secure.erase()
  }

  // From the links

  handle(output: PeerOutput): void {
    if (this.#closed) return
    switch (output.type) {
      case "security":
        return this.#report(output.code, output.member, output.detail)
      case "ready":
        return this.#sending.pump()
      case "alive":
        return this.#step({ type: "alive", from: output.peer }, "peer")
      case "obstructed":
        return this.obstructed(output.peer)
      case "heartbeat":
        return this.#receiving.onHeartbeat(output.peer, output.heartbeat)
      case "carried": {
        const { frame, syncs } = output.carried
        return this.#step({ type: "frame", from: frame.origin, frame, syncs }, "peer")
      }
      default:
        if (output.type === "linkUp") this.#metOthers = true
        return this.#receiving.handle(output)
    }
  }

  // The group. Calls nest in this order:
  //   #step → #onGroupOutput → #stepSecure → #onSecureOutput
  //   #enterSecure → #stepSecure → #onSecureOutput
  // Both entries end with #afterStep. It enters #step for early data and for obstructing members, and pumps the send
  // pipeline, which answers a flush by #step. #onSecureOutput enters #step too, when a lane to decrypt is full.

  /**
   * Cause of a step that this member takes by itself. After it has met a member, such a step also processes bytes of
   * others. A coordinator delivers its own INSTALL with all members' SYNCs, and a timer processes a delayed message.
   */
  get #ownCause(): Cause {
    return this.#metOthers ? "peer" : "own"
  }
  #metOthers = false

  #step(input: GroupInput, cause: Cause = this.#ownCause): void {
    if (this.#closed) return
    if (input.type === "frame" && input.frame.kind === "data" && this.#isEarly(input.frame.view)) {
      return this.#early.hold(input)
    }
    const outputs = this.#containment.run(cause, () => this.#group.step(input)) ?? this.#group.rest()
    this.#groupTrace?.observe(input, outputs)
    for (const output of outputs) this.#containment.run(cause, () => this.#onGroupOutput(output, cause))
    this.#afterStep()
  }

  /** During a view change a cut may name data of a view that is not secured here. */
  #isEarly(view: View["id"]): boolean {
    return !this.#signsData && this.#group.maySend && view === this.view.id && this.#epoch.secured(view) === null
  }

  #afterStep(): void {
    if (!this.#isEarly(this.view.id)) for (const input of this.#early.take()) this.#step(input, "peer")
    for (const report of this.#reports.splice(0)) this.#step(report)
    this.#containment.run("own", () => this.#sending.pump())
  }

  #onGroupOutput(output: GroupOutput, cause: Cause): void {
    switch (output.type) {
      case "sign":
        return this.#sending.signAndSend(output.to, output.view, output.payload)
      case "send":
        return this.#sending.send(output.to, { type: "frame", bytes: output.bytes }, output.how)
      case "heartbeat":
      case "acknowledgement":
        return this.#sending.send(output.to, output)
      case "farewell":
        if (this.view.members.some(({ id }) => id === output.member)) this.departed.add(output.member)
        return
      case "unadmitted":
        return void this.#emit(output)
      case "fault":
        if (output.reason === "conflicting-unsigned-frames")
          return this.#report("divergence", null, "two messages have the same sequence number")
        return this.#report(codeOfGroupFault(output.reason), output.member, output.reason)
      case "divergence":
        return this.#report("divergence", output.from, "it received messages that differ from this member's")
      case "flushRequest":
        return this.#stepSecure({ ...output, statementsDigest: this.#config.rules.digest() }, cause)
      default:
        if (output.type === "view") this.#containment.onView()
        return this.#stepSecure(output, cause)
    }
  }

  // The secure group

  /** Passes an input to the secure group that does not come from the group. */
  #enterSecure(input: SecureGroupInput): void {
    if (this.#closed) return
    this.#stepSecure(input, this.#ownCause)
    this.#afterStep()
  }

  #stepSecure(input: SecureGroupInput, cause: Cause): void {
    const outputs = this.#containment.run(cause, () => this.#secure.step(input)) ?? this.#secure.rest()
    const { trace } = this.#config
    if (trace) for (const output of outputs) traceSecureGroup(trace.take, output)
    for (const output of outputs) this.#containment.run(cause, () => this.#onSecureOutput(output))
  }

  #onSecureOutput(output: SecureGroupOutput): void {
    this.#reports.push(...reportsOf(output))
    switch (output.type) {
      case "multicast":
        return this.#sending.pushAgreement(output.body)
      case "statement":
        return this.#statements.add(output)
      case "flushed":
        return this.#sending.flush(output)
      case "agreeing":
        this.#sending.onView()
        this.#config.media?.onAgreeing(output.view)
        return this.#receiving.onAgreeing(output.view)
      case "keyed":
        this.#config.media?.onKeyed(output.view, output.epochKey)
        return this.#receiving.onKeyed(output.view, output.epochKey)
      case "proof":
        return this.#prove(output.body)
      case "secured":
        this.#config.media?.onSecured(output.view)
        return this.#receiving.onSecured(output.view)
      case "data":
        return this.#receiving.open(output.frame)
      case "refreshDue":
      case "differing":
        return this.#receiving.emitInOrder(output)
      case "fault":
        return this.#report(codeOfAgreementFault(output.reason), output.member, output.reason)
      case "overdue":
        return
    }
  }

  /** In a call the proof waits for the media worker, which must have stopped the former keys. */
  #prove(body: Uint8Array): void {
    const { media } = this.#config
    if (!media) return this.#sending.pushAgreement(body)
    media.onceInstalled(() => {
      this.#sending.pushAgreement(body)
      this.#containment.run("own", () => this.#sending.pump())
    })
  }

  #report(code: SecurityEvent["code"], member: MemberId | null, detail: string): void {
    void this.#emit({ type: "security", event: { code, member, detail } })
  }

  #emit(event: DriverEvent): void | Promise<void> {
    if (!this.#closed) return this.#config.sink.take(event)
  }
}
