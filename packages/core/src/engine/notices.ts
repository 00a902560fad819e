/**
 * Keeps what hosts have said the same at all neighbours: everything is told to whoever comes and, when it has changed, to
 * all; what comes is checked and merged.
 */
import { encodeLinkMessage, type MemberId, type Signer } from "@keymoot/transport"
import type { SecurityEvent } from "../api.ts"
import {
  decodeNotice,
  encodeNotice,
  openVouch,
  signVouch,
  VOUCH_AGAIN_MS,
  vouchesFor,
  type Notice,
  type PersonKey,
  type SignedVouch,
  type StatementScope,
  type StatementSet,
} from "../admission/index.ts"
import type { MemberCredentialChecker } from "../identity/index.ts"
import { LruMap } from "../wire/index.ts"
import type { LinkSender } from "./transmitter.ts"
import { SerialQueue } from "./serial-queue.ts"

/** Notices of all neighbours that wait to be checked; beyond it they are dropped, and told again at the next change. */
const NOTICES_WAITING_MAX = 64
/** The same of one neighbour, so that somebody who knocks without end takes the turn of nobody else. */
const NOTICES_OF_ONE_MAX = 4
/** The shortest time between two repetitions of everything to one neighbour. */
const REPEAT_MS = 1_000
/** Hosts whose last word is kept. */
const VOUCHES_MAX = 16

export type NoticesConfig = {
  readonly scope: StatementScope
  readonly set: StatementSet
  readonly signer: Signer
  readonly self: PersonKey
  readonly checker: MemberCredentialChecker
  readonly now: () => number
  readonly links: () => LinkSender
  readonly linked: () => readonly MemberId[]
  readonly onChange: () => void
  readonly onRefusal: (from: MemberId) => void
  readonly onSecret: (secret: Uint8Array) => void
  readonly report: (code: SecurityEvent["code"], member: MemberId, detail: string) => void
  readonly fail: (error: unknown) => void
}

export class Notices {
  readonly #config: NoticesConfig
  readonly #incoming: SerialQueue
  readonly #vouches = new LruMap<PersonKey, SignedVouch>(VOUCHES_MAX)
  readonly #repeatedMs = new LruMap<MemberId, number>(NOTICES_WAITING_MAX)
  /** Notices that wait, by neighbour. */
  readonly #waiting = new Map<MemberId, number>()
  #vouchDueMs = 0
  #nowMs = 0

  constructor(config: NoticesConfig) {
    this.#config = config
    this.#incoming = new SerialQueue(config.fail)
  }

  /** A host in office has said within the hour that what is known here is all. */
  get vouched(): boolean {
    const { set, self } = this.#config
    return set.standing.hosts.includes(self) || this.#present() !== null
  }

  tell(to: readonly MemberId[]): void {
    const { set } = this.#config
    this.#send(to, { type: "statements", statements: set.encoded(), vouch: this.#present()?.bytes ?? null })
  }

  invite(member: MemberId, secret: Uint8Array): void {
    this.#send([member], { type: "invitation", secret })
  }

  refuse(member: MemberId): void {
    this.#send([member], { type: "refusal" })
  }

  /** To somebody who seems not to know what is known here; not too often. */
  repeat(to: readonly MemberId[]): void {
    for (const member of to) {
      const last = this.#repeatedMs.get(member)
      if (last !== undefined && this.#nowMs - last < REPEAT_MS) continue
      this.#repeatedMs.set(member, this.#nowMs)
      this.tell([member])
    }
  }

  tick(nowMs: number): void {
    this.#nowMs = nowMs
    const { set, self } = this.#config
    if (nowMs < this.#vouchDueMs || !set.standing.hosts.includes(self)) return
    this.#vouchDueMs = nowMs + VOUCH_AGAIN_MS
    this.#incoming.add(async () => {
      await this.#vouch()
      this.tell(this.#config.linked())
    })
  }

  /** Own statements, or those of an earlier life. */
  async add(statements: readonly Uint8Array[]): Promise<void> {
    const { changed } = await this.#config.set.merge(statements)
    if (changed) await this.#changed()
  }

  receive(from: MemberId, bytes: Uint8Array): void {
    const waiting = this.#waiting.get(from) ?? 0
    if (this.#incoming.length >= NOTICES_WAITING_MAX || waiting >= NOTICES_OF_ONE_MAX) return
    this.#waiting.set(from, waiting + 1)
    this.#incoming.add(async () => {
      const left = this.#waiting.get(from)! - 1
      if (left > 0) this.#waiting.set(from, left)
      else this.#waiting.delete(from)
      const notice = decodeNotice(bytes)
      if (!notice) return this.#config.report("bad-frame", from, "a notice that cannot be read")
      if (notice.type === "refusal") return this.#config.onRefusal(from)
      if (notice.type === "invitation") return this.#config.onSecret(notice.secret)
      const { changed, bad } = await this.#config.set.merge(notice.statements)
      if (bad) this.#config.report("bad-statement", from, "it told something as said by a host that no host has signed")
      if (notice.vouch) await this.#takeVouch(notice.vouch)
      if (changed) await this.#changed()
    })
  }

  async #changed(): Promise<void> {
    await this.#vouch()
    this.tell(this.#config.linked())
    this.#config.onChange()
  }

  /** Only a host's word counts, so others give none. */
  async #vouch(): Promise<void> {
    const { set, self, signer, scope, now } = this.#config
    if (!set.standing.hosts.includes(self)) return
    this.#vouches.set(
      self,
      await signVouch(signer, scope, { issuer: self, digest: set.standing.digest, saidAtMs: now() }),
    )
    this.#vouchDueMs = this.#nowMs + VOUCH_AGAIN_MS
  }

  async #takeVouch(bytes: Uint8Array): Promise<void> {
    const { scope, checker, set } = this.#config
    const vouch = await openVouch(bytes, scope, checker)
    if (!vouch || !set.standing.everHosts.has(vouch.issuer)) return
    const known = this.#vouches.get(vouch.issuer)
    if (!known || known.saidAtMs < vouch.saidAtMs) this.#vouches.set(vouch.issuer, vouch)
  }

  #present(): SignedVouch | null {
    const { set, now } = this.#config
    const { standing } = set
    const words = standing.hosts.flatMap((host) => this.#vouches.get(host) ?? [])
    return words.find((vouch) => vouchesFor(vouch, standing, now())) ?? null
  }

  #send(to: readonly MemberId[], notice: Notice): void {
    if (to.length === 0) return
    const bytes = encodeLinkMessage({ type: "beside", bytes: encodeNotice(notice) })
    for (const member of to) this.#config.links().send(member, bytes)
  }
}
