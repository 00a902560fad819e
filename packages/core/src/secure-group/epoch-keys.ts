import type { PostQuantum } from "../api/index.ts"
import type { DataCipher } from "../ciphers/aead.ts"
import type { FaultReason, Kem, KeyStructure, PrimeOrderGroup } from "@keymoot/gke"
import type { GroupOutput, MemberId, ProposalId, Randomness, View } from "@keymoot/transport"

export type EpochKeysConfig = {
  readonly self: MemberId
  readonly group: PrimeOrderGroup
  readonly conferenceId: Uint8Array
  readonly descriptorHash: Uint8Array
  /** Its name goes into the session id. */
  readonly cipher: DataCipher
  readonly postQuantum: PostQuantum
  /** Needed where `postQuantum` is `hybrid`. */
  readonly kem: Kem | null
  /**
   * 32 bytes derived from the room key. An attacker that breaks the agreement without the room key has no epoch key.
   */
  readonly invitation: Uint8Array
  readonly random: Randomness
}

/**
 * The receiver owns `epochKey` and overwrites it. `transcript`: 32 bytes that all holders of this key in this view
 * know.
 */
export type KeyOfView = { readonly epochKey: Uint8Array; readonly transcript: Uint8Array }

export type EpochKeysOutput =
  /** The key of the present view: at most once a view, after its `begin`. */
  | ({ readonly type: "keyed" } & KeyOfView)
  /** Multicast this in the present view as an `agreement` frame, `fifo`. */
  | { readonly type: "multicast"; readonly body: Uint8Array }
  /** Sign `statement` (`majoritySigningInput`), send it to `to` as a roster message, and loop it back. */
  | {
      readonly type: "statement"
      readonly via: "unicast" | "multicast"
      readonly to: readonly MemberId[]
      readonly statement: Uint8Array
    }
  /** A view of the same members would help to agree on a key. */
  | { readonly type: "refreshDue" }
  | {
      readonly type: "fault"
      readonly member: MemberId
      readonly reason: FaultReason | "failed-confirmation" | "malformed-body"
    }

/** Inputs besides views. Only `rosterMessage` and `rosterLost` do not belong to the present view. */
export type EpochKeysInput =
  | {
      readonly type: "message"
      readonly from: MemberId
      readonly via: "unicast" | "multicast"
      readonly bytes: Uint8Array
    }
  | { readonly type: "postQuantum"; readonly from: MemberId; readonly bytes: Uint8Array }
  /** Every member has proved the key of the present view. */
  | { readonly type: "secured" }
  | Extract<GroupOutput, { type: "rosterMessage" | "rosterLost" }>
  | { readonly type: "tick"; readonly nowMs: number }

/** Source of the views' keys. */
export interface EpochKeys {
  /** Returns the attachment for the SYNC of a proposed view. */
  contribute(proposal: ProposalId, members: readonly MemberId[]): Uint8Array
  /** `statementsDigest`: digest of the hosts' statements, equal at all members of the view (32 bytes). */
  begin(view: View, statementsDigest: Uint8Array): readonly EpochKeysOutput[]
  handle(input: EpochKeysInput): readonly EpochKeysOutput[]
  /** Requests a new key with the next view. */
  renew(): void
  /** False while the present view can get no key without a member outside of it. */
  readonly expectsKey: boolean
  /** Members whose silence certainly keeps this member from the key of the present view. */
  awaiting(): readonly MemberId[]
  /**
   * This member holds the key; the `silent` members have not proved it. Returns those of them that wait for no other
   * member.
   */
  proving(silent: readonly MemberId[]): readonly MemberId[]
  structure(): KeyStructure | null
  erase(): void
}
