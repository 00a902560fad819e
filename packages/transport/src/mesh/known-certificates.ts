import type { Credential, CredentialChecker } from "../credentials.ts"
import type { MemberId } from "../ids.ts"
import { CERTIFICATE_REQUEST_MS, CERTIFICATE_WAITS_MAX, CREDENTIALS_FETCHED_MAX } from "./bounds.ts"
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
  readonly waiting: ((credential: Credential) => void)[]
}

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

  /** Calls `then` at once, or when `from` has answered; never, if it does not. */
  resolve(member: MemberId, from: MemberId, then: (credential: Credential) => void): void {
    const known = this.get(member)
    if (known) return then(known)
    const { nowMs, sendTo } = this.#config
    const waits = this.#waitsFor(from)
    const wait = waits.get(member)
    if (wait) {
      if (wait.waiting.length < CERTIFICATE_WAITS_MAX) wait.waiting.push(then)
      return
    }
    if (waits.size >= CERTIFICATE_WAITS_MAX || !sendTo(from, { kind: "certificateRequest", member })) return
    waits.set(member, { untilMs: nowMs() + CERTIFICATE_REQUEST_MS, waiting: [then] })
    this.#waits.set(from, waits)
  }

  /** Those that still stand; who has none is not kept. */
  #waitsFor(neighbour: MemberId): Map<MemberId, Wait> {
    const nowMs = this.#config.nowMs()
    for (const [asked, waits] of this.#waits) {
      for (const [awaited, { untilMs }] of waits) if (nowMs >= untilMs) waits.delete(awaited)
      if (waits.size === 0) this.#waits.delete(asked)
    }
    return this.#waits.get(neighbour) ?? new Map<MemberId, Wait>()
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
    if (certificate === null) return
    this.#config.lanes.run(`certificate ${member}`, async () => {
      const credential = await this.#config.checker.check(certificate)
      // Bad in itself, or somebody else's: its maker's fault, and the previous hop's to have passed it on.
      if (credential?.member !== member) return this.#config.onBad(from)
      this.#fetched.set(member, credential)
      for (const oldest of this.#fetched.keys()) {
        if (this.#fetched.size <= CREDENTIALS_FETCHED_MAX) break
        this.#fetched.delete(oldest)
      }
      for (const then of wait.waiting) then(credential)
    })
  }
}
