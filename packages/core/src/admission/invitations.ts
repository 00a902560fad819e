import { INVITATION_KEYS_MAX, type InvitationKeys } from "@keymoot/transport"
import { commitmentOf, type StatementScope } from "./statements/statement.ts"
import type { Standing } from "./statements/standing.ts"
import { deriveInvitationKeys, formatInvitation, type Invitation } from "../conference/invitation.ts"
import { equalBytes } from "../wire/index.ts"
import type { ConferenceRecord } from "../device/conference-record.ts"

export const INVITATION_SECRET_BYTES = 16

type Held = { readonly secret: Uint8Array; readonly commitment: string; readonly keys: InvitationKeys }

/** Invitations that this member holds: the present one, and former ones, with whose holders it can still link. */
export class Invitations {
  readonly #scope: StatementScope
  readonly #link: Invitation
  readonly #roomKey: Uint8Array
  /** Held invitations. The present one is first, as far as it is known. */
  #held: readonly Held[] = []
  /**
   * Secret of the followed link until a host's statement commits to it. Until then this member links with its holders,
   * because they may have that statement. The secret admits nobody, is never sent and is not stored.
   */
  #unproven: Held | null

  constructor(
    scope: StatementScope,
    roomKey: Uint8Array,
    record: Pick<ConferenceRecord, "invitation" | "secrets" | "unproven">,
  ) {
    this.#scope = scope
    this.#link = record.invitation
    this.#roomKey = roomKey
    for (const secret of record.secrets.toReversed()) this.add(secret)
    this.#unproven = record.unproven && this.#derive(record.unproven)
  }

  /** Secrets, the present one first. */
  get secrets(): readonly Uint8Array[] {
    return this.#held.map(({ secret }) => secret)
  }

  /** Keys: the unproven ones first, then the present ones. */
  get keys(): readonly InvitationKeys[] {
    const all = this.#unproven ? [this.#unproven, ...this.#held] : this.#held
    return all.slice(0, INVITATION_KEYS_MAX).map(({ keys }) => keys)
  }

  /** Link to share. It includes the room key unless it is the descriptor's own link. */
  url({ generation }: Standing): string {
    const roomKey = generation ? this.#roomKey : this.#link.roomKey
    return formatInvitation({ ...this.#link, secret: this.#held[0]!.secret, roomKey })
  }

  /** Adds a secret. At the bound it evicts the secret that was superseded first. Its holders can no longer link. */
  add(secret: Uint8Array): void {
    this.#put(this.#derive(secret))
  }

  #put(held: Held): void {
    const others = this.#held.filter((each) => !equalBytes(each.secret, held.secret))
    this.#held = [held, ...others].slice(0, INVITATION_KEYS_MAX)
  }

  #derive(secret: Uint8Array): Held {
    const keys = deriveInvitationKeys(secret, this.#scope.descriptorHash)
    return { secret: secret.slice(), commitment: commitmentOf(secret, this.#scope), keys }
  }

  /** Returns the secret of the present generation; null if it is not held. */
  present({ generation }: Standing): Uint8Array | null {
    if (!generation) return this.#held[0]!.secret
    return this.#held.find(({ commitment }) => commitment === generation.said.commitment)?.secret ?? null
  }

  /**
   * Whether these are keys of the present generation. Before the first statement about a generation, all held keys are.
   */
  isPresent(keys: InvitationKeys, { generation }: Standing): boolean {
    const held = this.#held.find((each) => each.keys === keys)
    return held !== undefined && (!generation || held.commitment === generation.said.commitment)
  }

  isUnproven(keys: InvitationKeys | null): boolean {
    return keys !== null && this.#unproven?.keys === keys
  }

  /** Moves the present generation's invitation to the front. */
  follow(standing: Standing): void {
    if (this.#unproven && this.#unproven.commitment === standing.generation?.said.commitment) {
      this.#put(this.#unproven)
      this.#unproven = null
    }
    const present = this.present(standing)
    if (present)
      this.#held = [...this.#held].sort((a, b) => Number(b.secret === present) - Number(a.secret === present))
  }
}
