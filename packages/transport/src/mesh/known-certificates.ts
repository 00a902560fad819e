import type { Credential, CredentialChecker } from "../credentials.ts"
import type { MemberId } from "../ids.ts"
import {
  CERTIFICATE_REQUEST_MS,
  CERTIFICATE_REQUESTS_MAX,
  CERTIFICATE_WAITS_MAX,
  CREDENTIALS_FETCHED_MAX,
} from "./bounds.ts"
import type { Control } from "./control.ts"
import type { Lanes } from "./lanes.ts"

export type KnownCertificatesConfig = {
  readonly checker: CredentialChecker
  readonly lanes: Lanes
  /** Of members that are linked or advertised. */
  present(member: MemberId): Credential | undefined
  /** False: no such neighbour. */
  sendTo(neighbour: MemberId, control: Control): boolean
  nowMs(): number
  onBad(from: MemberId): void
}

type Wait = {
  readonly untilMs: number
  readonly waiting: Then[]
}
/** `null`: nobody has handed over a good one. */
type Then = (credential: Credential | null) => void

/**
 * Certificates of members that are heard of through others. One that is missing is asked of the previous hop, which has
 * what it passed on, as the origin has its own; what comes back must hash to the member's id, so nobody can slip in another,
 * and is validated once: bad ones are remembered by the checker.
 */
export class KnownCertificates {
  readonly #config: KnownCertificatesConfig
  /** The longest unused first; at the bound it goes, and is asked for again. */
  readonly #fetched = new Map<MemberId, Credential>()
  /** By the neighbour that was asked, then by whose certificate. */
  readonly #waits = new Map<MemberId, Map<MemberId, Wait>>()

  constructor(config: KnownCertificatesConfig) {
    this.#config = config
  }

  get(member: MemberId): Credential | undefined {
    const fetched = this.#fetched.get(member)
    if (fetched) {
      this.#fetched.delete(member)
      this.#fetched.set(member, fetched)
    }
    return this.#config.present(member) ?? fetched
  }

  /** Calls `then` at once, or when `from` has answered or should have. */
  resolve(member: MemberId, from: MemberId, then: Then): void {
    const known = this.get(member)
    if (known) return then(known)
    const { nowMs, sendTo } = this.#config
    const waits = this.#waits.get(from) ?? new Map<MemberId, Wait>()
    const wait = waits.get(member)
    if (wait && wait.waiting.length < CERTIFICATE_WAITS_MAX) return void wait.waiting.push(then)
    const full = wait !== undefined || waits.size >= CERTIFICATE_REQUESTS_MAX
    if (full || !sendTo(from, { kind: "certificateRequest", member })) return then(null)
    waits.set(member, { untilMs: nowMs() + CERTIFICATE_REQUEST_MS, waiting: [then] })
    this.#waits.set(from, waits)
  }

  /** Whoever has waited long enough waits no more. */
  tick(): void {
    const nowMs = this.#config.nowMs()
    const over: Then[] = []
    for (const [asked, waits] of this.#waits) {
      for (const [awaited, { untilMs, waiting }] of waits) {
        if (nowMs < untilMs) continue
        waits.delete(awaited)
        over.push(...waiting)
      }
      if (waits.size === 0) this.#waits.delete(asked)
    }
    for (const then of over) then(null)
  }

  /** A neighbour asks. */
  answer(from: MemberId, member: MemberId): void {
    const certificate = this.get(member)?.certificate ?? null
    this.#config.sendTo(from, { kind: "certificate", member, certificate })
  }

  /** A neighbour has answered; whatever was not asked of it costs nothing. */
  handle(from: MemberId, member: MemberId, certificate: Uint8Array | null): void {
    const wait = this.#waits.get(from)?.get(member)
    if (!wait) return
    this.#waits.get(from)!.delete(member)
    const answer: Then = (credential) => {
      for (const then of wait.waiting) then(credential)
    }
    if (certificate === null) return answer(null)
    const runs = this.#config.lanes.run(`certificate ${member}`, async () => {
      const credential = await this.#config.checker.check(certificate)
      // Bad in itself, or somebody else's: its maker's fault, and the previous hop's to have passed it on.
      if (credential?.member !== member) {
        this.#config.onBad(from)
        return answer(null)
      }
      this.#fetched.set(member, credential)
      for (const oldest of this.#fetched.keys()) {
        if (this.#fetched.size <= CREDENTIALS_FETCHED_MAX) break
        this.#fetched.delete(oldest)
      }
      answer(credential)
    })
    if (!runs) answer(null)
  }
}
