import type { Credential } from "../../members/credentials.ts"
import type { MemberId } from "../../members/ids.ts"
import type { RoomCard } from "../messages/room-card.ts"
import type { InvitationKeys } from "../shared/keyring.ts"

/** A member that could be reached. Its card is verified. */
export type Contact = {
  /** From the card. A member with a renewed certificate has another credential for the same key. */
  credential: Credential
  card: RoomCard
  /** Keys of the invitation under which the card came last. */
  keys: InvitationKeys
  /** The member has repeated our nonce, so the card is no replay. */
  fresh: boolean
  heardAtMs: number
  /** When it certainly was here last: it repeated our nonce, or was connected. */
  provenAtMs: number
  /** When the present card was last answered by a hello, or `null` if never. */
  helloAtMs: number | null
  connection:
    | { readonly state: "none" }
    | { readonly state: "half-open"; readonly incarnation: number }
    | { readonly state: "up"; readonly incarnation: number; readonly sinceMs: number }
  /** The last attempt. An offer of an earlier one is recognised as late. */
  latest: { readonly incarnation: number; readonly attempt: number; readonly atMs: number } | null
  /** When the attempt before the last one began. */
  formerAtMs: number | null
  failures: number
  retryAtMs: number
}

export type ContactsInput =
  /** A verified card. `fresh`: it came in a signal that repeats the nonce of our present room entry. */
  | {
      readonly type: "card"
      readonly credential: Credential
      readonly card: RoomCard
      readonly keys: InvitationKeys
      readonly fresh: boolean
    }
  /** We have entered the room anew, so no member knows our nonce yet. */
  | { readonly type: "entered" }
  | {
      readonly type: "connection"
      readonly member: MemberId
      readonly state: "half-open" | "up"
      readonly incarnation: number
      readonly attempt: number
    }
  /** `linked`: another path to the member is up. */
  | { readonly type: "connection"; readonly member: MemberId; readonly state: "gone"; readonly linked: boolean }
  | { readonly type: "tick" }
