/**
 * Drives admission to one conference: decodes and verifies what neighbours send, signs what hosts say, and stores it.
 * `AdmissionCore` decides.
 */
import { describeFailure, encodeLinkMessage, type MemberId, type Sink } from "@keymoot/transport"
import { hexToBytes } from "@noble/hashes/utils.js"
import type { Faults, Clock } from "../platform/surroundings.ts"
import type { Descriptor } from "../conference/descriptor.ts"
import type { ConferenceRecord } from "../device/conference-record.ts"
import type { KnownCredentials } from "../frames/frame-opener.ts"
import type { MemberCredentialChecker } from "../identity/certificates/credential-checker.ts"
import type { OwnIdentity } from "../identity/own-identity.ts"
import type { VerifiedPeople } from "../identity/verified-people.ts"
import { UNANSWERED_MAX } from "../outside/outside-talk.ts"
import { OutsideDriver } from "./outside-driver.ts"
import type { Cryptography } from "../platform/cryptography.ts"
import { CostMeter, type Budget } from "../queues/cost-meter.ts"
import { SerialQueue } from "../queues/serial-queue.ts"
import { AdmissionCore } from "./admission-core.ts"
import type { AdmissionInput, AdmissionNotice, AdmissionOutput } from "./admission-io.ts"
import { keyOf } from "./entry-rules.ts"
import { Hosting } from "./hosting.ts"
import { groundOf } from "./known-end.ts"
import { Invitations } from "./invitations.ts"
import { decodeNotice, encodeNotice, type Notice } from "./statements/notice.ts"
import { decodeStatements, encodeStatements, StatementSet } from "./statements/statement-set.ts"
import { openVouch, signVouch } from "./statements/vouch.ts"
import type { StatementScope } from "./statements/statement.ts"

/**
 * Bound on unverified notices of all neighbours. Excess notices are dropped. The next change repeats what hosts said;
 * messages of waiting people are lost.
 */
export const NOTICES_WAITING_MAX = 64
/**
 * The same bound for one neighbour, so that a flooding one cannot fill the queue. It holds four notices of what hosts
 * said, and all that an honest waiting person sends at once: its reply key and its unanswered messages.
 */
export const NOTICES_OF_ONE_MAX = 4 + 1 + UNANSWERED_MAX
/**
 * Rate limit of notices of one neighbour, admitted or not. Excess notices are dropped. The next change repeats their
 * content.
 */
export const NOTICES_PER_SECOND = 8
export const NOTICES_BURST = 64
const NOTICES: Budget = { perSecond: NOTICES_PER_SECOND, burst: NOTICES_BURST }
/**
 * The same limit in bytes, because all statements of a notice are decoded and hashed before a signature is checked. The
 * burst is more than twice the largest honest set.
 */
export const NOTICE_BYTES_PER_SECOND = 128 * 1024
export const NOTICE_BYTES_BURST = 2 * 1024 * 1024
const NOTICE_BYTES: Budget = { perSecond: NOTICE_BYTES_PER_SECOND, burst: NOTICE_BYTES_BURST }

/** Outputs for other layers. */
export type AdmissionEvent =
  | Exclude<AdmissionOutput, { type: "notify" | "keep" | "vouchDue" | "renewalDue" }>
  /** Send the bytes over the link with each of these. */
  | { readonly type: "send"; readonly to: readonly MemberId[]; readonly bytes: Uint8Array }

export type AdmissionDriverConfig = {
  readonly descriptor: Descriptor
  readonly record: ConferenceRecord
  readonly identity: OwnIdentity
  readonly people: VerifiedPeople
  /** As in `EntryRulesConfig`. */
  readonly copyOnly: boolean
  readonly checker: MemberCredentialChecker
  readonly cryptography: Pick<Cryptography, "x25519">
  readonly known: KnownCredentials
  /** Wall clock. */
  readonly clock: Clock
  readonly sink: Sink<AdmissionEvent>
  readonly faults: Faults
}

