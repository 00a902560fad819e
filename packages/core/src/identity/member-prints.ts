import type { MemberId } from "@keymoot/transport"
import { fingerprintOf, keyPrintOf } from "./certificates/certificate.ts"
import type { MemberCredential } from "./certificates/credential-checker.ts"

/**
 * Fingerprints (32 bytes) that identify members for key agreement and the conference code. With an authority they are
 * those of keys, because certificates are renewed during a conference. Otherwise they are those of certificates.
 */
export class MemberPrints {
  readonly #known: { get(member: MemberId): MemberCredential | undefined }
  readonly #by: "certificate" | "key"

  constructor(known: { get(member: MemberId): MemberCredential | undefined }, by: "certificate" | "key") {
    this.#known = known
    this.#by = by
  }

  /** @param member of the present view */
  of(member: MemberId): Uint8Array {
    const { certificate, publicKey } = this.#known.get(member)!
    return this.#by === "key" ? keyPrintOf(publicKey) : fingerprintOf(certificate)
  }
}
