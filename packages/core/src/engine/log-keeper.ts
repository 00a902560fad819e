import type { MemberId, Signer, View } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"
import { KeymootError, type ChannelMessage, type Member } from "../api.ts"
import {
  ChunkAssembler,
  ConferenceLog,
  decodeAuthoredItem,
  decodeErasure,
  decodeSnapshot,
  encodeAuthoredItem,
  encodeErasure,
  encodeSnapshot,
  ERASED_AT_ONCE_MAX,
  ERASURE_CHANNEL,
  signItem,
  SNAPSHOT_BYTES_MAX,
  splitIntoChunks,
  takeSnapshot,
  verifyItem,
  verifySnapshot,
  type LogItem,
  type Position,
} from "../history/index.ts"
import {
  fingerprintOf,
  type MemberCredential,
  type MemberCredentialChecker,
  type VerifiedPeople,
} from "../identity/index.ts"
import { deflate, inflate, LruMap } from "../wire/index.ts"
import { CREDENTIALS_KNOWN_MAX, type KnownCredentials } from "./known-credentials.ts"
import type { LogCopy } from "./log-copy.ts"
import type { ConferenceEvent } from "./protocol.ts"

export type LoggedMessage = ChannelMessage & { readonly channel: string }

/** Keeps what was said in channels with a history, hands it over, and takes what is handed over here. */
export class LogKeeper {
  readonly #conferenceId: string
  readonly #signer: Signer
  readonly #checker: MemberCredentialChecker
  readonly #known: KnownCredentials
  readonly #people: VerifiedPeople
  readonly #copy: LogCopy | null
  readonly #log = new ConferenceLog(() => this.#copy?.erased())
  /** By fingerprint (hex). */
  readonly #authors = new LruMap<string, MemberCredential>(CREDENTIALS_KNOWN_MAX)
  /** One unfinished transfer a sender. */
  readonly #assemblers = new Map<MemberId, ChunkAssembler>()

  /** `copy`: where the log is kept on this device; null for nowhere. */
  constructor(
    conferenceId: string,
    signer: Signer,
    checker: MemberCredentialChecker,
    known: KnownCredentials,
    people: VerifiedPeople,
    copy: LogCopy | null,
  ) {
    this.#conferenceId = conferenceId
    this.#signer = signer
    this.#checker = checker
    this.#known = known
    this.#people = people
    this.#copy = copy
  }

