import type { MemberId, Signer, View } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"
import type { Clock } from "../platform/surroundings.ts"
import { KeymootError, type ChannelMessage, type Member } from "../api/index.ts"
import type { EntryRules } from "../admission/entry-rules.ts"
import type { MemberRights } from "../admission/statements/standing.ts"
import { Arrivals, transferIn, type ViewStart } from "../history/arrivals.ts"
import { ConferenceLog } from "../history/conference-log.ts"
import {
  decodeAuthoredItem,
  encodeAuthoredItem,
  itemHash,
  type LogItem,
  NO_ITEM,
  type Position,
  signItem,
  type TransferredBy,
  verifyItem,
} from "../history/log-item.ts"
import { decodeErasure, encodeErasure, ERASED_AT_ONCE_MAX, ERASURE_CHANNEL } from "../history/erasure.ts"
import {
  decodeSnapshot,
  encodeSnapshot,
  type LogSnapshot,
  SNAPSHOT_BYTES_MAX,
  takeSnapshot,
  verifySnapshot,
} from "../history/log-snapshot.ts"
import { IncomingTransfers } from "../history/incoming-transfers.ts"
import { splitIntoChunks } from "../history/chunks.ts"
import { TransferDebts } from "../history/transfer-debts.ts"
import { fingerprintOf } from "../identity/certificates/certificate.ts"
import type { MemberCredential, MemberCredentialChecker } from "../identity/certificates/credential-checker.ts"
import type { VerifiedPeople } from "../identity/verified-people.ts"
import { deflate, InflationBudget, inflater, LruMap } from "../wire/index.ts"
import { CREDENTIALS_KNOWN_MAX, type KnownCredentials } from "../frames/frame-opener.ts"
import type { Roster } from "./presented-view.ts"
import type { LogCopy } from "../device/log-copy.ts"
import type { ConferenceEvent } from "../rpc/protocol.ts"

export type LoggedMessage = ChannelMessage & { readonly channel: string }

/**
 * Timeout from the view in which a member arrived until its history transfer begins. It begins at once, but a slow
 * network may delay it.
 */
const TRANSFER_BEGINS_MS = 5 * 60_000
/** Bound on the inflated bytes of all history transfers in one view: eight of the largest size. */
export const LOGS_INFLATED_BYTES_MAX = 8 * SNAPSHOT_BYTES_MAX

export type LogKeeperConfig = {
  readonly conferenceId: string
  readonly signer: Signer
  /** Checks authors of the log, whose certificates may have expired since the conference's start. */
  readonly checker: MemberCredentialChecker
  readonly known: KnownCredentials
  readonly people: VerifiedPeople
  /** Local copy of the log; null for none. */
  readonly copy: LogCopy | null
  readonly rules: Pick<EntryRules, "rights" | "wasAdmitted">
  /** Members of the present view. No author may use their names or those of `named` without a warning. */
  readonly roster: Pick<Roster, "present">
  readonly named: readonly MemberCredential[]
  readonly clock: Clock
}

/** A delivered item. `isNew`: false if it is erased. */
export type TakenItem = { readonly message: LoggedMessage; readonly isNew: boolean }

/** `foreign`: number of items dropped because their authors were never admitted. */
export type TakenLog =
  | { readonly type: "messages"; readonly messages: readonly LoggedMessage[]; readonly foreign: number }
  | { readonly type: "unexpected" | "bad" }
const NOTHING_YET: TakenLog = { type: "messages", messages: [], foreign: 0 }

/** Rights of a member that transferred history, which may be gone. */
const PASSED_ON: MemberRights = { role: "editor", rank: null, mayRemove: false, maySetRole: false }

