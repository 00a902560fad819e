import { bytesToHex } from "@noble/hashes/utils.js"
import { hashFields, requireLength, u64 } from "../shared/bytes.ts"
import { type ConferenceSidInput, membersHash } from "../agreement/schedule.ts"

/**
 * Names a session of majority for good: the view in which it was begun. View ids hold a fresh nonce of every member, so a member that
 * lost its state can never take part in one session as two. `epoch`: that view's number, which orders sessions.
 */
export type SessionName = { readonly epoch: number; readonly viewId: Uint8Array }

/** Two partitions may each have started one with the same number. */
export function isLaterSession(a: SessionName, b: SessionName): boolean {
  return a.epoch !== b.epoch ? a.epoch > b.epoch : bytesToHex(a.viewId) > bytesToHex(b.viewId)
}

type ConferencePart = "conferenceId" | "descriptorHash" | "statementsHash" | "cipher" | "postQuantum"

export type MajoritySidInput = Pick<ConferenceSidInput, ConferencePart> & {
  /** All members that may take part, present or not: the roster without the revoked. In any order. */
  readonly roster: ConferenceSidInput["members"]
  readonly session: SessionName
}

/** The session id of `majority`: 32 bytes. It covers no view, because members in other views take part too. */
export function majoritySid(input: MajoritySidInput): Uint8Array {
  const { conferenceId, descriptorHash, statementsHash, cipher, postQuantum, roster, session } = input
  for (const [what, bytes] of Object.entries({ descriptorHash, statementsHash, viewId: session.viewId })) {
    requireLength(what, bytes, 32)
  }
  const about = [conferenceId, descriptorHash, membersHash(roster), statementsHash]
  return hashFields("keymoot v1 majority sid", ...about, u64(session.epoch), session.viewId, cipher, postQuantum)
}
