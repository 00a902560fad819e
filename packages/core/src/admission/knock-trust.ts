import type { MemberId } from "@keymoot/transport"
import type { Knock, Person } from "../api/index.ts"
import type { MemberCredential } from "../identity/certificates/credential-checker.ts"
import type { VerifiedPeople } from "../identity/verified-people.ts"

/** A waiting person with its key, raw Ed25519. */
export type Waiting = Person & { readonly publicKey: Uint8Array }

/** Compares waiting people with the people that this identity has verified, in the way in which members are compared. */
export class KnockTrust {
  readonly #people: Pick<VerifiedPeople, "isVerified" | "impostors">
  #impostors: ReadonlySet<MemberId> = new Set()

  constructor(people: Pick<VerifiedPeople, "isVerified" | "impostors">) {
    this.#people = people
  }

  /** Compares all names again. This costs more than a message of a waiting person, so such messages do not call it. */
  compare(waiting: readonly Waiting[], present: readonly MemberCredential[]): void {
    const members = waiting.length === 0 ? [] : present.map((member) => ({ ...member, id: member.member }))
    this.#impostors = this.#people.impostors([...members, ...waiting])
  }

  judged({ publicKey, ...person }: Waiting): Omit<Knock, "messages"> {
    return { ...person, verified: this.#people.isVerified(publicKey), changedKey: this.#impostors.has(person.id) }
  }
}
