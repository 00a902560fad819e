import type { FaultReason, KeyStructure, PrimeOrderGroup } from "@keymoot/gke"
import type { GroupOutput, MemberId, ProposalId, View } from "@keymoot/transport"

export type EpochKeysConfig = {
  readonly self: MemberId
  readonly group: PrimeOrderGroup
  readonly conferenceId: Uint8Array
  readonly descriptorHash: Uint8Array
  /** 32 bytes from the room key: who breaks the agreement, but was never given the room key, has no epoch key. */
  readonly invitation: Uint8Array
  readonly random: (length: number) => Uint8Array
}

export type EpochKeysOutput =
  /** Multicast in the present view as an `agreement` frame, `fifo`. */
  | { readonly type: "multicast"; readonly body: Uint8Array }
  /** Sign `statement` (`majoritySigningInput`), and hand it to `to` as a roster message and back to oneself. */
  | {
      readonly type: "statement"
      readonly via: "unicast" | "multicast"
      readonly to: readonly MemberId[]
      readonly statement: Uint8Array
    }
  /** A view of the same members would help to a key. */
  | { readonly type: "refreshDue" }
  | {
      readonly type: "fault"
      readonly member: MemberId
      readonly reason: FaultReason | "failed-confirmation" | "malformed-body"
    }

/** What comes for the key agreement besides views. `message`: in the present view; `rosterMessage`: in none. */
export type EpochKeysInput =
  | {
      readonly type: "message"
      readonly from: MemberId
      readonly via: "unicast" | "multicast"
      readonly bytes: Uint8Array
    }
  | Extract<GroupOutput, { type: "rosterMessage" | "rosterLost" }>
  | { readonly type: "tick"; readonly nowMs: number }

/** The receiver owns `epochKey` and overwrites it. `transcript`: 32 bytes that all who hold this key in this view know. */
export type KeyOfView = { readonly epochKey: Uint8Array; readonly transcript: Uint8Array }

export type EpochKeysSink = {
  readonly emit: (output: EpochKeysOutput) => void
  /** Once a view at most, after its `begin`. */
  readonly keyed: (key: KeyOfView) => void
  /** Everybody has proved the key of the present view. */
  readonly isSecured: () => boolean
}

/** Where the keys of views come from. */
export interface EpochKeys {
  /** For the SYNC of a proposed view. */
  contribute(proposal: ProposalId, members: readonly MemberId[]): Uint8Array
  /** `statementsDigest`: of what hosts have said, as all members of the view hold it (32 bytes). */
  begin(view: View, statementsDigest: Uint8Array): void
  handle(input: EpochKeysInput): void
  /** The next view is wanted for the sake of a new key. */
  renew(): void
  /** False while no key of the present view can come about without somebody who is not in it. */
  readonly expectsKey: boolean
  /** Who keeps this member from the key of the present view by saying nothing, as far as that is certain. */
  awaiting(): readonly MemberId[]
  /** This member holds the key of the present view, and the `silent` have not proved it: those who wait for no other of them. */
  proving(silent: readonly MemberId[]): readonly MemberId[]
  structure(): KeyStructure | null
  erase(): void
}
