import type { Descriptor } from "../conference/index.ts"
import type { MemberCredentialChecker } from "../identity/index.ts"
import { hexToBytes } from "@noble/hashes/utils.js"
import { keyOf } from "./entry-rules.ts"
import { decodeStatements, type Ground, NO_STATEMENT, StatementSet } from "./statements/index.ts"

/** With approval, only hosts make editors. */
export function groundOf({ creator, admission: { policy }, startsAtMs, endsAtMs, expiresAtMs }: Descriptor): Ground {
  const times = { startsAtMs, endsAtMs, expiresAtMs }
  return { creator: keyOf(creator), unnamed: policy === "approval" ? "viewer" : "editor", times }
}

/**
 * Returns the end of a conference by the statements that this device has stored.
 * @param statements as in the conference's record; null for none
 */
export async function knownEnd(
  descriptor: Descriptor,
  statements: Uint8Array | null,
  checker: MemberCredentialChecker,
): Promise<number> {
  const scope = { conferenceId: hexToBytes(descriptor.conferenceId), descriptorHash: descriptor.hash }
  // A reader that is nobody: it takes only valid statements.
  const set = new StatementSet(groundOf(descriptor), scope, checker, NO_STATEMENT)
  await set.merge((statements && decodeStatements(statements)) ?? [])
  return set.standing.end.atMs
}
