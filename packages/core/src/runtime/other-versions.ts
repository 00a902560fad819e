import type { OtherVersion as FoundVersion } from "@keymoot/transport"
import { bytesToHex } from "@noble/hashes/utils.js"
import type { OtherVersion } from "../api/index.ts"
import { fingerprintOf, type MemberCredentialChecker } from "../identity/index.ts"

export type OtherVersionsConfig = {
  readonly checker: MemberCredentialChecker
  readonly emit: (others: readonly OtherVersion[]) => void
}

/** Finds the names of people whose client has another protocol version. */
export class OtherVersions {
  readonly #config: OtherVersionsConfig
  #turn = 0

  constructor(config: OtherVersionsConfig) {
    this.#config = config
  }

  /** Replaces the earlier result. A name lookup that ends after a later call is discarded. */
  async handle(found: readonly FoundVersion[]): Promise<void> {
    const turn = ++this.#turn
    const others = await Promise.all(found.map((each) => this.#named(each)))
    if (turn === this.#turn) this.#config.emit(others)
  }

  async #named({ peer, credential: { certificate }, theirs, ours, older }: FoundVersion): Promise<OtherVersion> {
    const credential = await this.#config.checker.check(certificate)
    const person = { id: peer, name: credential?.name ?? "", fingerprint: bytesToHex(fingerprintOf(certificate)) }
    return { person, theirs, ours, older }
  }
}
