/** Content of one conference: channels, documents and history. It gives meaning to the batches of the group. */
import { describeFailure, type MemberId, type View, type Sink } from "@keymoot/transport"
import type { Faults, Clock } from "../platform/surroundings.ts"
import type { AdmissionCore } from "../admission/admission-core.ts"
import type { ConferenceView, SecurityEvent } from "../api/index.ts"
import type { Descriptor } from "../conference/descriptor.ts"
import type { LogCopy } from "../device/log-copy.ts"
import type { DocumentPeer } from "../documents/client-id.ts"
import type { DriverEvent } from "../driver/driver-config.ts"
import type { GroupDriver } from "../driver/group-driver.ts"
import type { SendOutcome } from "../driver/outbox.ts"
import type { KnownCredentials } from "../frames/frame-opener.ts"
import { ERASURE_CHANNEL } from "../history/erasure.ts"
import type { LogSnapshot } from "../history/log-snapshot.ts"
import { TransitionalSet } from "../history/transitional-set.ts"
import type { MemberCredentialChecker } from "../identity/certificates/credential-checker.ts"
import type { OwnIdentity } from "../identity/own-identity.ts"
import type { VerifiedPeople } from "../identity/verified-people.ts"
import { LOG_CHANNEL, MessageKind } from "../multicast/message-kind.ts"
import type { EngineCalls, EngineEvent } from "../rpc/protocol.ts"
import { Deliveries, type ContentOutput, type Delivered } from "./deliveries.ts"
import { eventOf, LogKeeper } from "./log-keeper.ts"
import { Roster } from "./presented-view.ts"
import { Sending } from "./sending.ts"

export type ContentConfig = {
  readonly descriptor: Descriptor
  readonly identity: OwnIdentity
  /** As `LogKeeperConfig` has it. */
  readonly checker: MemberCredentialChecker
  readonly people: VerifiedPeople
  readonly known: KnownCredentials
  readonly admission: AdmissionCore
  readonly driver: GroupDriver
  /** Local copy of the log; null for none. */
  readonly copy: LogCopy | null
  readonly clock: Clock
  readonly sink: Sink<ContentOutput>
  readonly faults: Faults
}

/** Retry delay after the copy of the log could not be read. */
const RESTORE_RETRY_MS = 5000

export class Content {
  readonly roster: Roster
  readonly sending: Sending
  readonly #config: ContentConfig
  readonly #log: LogKeeper
  readonly #deliveries: Deliveries
  readonly #historyTransfer: HistoryTransfer
  readonly #transitionalSet = new TransitionalSet()
  #isClosed = false
  #restoring: ReturnType<typeof setTimeout> | undefined

