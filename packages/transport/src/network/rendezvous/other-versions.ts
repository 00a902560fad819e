import type { OtherVersion } from "../shared/config.ts"
import type { Contact } from "../base/contact.ts"
import type { Contacts } from "./contacts.ts"

/** The present members with another major version, reported whenever these change. */
export class OtherVersionsReport {
  readonly #contacts: Contacts
  readonly #ours: number
  #reported = ""

  constructor(contacts: Contacts, ours: number) {
    this.#contacts = contacts
    this.#ours = ours
  }

  /** Null if nothing has changed since the last call. */
  update(nowMs: number): readonly OtherVersion[] | null {
    const others = this.#contacts.others(nowMs).map((contact) => otherVersion(contact, this.#ours))
    const reported = others.map(({ peer, theirs }) => `${peer} ${theirs}`).join()
    if (reported === this.#reported) return null
    this.#reported = reported
    return others
  }
}

function otherVersion({ credential, card }: Readonly<Contact>, ours: number): OtherVersion {
  const theirs = card.protocol.major
  return { peer: credential.member, credential, theirs, ours, older: theirs < ours ? "them" : "us" }
}
