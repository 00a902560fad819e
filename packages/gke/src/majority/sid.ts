import { sha256 } from "@noble/hashes/sha2.js"
import { requireLength, u64, updateFields } from "../bytes.ts"
import { membersHash } from "../schedule.ts"
import type { ConferenceSidInput } from "../schedule.ts"

/**
 * Names a session of majority for good: the view in which it was begun. View ids hold everybody's fresh nonce, so a member that
 * lost its state can never take part in one session as two. `epoch`: that view's number, which orders sessions.
 */
export type SessionName = { readonly epoch: number; readonly viewId: Uint8Array }

export type MajoritySidInput = Pick<ConferenceSidInput, "conferenceId" | "descriptorHash" | "statementsHash"> & {
  /** All who may take part, whoever is there: the roster without the revoked. In any order. */
  readonly roster: ConferenceSidInput["members"]
  readonly session: SessionName
}

/** What a session of majority is bound to. 32 bytes. No present view is in it: members in other views take part too. */
export function majoritySid(input: MajoritySidInput): Uint8Array {
  const { conferenceId, descriptorHash, statementsHash, roster, session } = input
  for (const [what, bytes] of Object.entries({ descriptorHash, statementsHash, viewId: session.viewId })) {
    requireLength(what, bytes, 32)
  }
  const hash = sha256.create()
  updateFields(hash, ["keymoot v1 majority sid", conferenceId, descriptorHash, membersHash(roster), statementsHash])
  updateFields(hash, [u64(session.epoch), session.viewId])
  return hash.digest()
}