export class AdmissionDriver {
  readonly core: AdmissionCore
  /** Actions that only hosts may take. */
  readonly hosting: Hosting
  /** Messages of people that wait. */
  readonly outside: OutsideDriver
  readonly #config: AdmissionDriverConfig
  readonly #scope: StatementScope
  readonly #set: StatementSet
  readonly #invitations: Invitations
  readonly #verifying: SerialQueue
  /** Time in this member's last vouch. Each has a later one, because receivers keep only the newest. */
  #vouchedAtMs = 0
  /** Number of queued notices by neighbour. */
  readonly #waiting = new Map<MemberId, number>()
  readonly #meter = new CostMeter<MemberId>(NOTICES)
  readonly #bytesMeter = new CostMeter<MemberId>(NOTICE_BYTES)

  constructor(config: AdmissionDriverConfig) {
    this.#config = config
    const { descriptor, identity, people, checker, record, known, clock, faults, copyOnly } = config
    const { signer, member, publicKey, certificate } = identity
    this.#scope = { conferenceId: hexToBytes(descriptor.conferenceId), descriptorHash: descriptor.hash }
    const self = keyOf(identity)
    this.#set = new StatementSet(groundOf(descriptor), this.#scope, checker, self)
    this.#invitations = new Invitations(this.#scope, descriptor.roomKey, record)
    this.core = new AdmissionCore({
      descriptor,
      copyOnly,
      self: { member, publicKey, certificate },
      scope: this.#scope,
      people,
      invitations: this.#invitations,
      known,
      standing: this.#set.standing,
      wallMs: clock.now(),
    })
    const inputs: Sink<AdmissionInput> = { take: (input) => this.step(input) }
    this.hosting = new Hosting({
      descriptor,
      scope: this.#scope,
      set: this.#set,
      signer,
      self,
      core: this.core,
      inputs,
      statements: { take: (statements) => this.#publish(statements) },
    })
    const { x25519 } = config.cryptography
    this.outside = new OutsideDriver({
      core: this.core,
      inputs,
      scope: this.#scope,
      signer,
      checker,
      x25519,
      notices: { take: ({ to, notice }) => this.#send([to], notice) },
    })
    this.#verifying = new SerialQueue(faults.fail)
  }

  /** Restores the statements that an earlier incarnation knew. Call it first. */
  async restore(): Promise<void> {
    const { statements } = this.#config.record
    const list = statements && decodeStatements(statements)
    if (list) await this.#merge(list)
  }

  /** See `AdmissionCore.isCalm`. A notice that is being verified may change it. */
  get isCalm(): boolean {
    return this.#verifying.length === 0 && this.core.isCalm
  }

  tick(nowMs: number): void {
    for (const meter of [this.#meter, this.#bytesMeter]) meter.tick(nowMs)
    this.step({ type: "tick", nowMs, wallMs: this.#config.clock.now() })
    this.outside.tick()
  }

  step(input: AdmissionInput): void {
    for (const output of this.core.step(input)) this.#act(output)
    if (input.type === "linkDown") this.outside.linkDown(input.peer)
    if (input.type === "linkUp") this.#findName(input.peer, input.credential.certificate)
  }

  #act(output: AdmissionOutput): void {
    switch (output.type) {
      case "notify":
        return this.#notify(output.to, output.notice)
      case "keep":
        return void this.#keep()
      case "vouchDue":
        return this.#verifying.add(() => this.#vouch())
      case "renewalDue":
        return this.hosting.renew()
      default:
        return this.#config.sink.take(output)
    }
  }

  #findName(member: MemberId, certificate: Uint8Array): void {
    void this.#config.checker
      .check(certificate)
      .then((credential) => credential && this.step({ type: "named", member, name: credential.name }))
      .catch(this.#config.faults.fail)
  }

  // Notices

  /** Takes a notice of a neighbour, admitted or not. */
  receive(from: MemberId, bytes: Uint8Array): void {
    if (this.#meter.isOver(from) || this.#bytesMeter.isOver(from)) {
      const detail = "it repeats statements of hosts more often than allowed"
      return this.#config.sink.take({ type: "report", code: "flooding", member: from, detail })
    }
    this.#meter.spend(from, 1)
    this.#bytesMeter.spend(from, bytes.length)
    const waiting = this.#waiting.get(from) ?? 0
    if (this.#verifying.length >= NOTICES_WAITING_MAX || waiting >= NOTICES_OF_ONE_MAX) return
    this.#waiting.set(from, waiting + 1)
    this.#verifying.add(() => this.#take(from, bytes).catch((error) => this.#failed(error)))
  }

  async #take(from: MemberId, bytes: Uint8Array): Promise<void> {
    const left = this.#waiting.get(from)! - 1
    if (left > 0) this.#waiting.set(from, left)
    else this.#waiting.delete(from)
    const { sink } = this.#config
    const notice = decodeNotice(bytes)
    switch (notice?.type) {
      case undefined:
        return sink.take({
          type: "report",
          code: "bad-frame",
          member: from,
          detail: "a malformed message outside the group",
        })
      case "refusal":
        return this.step({ type: "refusal", from })
      case "outsideKey":
        return this.outside.receiveKey(from, notice.key)
      case "outsideMessage":
      case "outsideAnswer": {
        const isMessage = notice.type === "outsideMessage"
        const detail = "a lobby message without a valid signature for this conference"
        const { sealed } = notice
        const isGood = isMessage
          ? await this.outside.receiveMessage(from, sealed)
          : await this.outside.receiveAnswer(from, sealed)
        if (!isGood) sink.take({ type: "report", code: "bad-frame", member: from, detail })
        return
      }
      case "invitation":
        return this.step({ type: "secret", secret: notice.secret })
      case "statements": {
        const detail = "it sent a statement that no host has signed"
        const isBad = await this.#merge(notice.statements, notice.vouch)
        if (isBad) sink.take({ type: "report", code: "bad-statement", member: from, detail })
      }
    }
  }

  async #publish(statements: readonly Uint8Array[]): Promise<void> {
    await this.#keep()
    await this.#merge(statements)
  }

  /** Returns whether a statement was malformed or forged. */
  async #merge(statements: readonly Uint8Array[], vouch: Uint8Array | null = null): Promise<boolean> {
    const { changed, bad } = await this.#set.merge(statements)
    const opened = vouch && (await openVouch(vouch, this.#scope, this.#config.checker))
    if (changed) {
      await this.#vouch()
      this.step({ type: "standing", standing: this.#set.standing, vouch: opened })
    } else if (opened) this.step({ type: "vouch", vouch: opened })
    return bad
  }

  /** Only a host's vouch counts, so other members issue none. */
  async #vouch(): Promise<void> {
    const { identity, clock } = this.#config
    const { standing } = this.#set
    const issuer = keyOf(identity)
    if (!standing.hosts.includes(issuer)) return
    this.#vouchedAtMs = Math.max(clock.now(), this.#vouchedAtMs + 1)
    const vouch = { issuer, digest: standing.digest, saidAtMs: this.#vouchedAtMs }
    this.step({ type: "vouch", vouch: await signVouch(identity.signer, this.#scope, vouch) })
  }

  #notify(to: readonly MemberId[], notice: AdmissionNotice): void {
    const full: Notice = notice.type === "statements" ? { ...notice, statements: this.#set.encoded() } : notice
    this.#send(to, full)
  }

  #send(to: readonly MemberId[], notice: Notice): void {
    const bytes = encodeLinkMessage({ type: "outOfGroup", bytes: encodeNotice(notice) })
    this.#config.sink.take({ type: "send", to, bytes })
  }

  /** Statements belong to their issuers. The forwarding neighbour may be honest, so the report does not name it. */
  #failed(error: unknown): void {
    this.#config.sink.take({ type: "report", code: "handling-failed", member: null, detail: describeFailure(error) })
  }

  #keep(): Promise<void> {
    const { record, descriptor } = this.#config
    return record.keep({
      secrets: this.#invitations.secrets,
      statements: encodeStatements([...this.#set.stored(), ...this.hosting.saying]),
      roomKey: this.#set.standing.generation ? descriptor.roomKey : null,
    })
  }
}
