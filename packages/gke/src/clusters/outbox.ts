import type { FaultReason, KeyAgreementOutput } from "../agreement/key-agreement.ts"
import type { MemberId } from "../shared/member-id.ts"

/** Collects what one step gives out. */
export class Outbox {
  readonly #outputs: KeyAgreementOutput[] = []

  fault(member: MemberId, reason: FaultReason): void {
    this.#outputs.push({ type: "fault", member, reason })
  }

  unicast(to: MemberId, bytes: Uint8Array): void {
    this.#outputs.push({ type: "unicast", to, bytes })
  }

  multicast(bytes: Uint8Array): void {
    this.#outputs.push({ type: "multicast", bytes })
  }

  secret(secret: Uint8Array, transcript: Uint8Array): void {
    this.#outputs.push({ type: "secret", secret, transcript })
  }

  flush(): readonly KeyAgreementOutput[] {
    return this.#outputs.splice(0)
  }
}
