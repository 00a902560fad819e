import type { OtherVersion as FoundVersion } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"
import type { OtherVersion } from "../api/index.ts"
import { fingerprintOf } from "../identity/certificates/certificate.ts"
import type { MemberCredentialChecker } from "../identity/certificates/credential-checker.ts"

/** Finds the names of people whose client has another protocol version. */
export class OtherVersions {
  readonly #checker: MemberCredentialChecker
  #turn = 0

  constructor(checker: MemberCredentialChecker) {
    this.#checker = checker
  }

  /** Replaces the earlier result. Null if a later call came before the names were found. */
  async named(found: readonly FoundVersion[]): Promise<readonly OtherVersion[] | null> {
    const turn = ++this.#turn
    const others = await Promise.all(found.map((each) => this.#named(each)))
    return turn === this.#turn ? others : null
  }

  async #named({ peer, credential: { certificate }, theirs, ours, older }: FoundVersion): Promise<OtherVersion> {
    const credential = await this.#checker.check(certificate)
    const person = { id: peer, name: credential?.name ?? "", fingerprint: bytesToHex(fingerprintOf(certificate)) }
    return { person, theirs, ours, older }
  }
}
