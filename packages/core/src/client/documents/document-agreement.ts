import type { MemberId } from "@keymoot/transport"
import type * as Y from "yjs"
import { Comparison, type Verdict } from "../../documents/comparison.ts"
import { contentDigest } from "../../documents/content-digest.ts"
import { encodeWish } from "../../documents/document-messages.ts"
import { MessageKind } from "../../multicast/message-kind.ts"
import type { DocumentOutput } from "./document-output.ts"
import type { DocumentSender } from "./document-sender.ts"

/** Delay after the last change until a member sends the digest of its document. */
export const QUIET_MS = 5000
/** A digest reads the whole document. If one took n ms, the next waits for this multiple of n without a change. */
const COST_FACTOR = 50
/**
 * After an answer to a member, further requests of it are ignored for this multiple of `quietMs`. An answer may be the
 * whole document.
 */
const ANSWER_FACTOR = 12

/**
 * Bound on requests of one member that are considered in that time. Without it each other member could be made to send
 * the whole document. An honest member needs two: see `DIFFERENCES_BEFORE_WISH`.
 */
export const WISHES_ANSWERED_MAX = 3

/** Parts of an answer. `rest` is separate from the member's own part, because another member may send it next. */
type Part = "own" | "rest"
/** `answered`: the part that this member sent. */
type Considered = readonly [atMs: number, answered: Part | false]

export type DocumentAgreementConfig = {
  readonly doc: Y.Doc
  /** Sender of this member's part. While it is busy, the members' documents differ for a known reason. */
  readonly sender: Pick<DocumentSender, "busy">
  /** Parts of others that have arrived and are not applied yet. */
  readonly taking: ReadonlySet<unknown>
  readonly output: Pick<DocumentOutput, "send" | "report">
  readonly quietMs: number
}

/**
 * Checks that all members have the same document. After a quiet period each member sends a digest. If two differ
 * although nothing is in transit, the members request what they lack. If they still differ after that, the application
 * is notified.
 */
export class DocumentAgreement {
  readonly #config: DocumentAgreementConfig
  readonly #comparison = new Comparison()
  #present: ReadonlySet<MemberId> = new Set()
  #digest: Uint8Array | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  #touchedMs = 0
  /** Version of the document, incremented by each change. */
  #version = 0
  #costMs = 0
  #wishedMs = -Infinity
  #turn = 0
  /** Each member's last requests that were considered. All members count the same ones. */
  readonly #requests = new Map<MemberId, readonly Considered[]>()
  #closed = false

  constructor(config: DocumentAgreementConfig) {
    this.#config = config
  }

  /** Whether the last digest of a present member was a different one. */
  get differs(): boolean {
    return this.#comparison.differs
  }

  /** The document has changed, or a part of it has arrived. */
  touch(): void {
    this.#digest = null
    this.#comparison.changed()
    this.#touchedMs = performance.now()
    this.#version++
    this.#wait()
  }

  /** `present`: the other members. */
  onView(present: ReadonlySet<MemberId>): void {
    this.#present = present
    this.#comparison.onView(present)
    for (const member of this.#requests.keys()) if (!present.has(member)) this.#requests.delete(member)
    this.touch()
  }

  onDigest(from: MemberId, digest: Uint8Array): void {
    this.#act(from, this.#comparison.receive(from, digest))
  }

  /** Requests what this member lacks, at most once per `quietMs`. */
  wish(): void {
    const nowMs = performance.now()
    if (nowMs - this.#wishedMs < this.#config.quietMs) return
    this.#wishedMs = nowMs
    void this.#config.output.send(MessageKind.documentWish, encodeWish({ turn: this.#turn++, doc: this.#config.doc }))
  }

  /**
   * Whether to answer this request now. It costs its sender little and all members a transfer. `part`: this
   * member's share of the answer. Call it once for each request.
   */
  mayAnswer(member: MemberId, part: Part): boolean {
    const nowMs = performance.now()
    const sinceMs = nowMs - ANSWER_FACTOR * this.#config.quietMs
    const recent = (this.#requests.get(member) ?? []).filter(([atMs]) => atMs > sinceMs)
    if (recent.length >= WISHES_ANSWERED_MAX) return false
    const may = recent.every(([, answered]) => answered !== part)
    this.#requests.set(member, [...recent, [nowMs, may && part]])
    return may
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #wait(ms = this.#quietMs): void {
    if (!this.#closed) this.#timer ??= setTimeout(() => void this.#onTimer(), ms)
  }

  get #quietMs(): number {
    return Math.max(this.#config.quietMs, this.#costMs * COST_FACTOR)
  }

  async #onTimer(): Promise<void> {
    this.#timer = undefined
    const restMs = this.#touchedMs + this.#quietMs - performance.now()
    if (restMs > 0) return this.#wait(restMs)
    if (this.#present.size === 0) return
    if (this.#config.sender.busy || this.#config.taking.size > 0) return this.#wait()
    const digest = this.#digest ?? (await this.#make())
    if (!digest || this.#closed) return
    void this.#config.output.send(MessageKind.documentDigest, digest)
    for (const [member, verdict] of this.#comparison.setOwn(digest)) this.#act(member, verdict)
  }

  /** Returns null if the document has changed meanwhile. Another timer is set then. */
  async #make(): Promise<Uint8Array | null> {
    const startedMs = performance.now()
    const version = this.#version
    const digest = await contentDigest(this.#config.doc)
    if (version !== this.#version) return null
    this.#costMs = performance.now() - startedMs
    return (this.#digest = digest)
  }

  #act(member: MemberId, verdict: Verdict): void {
    if (verdict === "same") return
    if (verdict === "differs") {
      this.#config.output.report(
        "divergence",
        member,
        "a document differs from this member's, and cannot be made equal",
      )
    }
    if (verdict === "wish") this.wish()
    this.#wait()
  }
}
