import type { FaultReason, KeyAgreementOutput } from "../agreement/key-agreement.ts"
import type { MemberId } from "../shared/member-id.ts"
import type { MajorityCodec, Payload } from "./majority-codec.ts"

/** As of every key agreement, but that `secret` names its session: several may run at once. */
export type MajorityOutput =
  | Exclude<KeyAgreementOutput, { type: "secret" }>
  | (Extract<KeyAgreementOutput, { type: "secret" }> & { readonly sid: Uint8Array })

export type StatementsOptions = {
  readonly codec: MajorityCodec
  readonly sid: Uint8Array
  readonly roster: readonly MemberId[]
  readonly self: number
}

/**
 * Output of one step of a session. Its messages are encoded as statements, which the caller signs. Members are indices
 * into the roster.
 */
export class Statements {
  readonly #options: StatementsOptions
  readonly #outputs: MajorityOutput[] = []

  constructor(options: StatementsOptions) {
    this.#options = options
  }

  multicast(payload: Payload): void {
    this.#outputs.push({ type: "multicast", bytes: this.#statement(null, payload) })
  }

  send(peer: number, payload: Payload): void {
    const to = this.#options.roster[peer]!
    this.#outputs.push({ type: "unicast", to, bytes: this.#statement(to, payload) })
  }

  fault(member: number, reason: FaultReason): void {
    this.#outputs.push({ type: "fault", member: this.#options.roster[member]!, reason })
  }

  secret(secret: Uint8Array, transcript: Uint8Array): void {
    this.#outputs.push({ type: "secret", sid: this.#options.sid, secret, transcript })
  }

  flush(): readonly MajorityOutput[] {
    return this.#outputs.splice(0)
  }

  #statement(to: MemberId | null, payload: Payload): Uint8Array {
    const { codec, sid, roster, self } = this.#options
    return codec.encodeStatement({ sid, from: roster[self]!, to, payload })
  }
}