  /** What this device kept of an earlier life here. */
  async restore(): Promise<LoggedMessage[]> {
    const messages: LoggedMessage[] = []
    for (const snapshot of (await this.#copy?.read()) ?? []) {
      const { items, authors } = await verifySnapshot(snapshot, this.#conferenceId, [], this.#checker)
      for (const [print, author] of authors) this.#authors.set(print, author)
      // Whatever its epoch: this member was there.
      messages.push(...this.#log.merge(items, Number.MAX_SAFE_INTEGER).map((item) => this.#message(item, false)))
    }
    return messages
  }

  async author(channel: string, payload: Uint8Array, sentAtMs: number): Promise<Uint8Array> {
    return encodeAuthoredItem(await signItem(this.#signer, this.#conferenceId, { channel, payload, sentAtMs }))
  }

  /** An item that takes back others of this member. @throws KeymootError `invalid-argument` for what it did not say */
  erasureOf(channel: string, messages: readonly string[]): Uint8Array {
    const ids = messages.map((message) => ownItemId(message, this.#signer.member))
    if (ids.includes(null) || ids.length === 0 || ids.length > ERASED_AT_ONCE_MAX) {
      const what = `Give the ids of 1 to ${ERASED_AT_ONCE_MAX} messages of your own, sent on a channel with a history.`
      throw new KeymootError("invalid-argument", what)
    }
    return encodeErasure({ channel, ids: ids as string[] })
  }

  /** Null for what its sender did not say for this channel. */
  async take(from: MemberId, channel: string, payload: Uint8Array, position: Position): Promise<LoggedMessage | null> {
    const item = decodeAuthoredItem(payload)
    const author = this.#known.get(from)
    if (!item || !author || item.channel !== channel) return null
    if (channel === ERASURE_CHANNEL && !decodeErasure(item.payload)) return null
    if (!(await verifyItem(item, this.#conferenceId, author, this.#checker))) return null
    this.#authors.set(item.fingerprint, author)
    const [added] = this.#merge([{ ...item, author: from, position }], position.epoch)
    return added ? this.#message(added, false) : null
  }

  /** Chunks for those who come; none if there is nothing to hand over. */
  async handOver(view: View): Promise<Uint8Array[]> {
    const present = new Set<string>()
    for (const { id } of view.members) {
      const credential = this.#known.get(id)
      if (credential) present.add(bytesToHex(fingerprintOf(credential.certificate)))
    }
    const snapshot = takeSnapshot(this.#log, present, (print) => this.#authors.get(print)?.certificate)
    return snapshot.items.length === 0 ? [] : splitIntoChunks(await deflate(encodeSnapshot(snapshot)))
  }

  /** "bad" for what is no part of a log; else the messages that are new here. */
  async takeChunk(from: MemberId, chunk: Uint8Array, view: View): Promise<LoggedMessage[] | "bad"> {
    const assembler = this.#assemblers.get(from) ?? new ChunkAssembler(SNAPSHOT_BYTES_MAX)
    this.#assemblers.set(from, assembler)
    const assembly = assembler.accept(chunk)
    if (assembly.type === "incomplete") return []
    this.#assemblers.delete(from)
    // Who came in the middle of a hand-over to others sees its end only, and that is nobody's fault.
    if (assembly.type === "rejected") return assembly.reason === "out-of-order" ? [] : "bad"
    const bytes = await inflate(assembly.bytes, SNAPSHOT_BYTES_MAX)
    const snapshot = bytes && decodeSnapshot(bytes)
    if (!snapshot) return "bad"
    const members = view.members.flatMap(({ id }) => this.#known.get(id) ?? [])
    const { items, authors } = await verifySnapshot(snapshot, this.#conferenceId, members, this.#checker)
    for (const [print, author] of authors) this.#authors.set(print, author)
    return this.#merge(items, view.epoch).map((item) => this.#message(item, true))
  }

  #merge(items: readonly LogItem[], epochMax: number): LogItem[] {
    const added = this.#log.merge(items, epochMax)
    this.#copy?.add(added, this.#log, (print) => this.#authors.get(print)?.certificate)
    return added
  }

  /** A sender that is gone will not finish. */
  onView(view: View): void {
    for (const member of this.#assemblers.keys()) {
      if (!view.members.some(({ id }) => id === member)) this.#assemblers.delete(member)
    }
  }

  #message(item: LogItem, handedOver: boolean): LoggedMessage {
    const author = this.#authors.get(item.fingerprint)
    const self = item.author === this.#signer.member
    const verified = !self && author !== undefined && this.#people.isVerified(author.publicKey)
    const from: Member = {
      id: item.author,
      name: author?.name ?? "",
      self,
      verified,
      changedKey: false,
      role: "editor",
    }
    const { payload: data, sentAtMs, position, channel } = item
    const text = new TextDecoder().decode(data)
    return { id: `${item.author}/${item.id}`, channel, from, data, text, sentAtMs, position, handedOver }
  }
}

/** What the application is told of an item, or null: of a log handed over, one that takes something back may say nothing. */
export function eventOf(message: LoggedMessage): ConferenceEvent | null {
  const { channel, from, data } = message
  if (channel !== ERASURE_CHANNEL) return { type: "message", channel, message }
  const erasure = decodeErasure(data)
  return erasure && { type: "erased", channel: erasure.channel, messages: erasure.ids.map((id) => `${from.id}/${id}`) }
}

/** Of a message's id, as the application knows it. */
function ownItemId(message: string, self: MemberId): string | null {
  const [author, id = "", ...more] = message.split("/")
  return author === self && /^[\da-f]{32}$/.test(id) && more.length === 0 ? id : null
}
