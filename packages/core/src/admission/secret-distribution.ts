/** The present invitation's secret: which members have it, and which still get it. */
import type { MemberId, View } from "@keymoot/transport"
import { LruMap } from "../wire/index.ts"
import type { EntryRulesConfig } from "./entry-rules.ts"
import { INVITATION_SECRET_BYTES, type Invitations } from "./invitations.ts"
import { commitmentOf, type StatementScope } from "./statements/statement.ts"
import type { Standing } from "./statements/standing.ts"

/** Neighbours remembered to have received the present secret. An evicted one may receive it again. */
const INVITED_MAX = 64

export class SecretDistribution {
  readonly #self: MemberId
  readonly #scope: StatementScope
  readonly #invitations: Invitations
  /** Incarnations of the last view that have the present secret, as far as this member knows. */
  #informed = { commitment: "", members: new Set<string>() }
  /** Commitments of the secrets that neighbours outside the view received last. */
  readonly #invited = new LruMap<MemberId, string>(INVITED_MAX)

  constructor({
    self,
    scope,
    invitations,
  }: Pick<EntryRulesConfig, "self" | "invitations"> & { scope: StatementScope }) {
    this.#self = self.member
    this.#scope = scope
    this.#invitations = invitations
  }

  /** Returns true if it is new, and the present invitation's: a host has committed to it. */
  take(secret: Uint8Array, standing: Standing): boolean {
    if (!this.#isPresent(secret, standing) || this.#invitations.present(standing)) return false
    this.#invitations.add(secret)
    return true
  }

  /** As `take`. All members of the view got this secret. */
  takeToView(secret: Uint8Array, { members }: View, standing: Standing): boolean {
    if (!this.#isPresent(secret, standing)) return false
    this.#inform(members.map(nameOf), standing)
    return this.take(secret, standing)
  }

  /**
   * Returns the secret to send to a secured view with members that lack it; null if this member need not. The creator
   * of the present invitation sends it, and the lowest member of each transitional set.
   */
  forView({ members, transitional }: View, standing: Standing): Uint8Array | null {
    const secret = this.#held(standing)
    if (!secret) return null
    const informed = this.#informedOf(standing)
    const ids = members.map(nameOf)
    const isLowest = [...transitional].sort()[0] === this.#self
    const isAnyLacking = ids.some((id) => !id.startsWith(this.#self) && !informed.has(id))
    const isDue = isAnyLacking && (isLowest || informed.size === 0)
    // A member that returns gets the secret again.
    this.#inform(isDue ? ids : ids.filter((id) => informed.has(id)), standing)
    return isDue ? secret : null
  }

  /** Returns the secret for each of these neighbours that has not received it from this member. */
  forNeighbours(neighbours: readonly MemberId[], standing: Standing): { to: MemberId; secret: Uint8Array }[] {
    const secret = this.#held(standing)
    if (!secret) return []
    const { commitment } = standing.generation!.said
    const lacking = neighbours.filter((member) => this.#invited.get(member) !== commitment)
    for (const member of lacking) this.#invited.set(member, commitment)
    return lacking.map((to) => ({ to, secret }))
  }

  #isPresent(secret: Uint8Array, { generation }: Standing): boolean {
    if (secret.length !== INVITATION_SECRET_BYTES || !generation) return false
    return commitmentOf(secret, this.#scope) === generation.said.commitment
  }

  /** The secret to which a host has committed last; null if there is none or it is not held. */
  #held(standing: Standing): Uint8Array | null {
    return standing.generation && this.#invitations.present(standing)
  }

  #informedOf(standing: Standing): Set<string> {
    const { commitment } = standing.generation!.said
    if (this.#informed.commitment !== commitment) this.#informed = { commitment, members: new Set() }
    return this.#informed.members
  }

  #inform(incarnations: readonly string[], standing: Standing): void {
    this.#informed = { commitment: standing.generation!.said.commitment, members: new Set(incarnations) }
  }
}

function nameOf({ id, incarnation }: View["members"][number]): string {
  return `${id} ${incarnation}`
}
