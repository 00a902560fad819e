import type { Credential } from "../../members/credentials.ts"
import type { MemberId } from "../../members/ids.ts"
import {
  CERTIFICATE_ANSWERS_BURST,
  CERTIFICATE_ANSWERS_PER_SECOND,
  CERTIFICATE_REQUEST_MS,
  CERTIFICATE_REQUESTS_MAX,
  CERTIFICATE_WAITS_MAX,
  CREDENTIALS_FETCHED_MAX,
} from "../../bounds/network-bounds.ts"
import type { Contacts } from "../rendezvous/contacts.ts"
import type { MeshBase } from "../base/mesh-base.ts"
import type { CertificateControl } from "../messages/control.ts"
import { LruMap } from "../shared/lru-map.ts"
import { RateLimit } from "../shared/rate-limit.ts"
import type { Connections } from "./connections.ts"

type Wait = {
  readonly untilMs: number
  readonly waiting: Then[]
}
/** `null` means that the neighbour sent no valid certificate. */
type Then = (credential: Credential | null) => void

/**
 * Caches the certificates of members that are known only through other members. A missing certificate is requested from
 * the previous hop. That hop holds the certificate of each origin whose frames it forwards, and each origin holds its
 * own.
 *
 * The answer must hash to the member's id, so no member can substitute another certificate. Each certificate is
 * validated once: the checker remembers invalid ones.
 */
export class KnownCertificates {
  readonly #base: MeshBase
  readonly #connections: Connections
  readonly #contacts: Contacts
  /** An evicted one is requested again when needed. */
  readonly #fetched = new LruMap<MemberId, Credential>(CREDENTIALS_FETCHED_MAX)
  /** Pending requests by the neighbour that was asked, then by the certificate's member. */
  readonly #waits = new Map<MemberId, Map<MemberId, Wait>>()
  /** Limits of the neighbours that have asked lately. An answer is many times as long as its request. */
  readonly #answers = new Map<MemberId, RateLimit>()

  constructor(base: MeshBase, connections: Connections, contacts: Contacts) {
    this.#base = base
    this.#connections = connections
    this.#contacts = contacts
  }

  get(member: MemberId): Credential | undefined {
    const fetched = this.#fetched.get(member)
    return this.#connections.table.members.get(member)?.credential ?? this.#contacts.get(member)?.credential ?? fetched
  }

  /** Calls `then` at once if the certificate is known, otherwise after the answer of `from` or its timeout. */
  resolve(member: MemberId, from: MemberId, then: Then): void {
    const known = this.get(member)
    if (known) return then(known)
    const waits = this.#waits.get(from) ?? new Map<MemberId, Wait>()
    const wait = waits.get(member)
    if (wait && wait.waiting.length < CERTIFICATE_WAITS_MAX) return void wait.waiting.push(then)
    const full = wait !== undefined || waits.size >= CERTIFICATE_REQUESTS_MAX
    if (full || !this.#connections.sendControl(from, { kind: "certificateRequest", member })) return then(null)
    waits.set(member, { untilMs: this.#base.clock.nowMs + CERTIFICATE_REQUEST_MS, waiting: [then] })
    this.#waits.set(from, waits)
  }

  /** Whether a request has no answer yet. */
  get isWaiting(): boolean {
    return this.#waits.size > 0
  }

  /** Ends requests that have timed out. */
  tick(): void {
    const { nowMs } = this.#base.clock
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
    for (const [asking, limit] of this.#answers) if (limit.isFull(nowMs)) this.#answers.delete(asking)
  }

  /** Takes the request or the answer of a neighbour. */
  take(from: MemberId, control: CertificateControl): void {
    if (this.#base.mesh.policy.isInside?.(from) === false)
      return this.#base.faults.drop("certificate: sender not admitted")
    if (control.kind === "certificate") this.handle(from, control.member, control.certificate)
    else this.#answer(from, control.member)
  }

  /** Answers the request of a neighbour. */
  #answer(from: MemberId, member: MemberId): void {
    const limit = this.#answers.get(from) ?? new RateLimit(CERTIFICATE_ANSWERS_BURST, CERTIFICATE_ANSWERS_PER_SECOND)
    this.#answers.set(from, limit)
    if (!limit.take(this.#base.clock.nowMs)) return this.#base.faults.drop("certificate: requests too often")
    const certificate = this.get(member)?.certificate ?? null
    this.#connections.sendControl(from, { kind: "certificate", member, certificate })
  }

  /** Handles the answer of a neighbour. An answer without a request is dropped before anything is computed. */
  handle(from: MemberId, member: MemberId, certificate: Uint8Array | null): void {
    const wait = this.#waits.get(from)?.get(member)
    if (!wait) return
    this.#waits.get(from)!.delete(member)
    const answer: Then = (credential) => {
      for (const then of wait.waiting) then(credential)
    }
    if (certificate === null) return answer(null)
    const runs = this.#base.lanes.run(`certificate ${member}`, async () => {
      // Every waiting caller gets an answer, also if the checker throws.
      const credential = await this.#base.mesh.credentials.check(certificate).catch(() => null)
      // The certificate is invalid or belongs to another member. Its maker is at fault, and so is the previous hop that
      // passed it on.
      if (credential?.member !== member) {
        this.#base.faults.security("bad-credential", from, "it passed on a certificate that is not valid")
        return answer(null)
      }
      this.#fetched.set(member, credential)
      answer(credential)
    })
    if (!runs) answer(null)
  }
}
