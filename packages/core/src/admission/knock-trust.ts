import type { MemberId } from "@keymoot/transport"
import type { Knock, Person } from "../api/index.ts"
import type { MemberCredential } from "../identity/certificates/credential-checker.ts"
import type { VerifiedPeople } from "../identity/verified-people.ts"

/** A waiting person with its key, raw Ed25519. */
export type Waiting = Person & { readonly publicKey: Uint8Array }

export type JudgedPeople = Pick<VerifiedPeople, "isVerifiedAs" | "impostors">

/** Compares waiting people, by key and name, with the people that this identity has verified. */
export class KnockTrust {
  readonly #people: JudgedPeople
  #impostors: ReadonlySet<MemberId> = new Set()
  #verified: ReadonlySet<MemberId> = new Set()

  constructor(people: JudgedPeople) {
    this.#people = people
  }

  /** Compares all names again. This costs more than a message of a waiting person, so such messages do not call it. */
  compare(waiting: readonly Waiting[], present: readonly MemberCredential[]): void {
    const members = waiting.length === 0 ? [] : present.map((member) => ({ ...member, id: member.member }))
    this.#impostors = this.#people.impostors(waiting, members)
    this.#verified = new Set(waiting.filter((person) => this.#people.isVerifiedAs(person)).map(({ id }) => id))
  }

  judged({ publicKey: _publicKey, ...person }: Waiting): Omit<Knock, "messages"> {
    return { ...person, verified: this.#verified.has(person.id), changedKey: this.#impostors.has(person.id) }
  }
}