  constructor(config: ContentConfig) {
    this.#config = config
    const { identity, people, known, admission, driver, descriptor } = config
    const { rules } = admission
    const self = identity.member
    const named = descriptor.admission.policy === "roster" ? descriptor.admission.roster : []
    this.roster = new Roster(self, known, people, driver.departed, rules)
    this.#log = new LogKeeper({
      ...config,
      conferenceId: descriptor.conferenceId,
      signer: identity.signer,
      rules,
      roster: this.roster,
      named,
    })
    this.#deliveries = new Deliveries({
      self,
      log: this.#log,
      roster: this.roster,
      rules,
      sink: { take: (output) => this.#onDelivered(output) },
    })
    this.sending = new Sending({ ...config, self, log: this.#log, rules })
    this.#historyTransfer = new HistoryTransfer(this.sending)
  }

  /** Emits what this device kept of an earlier incarnation. If the storage fails it returns and retries later. */
  async restore(): Promise<void> {
    const messages = await this.#log.restore().catch(() => [])
    if (!messages) return this.#restoreLater()
    for (const event of messages.map(eventOf)) if (event) this.#config.sink.take(event)
  }

  /** Removes messages of this member from every member's log. @throws KeymootError as `send`, `invalid-argument` */
  async erase({ id, channel, messages }: EngineCalls["conference.erase"]["params"]): Promise<void> {
    const payload = this.#log.erasureOf(channel, messages)
    const erasure = { id, channel: ERASURE_CHANNEL, kind: MessageKind.logItem, payload, service: "agreed" } as const
    await new Promise<void>((delivered, failed) => {
      const take = (result: SendOutcome): void => (result.type === "failed" ? failed(result.error) : delivered())
      this.sending.send(erasure, { request: null, outcome: { take } })
    })
  }

  /** Returns the log with all certificates of its authors. */
  get evidence(): LogSnapshot {
    return this.#log.evidence
  }

  /** Shows the present view again, because a role or the set of verified people has changed. */
  renewView(): void {
    this.#emitStatus(this.roster.renew())
  }

  /** Stops a history transfer and a restore. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#restoring)
    this.#log.close()
    this.#historyTransfer.close()
  }

  #restoreLater(): void {
    if (!this.#isClosed) this.#restoring = setTimeout(() => void this.restore(), RESTORE_RETRY_MS)
  }

  // Input of the group

  handle(event: Extract<DriverEvent, { type: "agreeing" | "keyed" | "secured" | "batch" }>): void | Promise<void> {
    switch (event.type) {
      case "agreeing":
        this.#deliveries.onView(event.view)
        this.#transitionalSet.onView(event.view)
        this.#onViewStart(event.view)
        return this.#onStatus(event.view, "agreeing")
      case "keyed":
        return this.#onStatus(event.view, "keyed")
      case "secured":
        return this.#onSecured(event.view)
      case "batch":
        return this.#take(event)
    }
  }

  async #take(batch: DriverEvent & { readonly type: "batch" }): Promise<void> {
    await this.#deliveries.take(batch)
    const { sender: from, messages } = batch
    if (from === this.#config.identity.member) return
    const bytes = messages.reduce((sum, { payload }) => sum + payload.length, 0)
    this.#config.sink.take({ type: "batch", from, bytes })
  }

  #onDelivered(output: Delivered): void {
    if (output.type === "historyReceived") this.#warnOfImpostors()
    else this.#config.sink.take(output)
  }

  #onStatus(view: View, status: "agreeing" | "keyed" | "secured"): void {
    this.#emitStatus(this.roster.advance(view, status, this.#config.clock.now()))
  }

  #emitStatus(view: ConferenceView): void {
    this.#config.sink.take({ type: "status", view })
    this.#warnOfImpostors()
  }

  /** Messages of a view can arrive before this member has secured it. */
  #onViewStart(view: View): void {
    const { id, epoch, members, transitional } = view
    const newcomers = this.#transitionalSet.newcomers(view)
    const awaited = newcomers.filter((member) => this.#mayWrite(view, member))
    const present = members.map((member) => member.id)
    const viewStart = { view: { id, epoch }, present, newcomers, transitional, awaited }
    this.#log.onViewStart(this.#sendsHistory ? viewStart : { ...viewStart, newcomers: [], awaited: [] })
    this.#config.sink.take({ type: "viewStart", viewStart, peers: this.#peersOf(view) })
  }

  async #onSecured(view: View): Promise<void> {
    this.#onStatus(view, "secured")
    const { people, identity } = this.#config
    if (people.altered)
      this.#report("altered-verifications", null, "the list of verified people is not signed by this identity")
    const mayWrite = (id: MemberId): boolean => this.#mayWrite(view, id)
    const inherits = this.#log.debts.onSecured(view, this.#transitionalSet.newcomers(view), identity.member, mayWrite)
    const transferScope = this.#transitionalSet.transferScope(view, identity.member, mayWrite)
    const change = this.roster.change()
    this.#config.sink.take({ type: "view", view: this.roster.view, change, transferScope, peers: this.#peersOf(view) })
    const restarts = transferScope === "unfinished" && this.#historyTransfer.busy
    const isDue = transferScope === "all" || restarts || inherits
    if (isDue && this.#sendsHistory) await this.#sendHistory(view)
  }

  #peersOf(view: View): DocumentPeer[] {
    return view.members.map(({ id, incarnation }) => ({ id, incarnation, writes: this.#mayWrite(view, id) }))
  }

  get #sendsHistory(): boolean {
    return this.#config.descriptor.history === "everything"
  }

  /** A failed history transfer is not fatal: another member can send the same items. */
  async #sendHistory(view: View): Promise<void> {
    try {
      void this.#historyTransfer.send(await this.#log.transferPieces(view))
    } catch (error) {
      this.#report("handling-failed", null, describeFailure(error))
    }
  }

  /** Whether a member may write, and so transfer history. Members reject history from a viewer. */
  #mayWrite(view: View, member: MemberId): boolean {
    return this.#config.admission.rules.roleIn(view, member) !== "viewer"
  }

  /** Warns of each impostor once while it is present or in the log. */
  #warnOfImpostors(): void {
    for (const { id, name } of this.roster.newImpostors()) {
      this.#report("changed-key", id, `${JSON.stringify(name)} is the name of somebody verified, under another key`)
    }
    for (const { member, name } of this.#log.newImpostors(this.#config.driver.view)) {
      const detail = `${JSON.stringify(name)} wrote earlier messages with a key other than the known one`
      this.#report("changed-key", member, detail)
    }
  }

  #report(code: SecurityEvent["code"], member: MemberId | null, detail: string): void {
    this.#config.sink.take({ type: "security", event: { code, member, detail } })
  }
}

/** Members that said goodbye. A lost member may be only disconnected and come back. */
export function goneForGood({ change: { left, lost } }: EngineEvent & { type: "view" }): MemberId[] {
  return left.filter((member) => !lost.includes(member)).map(({ id }) => id)
}

/** Retry delay of a piece of history that found the queue full. */
const QUEUE_FULL_MS = 250

/** Sends the log to newcomers piece by piece, so that it does not delay new messages. */
class HistoryTransfer {
  readonly #sending: Sending
  #turn = 0
  #running = 0

  constructor(sending: Sending) {
    this.#sending = sending
  }

  /** Sends all pieces. A later call replaces this one: its pieces hold the whole log. */
  async send(pieces: readonly Uint8Array[]): Promise<void> {
    const turn = ++this.#turn
    this.#running++
    for (const payload of pieces) {
      while (!(await this.#sending.sendPiece(LOG_CHANNEL, MessageKind.logChunk, payload))) {
        await new Promise((done) => setTimeout(done, QUEUE_FULL_MS))
      }
      if (turn !== this.#turn) break
    }
    this.#running--
  }

  /** Whether a transfer has pieces that were not yet delivered at this member. */
  get busy(): boolean {
    return this.#running > 0
  }

  close(): void {
    this.#turn++
  }
}
