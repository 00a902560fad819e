import { INVITATION_KEYS_MAX, type InvitationKeys } from "@keymoot/transport"
import { commitmentOf, type Standing, type StatementScope } from "../admission/index.ts"
import { deriveInvitationKeys, formatInvitation, type Invitation } from "../conference/index.ts"
import { equalBytes } from "../wire/index.ts"

export const INVITATION_SECRET_BYTES = 16

type Held = { readonly secret: Uint8Array; readonly commitment: string; readonly keys: InvitationKeys }

/** The invitations of a conference that this member holds: the present one, and former ones whose bearers can be heard. */
export class Invitations {
  readonly #scope: StatementScope
  readonly #link: Invitation
  readonly #roomKey: Uint8Array
  /** The present one first, as far as is known. */
  #held: readonly Held[] = []

  /** `secrets`: of `link` first. */
  constructor(scope: StatementScope, link: Invitation, roomKey: Uint8Array, secrets: readonly Uint8Array[]) {
    this.#scope = scope
    this.#link = link
    this.#roomKey = roomKey
    for (const secret of secrets.toReversed()) this.add(secret)
  }

  /** The present one first. */
  get secrets(): readonly Uint8Array[] {
    return this.#held.map(({ secret }) => secret)
  }

  /** The present one first. */
  get keys(): readonly InvitationKeys[] {
    return this.#held.map(({ keys }) => keys)
  }

  /** What to give others. The descriptor's own link needs no room key beside it; every other does. */
  url({ generation }: Standing): string {
    const roomKey = generation ? this.#roomKey : this.#link.roomKey
    return formatInvitation({ ...this.#link, secret: this.#held[0]!.secret, roomKey })
  }

  /** At the bound the longest superseded one is forgotten, and its bearers are not heard any more. */
  add(secret: Uint8Array): void {
    const others = this.#held.filter((each) => !equalBytes(each.secret, secret))
    const keys = deriveInvitationKeys(secret, this.#scope.descriptorHash)
    const held = { secret: secret.slice(), commitment: commitmentOf(secret, this.#scope), keys }
    this.#held = [held, ...others].slice(0, INVITATION_KEYS_MAX)
  }

  /** The present generation's secret, if it is here. */
  present({ generation }: Standing): Uint8Array | null {
    if (!generation) return this.#held[0]!.secret
    return this.#held.find(({ commitment }) => commitment === generation.said.commitment)?.secret ?? null
  }

  /** Whether these are the keys of the present generation; before the first statement about one, of any that is held. */
  isPresent(keys: InvitationKeys, { generation }: Standing): boolean {
    const held = this.#held.find((each) => each.keys === keys)
    return held !== undefined && (!generation || held.commitment === generation.said.commitment)
  }

  /** Puts the present generation's first. */
  follow(standing: Standing): void {
    const present = this.present(standing)
    if (present)
      this.#held = [...this.#held].sort((a, b) => Number(b.secret === present) - Number(a.secret === present))
  }
}
