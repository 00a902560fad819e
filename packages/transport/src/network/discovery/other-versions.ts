import type { OtherVersion } from "../shared/config.ts"
import type { Contact, Discovery } from "./discovery.ts"

/** Reports the present members with another major version, whenever these change. */
export class OtherVersionsReport {
  readonly #discovery: Discovery
  readonly #ours: number
  readonly #report: (others: readonly OtherVersion[]) => void
  #reported = ""

  constructor(discovery: Discovery, ours: number, report: (others: readonly OtherVersion[]) => void) {
    this.#discovery = discovery
    this.#ours = ours
    this.#report = report
  }

  update(nowMs: number): void {
    const others = this.#discovery.others(nowMs).map((contact) => otherVersion(contact, this.#ours))
    const reported = others.map(({ peer, theirs }) => `${peer} ${theirs}`).join()
    if (reported === this.#reported) return
    this.#reported = reported
    this.#report(others)
  }
}

function otherVersion({ credential, card }: Readonly<Contact>, ours: number): OtherVersion {
  const theirs = card.protocol.major
  return { peer: credential.member, credential, theirs, ours, older: theirs < ours ? "them" : "us" }
}