/** Keeps the log of channels with a history, sends it to newcomers, and takes transfers from others. */
export class LogKeeper {
  readonly debts = new TransferDebts()
  readonly #config: LogKeeperConfig
  readonly #log: ConferenceLog
  /** Authors by fingerprint (hex). */
  readonly #authors = new LruMap<string, MemberCredential>(CREDENTIALS_KNOWN_MAX)
  readonly #certificateOf = (fingerprint: string): Uint8Array | undefined => this.#authors.get(fingerprint)?.certificate
  readonly #arrivals = new Arrivals()
  readonly #transfers = new IncomingTransfers(this.#arrivals, {
    bytesMax: SNAPSHOT_BYTES_MAX,
    beginsWithinMs: TRANSFER_BEGINS_MS,
  })
  readonly #budget = new InflationBudget(LOGS_INFLATED_BYTES_MAX)
  /** Hash of the item that this member received or signed last; null before the first. */
  #last: string | null = null
  /** Authors of whom the application was warned. */
  readonly #warnedOf = new Set<MemberId>()
  #closed = false

  constructor(config: LogKeeperConfig) {
    this.#config = config
    this.#log = new ConferenceLog(() => config.copy?.erased())
  }

  /** Restores what this device kept of an earlier incarnation. Returns null if the storage fails. */
  async restore(): Promise<LoggedMessage[] | null> {
    const { copy } = this.#config
    const snapshots = copy ? await copy.read() : []
    if (!snapshots) return null
    const verified: Awaited<ReturnType<typeof verifySnapshot>>[] = []
    for (const snapshot of snapshots) {
      verified.push(await verifySnapshot(snapshot, this.#config.conferenceId, [], this.#config.checker))
    }
    if (this.#closed) return []
    const messages: LoggedMessage[] = []
    // In one step: an erasure that arrives between two snapshots would be notified before its target.
    for (const { items, authors } of verified) {
      for (const [print, author] of authors) this.#authors.set(print, author)
      // Accepts any epoch, because this member itself received the items.
      messages.push(...this.#messages(this.#log.merge(items, Number.MAX_SAFE_INTEGER)))
      // An erasure can arrive before its target is read.
      if (!items.every((item) => this.#log.has(item))) copy?.erased()
    }
    copy?.restored(this.#log, this.#certificateOf)
    return messages
  }

  /** A restore that is under way must not rewrite the copy, which another tab may open now. */
  close(): void {
    this.#closed = true
  }

  async author(channel: string, payload: Uint8Array, sentAtMs: number): Promise<Uint8Array> {
    const { signer, conferenceId } = this.#config
    const after = this.#last ?? this.#newest()
    const item = await signItem(signer, conferenceId, { channel, payload, sentAtMs }, after)
    this.#last = itemHash(item)
    return encodeAuthoredItem(item)
  }

  /** Hash of the last item of the log, as restored or transferred. */
  #newest(): string {
    const newest = [...this.#log].at(-1)
    return newest ? itemHash(newest) : NO_ITEM
  }

  /**
   * Returns an item that erases earlier ones of this member. @throws KeymootError `invalid-argument` for an item that
   * this member did not send
   */
  erasureOf(channel: string, messages: readonly string[]): Uint8Array {
    const ids = Array.isArray(messages) ? messages.map((message) => ownItemId(String(message), this.#self)) : []
    if (ids.includes(null) || ids.length === 0 || ids.length > ERASED_AT_ONCE_MAX) {
      const what = `Give the ids of 1 to ${ERASED_AT_ONCE_MAX} messages of your own, sent on a channel with a history.`
      throw new KeymootError("invalid-argument", what)
    }
    return encodeErasure({ channel, ids: ids as string[] })
  }

  /** Returns null for an item that its sender did not sign for this channel, or repeats. */
  async take(from: MemberId, channel: string, payload: Uint8Array, position: Position): Promise<TakenItem | null> {
    const authored = decodeAuthoredItem(payload)
    const author = this.#config.known.get(from)
    if (!authored || !author || authored.channel !== channel) return null
    if (channel === ERASURE_CHANNEL && !decodeErasure(authored.payload)) return null
    if (!(await verifyItem(authored, this.#config.conferenceId, author, this.#config.checker))) return null
    this.#authors.set(authored.fingerprint, author)
    const item = { ...authored, author: from, position }
    // A newcomer may have transferred the item with a false position before its delivery.
    this.#log.dropTransferred(item)
    if (this.#log.has(item)) return null
    const [added] = this.#merge([item], position.epoch)
    if (added) this.#last = itemHash(item)
    const [message] = this.#messages([added ?? item])
    return { message: message!, isNew: added !== undefined }
  }

  /** Returns the chunks of a history transfer to newcomers; none if the log is empty. */
  async transferPieces(view: View): Promise<Uint8Array[]> {
    const present = new Set<string>()
    for (const { id } of view.members) {
      const credential = this.#config.known.get(id)
      if (credential) present.add(bytesToHex(fingerprintOf(credential.certificate)))
    }
    const snapshot = takeSnapshot(this.#log, present, this.#certificateOf)
    return snapshot.items.length === 0
      ? []
      : splitIntoChunks(await deflate(encodeSnapshot(snapshot)), transferIn(view.id))
  }

  get evidence(): LogSnapshot {
    return takeSnapshot(this.#log, new Set(), this.#certificateOf)
  }

  /** Takes a chunk of a history transfer of `by`. The last chunk returns the messages that are new here. */
  async takeChunk(by: Member, chunk: Uint8Array, view: View): Promise<TakenLog> {
    const { conferenceId, checker, known, clock, rules } = this.#config
    this.debts.onChunk(by.id, chunk)
    const incoming = this.#transfers.accept(by.id, chunk, clock.now())
    if (incoming.type === "unexpected") return { type: "unexpected" }
    if (incoming.type === "rejected") return { type: "bad" }
    if (incoming.type !== "complete") return NOTHING_YET
    const bytes = await inflater.inflate(incoming.bytes, SNAPSHOT_BYTES_MAX, this.#budget)
    const snapshot = bytes && decodeSnapshot(bytes)
    if (!snapshot) return { type: "bad" }
    const members = view.members.flatMap(({ id }) => known.get(id) ?? [])
    const { items, authors } = await verifySnapshot(snapshot, conferenceId, members, checker)
    const admitted = items.filter(({ fingerprint }) => rules.wasAdmitted(authors.get(fingerprint)!) !== "no")
    for (const { fingerprint } of admitted) this.#authors.set(fingerprint, authors.get(fingerprint)!)
    // Items since the arrival of `by` were all delivered here, so `by` can add none of that time.
    const transfer = { transferredBy: { id: by.id, name: by.name }, transferredIn: view.id }
    const received = admitted.map((item) => ({ ...item, ...transfer }))
    const messages = this.#messages(this.#merge(received, incoming.arrival.epoch - 1))
    return { type: "messages", messages, foreign: items.length - admitted.length }
  }

  #merge(items: readonly LogItem[], epochMax: number): LogItem[] {
    const added = this.#log.merge(items, epochMax)
    this.#config.copy?.add(added, this.#log, this.#certificateOf)
    return added
  }

  /**
   * Returns authors in the log that bear a present person's name, are not in the view, and were not reported before.
   */
  newImpostors(view: View): MemberCredential[] {
    const here = new Set(view.members.map(({ id }) => id))
    const authors = [...this.#log].flatMap(({ fingerprint }) => this.#authors.get(fingerprint) ?? [])
    const absent = new Map(authors.filter(({ member }) => !here.has(member)).map((author) => [author.member, author]))
    const found = [...absent.values()].filter(this.#impostorCheck())
    const fresh = found.filter(({ member }) => !this.#warnedOf.has(member))
    this.#warnedOf.clear()
    for (const { member } of found) this.#warnedOf.add(member)
    return fresh
  }

  onViewStart(viewStart: ViewStart): void {
    this.#arrivals.onView(viewStart, this.#config.clock.now())
    this.#transfers.onView()
    this.debts.onView(viewStart)
    this.#budget.renew()
  }

  /** Returns a check of many authors against the present people. Its cost grows with their number. */
  #impostorCheck(): (author: MemberCredential) => boolean {
    const { people, roster, named } = this.#config
    const isImpostor = people.authorCheck([...roster.present, ...named])
    return (author) => author.member !== this.#self && isImpostor(author)
  }

  get #self(): MemberId {
    return this.#config.signer.member
  }

  #messages(items: readonly LogItem[]): LoggedMessage[] {
    if (items.length === 0) return []
    const isImpostor = this.#impostorCheck()
    return items.map((item) => this.#message(item, isImpostor))
  }

  #message(item: LogItem, isImpostor: (author: MemberCredential) => boolean): LoggedMessage {
    const author = this.#authors.get(item.fingerprint)
    const self = item.author === this.#self
    const changedKey = author !== undefined && isImpostor(author)
    const verified = !self && !changedKey && author !== undefined && this.#config.people.isVerified(author.publicKey)
    const from: Member = {
      id: item.author,
      name: author?.name ?? "",
      publicKey: author ? bytesToHex(author.publicKey) : null,
      self,
      verified,
      changedKey,
      ...this.#config.rules.rights(item.author, author),
    }
    const admitted = author === undefined ? "no" : this.#config.rules.wasAdmitted(author)
    // After a reload nobody is met yet. A verified author that the link admits is not made up.
    const authorKnown = self || admitted === "yes" || (admitted === "unknown" && verified)
    const transferred = item.transferredBy ? { by: this.#memberOf(item.transferredBy), authorKnown } : null
    const { payload: data, sentAtMs, position, channel } = item
    const text = new TextDecoder().decode(data)
    return { id: `${item.author}/${item.id}`, channel, from, data, text, sentAtMs, position, transferred }
  }

  /** Returns the member as far as it is known after a reload. A verification may be removed by now. */
  #memberOf({ id, name }: TransferredBy): Member {
    const known = this.#config.known.get(id)
    const verified = known !== undefined && this.#config.people.isVerified(known.publicKey)
    const publicKey = known ? bytesToHex(known.publicKey) : null
    return { id, name, publicKey, self: false, verified, changedKey: false, ...PASSED_ON }
  }
}

/** Returns the event for an item; null for an erasure that names nothing, as a transferred log may contain. */
export function eventOf(message: LoggedMessage): ConferenceEvent | null {
  const { channel, from, data } = message
  if (channel !== ERASURE_CHANNEL) return { type: "message", channel, message }
  const erasure = decodeErasure(data)
  return erasure && { type: "erased", channel: erasure.channel, messages: erasure.ids.map((id) => `${from.id}/${id}`) }
}

/** Reads the item id from a message id of the application; null if it is not of this member. */
function ownItemId(message: string, self: MemberId): string | null {
  const [author, id = "", ...more] = message.split("/")
  return author === self && /^[\da-f]{32}$/.test(id) && more.length === 0 ? id : null
}
