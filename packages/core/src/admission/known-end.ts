/** The end of a conference: by the statements stored here, and as its creator announces it for people outside. */
import type { Signer } from "@keymoot/transport"
import {
  decodeAnnouncedEnd,
  encodeAnnouncedEnd,
  endSigningBytes,
  type EndTimes,
} from "@keymoot/transport/signaling-protocol"
import { hexToBytes } from "@noble/hashes/utils.js"
import type { Descriptor } from "../conference/descriptor.ts"
import type { MemberCredentialChecker } from "../identity/certificates/credential-checker.ts"
import { keyOf } from "./entry-rules.ts"
import { decodeStatements, StatementSet } from "./statements/statement-set.ts"
import type { Ground } from "./statements/standing.ts"
import { NO_STATEMENT } from "./statements/statement.ts"

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

/**
 * Announces an end at the server, for people outside. Statements say it inside. The link pins the creator's key, and
 * other hosts' ranks follow from statements, which nobody outside knows. `signer`: the creator's.
 */
export async function announcedEnd(signer: Signer, conferenceId: string, times: EndTimes): Promise<Uint8Array> {
  return encodeAnnouncedEnd(times, await signer.sign(endSigningBytes(conferenceId, times)))
}

/**
 * Returns the announced end by which the creator ended the conference before its planned end. Null if it has not, or
 * ends it later than now, or if the announcement is not the creator's for this conference. The server may invent one.
 */
export async function announcedEarlyEnd(
  bytes: Uint8Array | null,
  { conferenceId, creator, startsAtMs, endsAtMs }: Descriptor,
  checker: MemberCredentialChecker,
  nowMs: number,
): Promise<EndTimes | null> {
  const decoded = bytes && decodeAnnouncedEnd(bytes)
  if (!decoded) return null
  const { times, signature } = decoded
  if (times.endsAtMs < startsAtMs || times.endsAtMs >= endsAtMs || times.endsAtMs > nowMs) return null
  return (await checker.verify(creator.publicKey, endSigningBytes(conferenceId, times), signature)) ? times : null
}

/** Returns the time at which the creator ended the conference by this announced end. */
export function endedAt({ endsAtMs, saidAtMs }: EndTimes, nowMs: number): number {
  // "Now" is written as the start. Its time is that of the announcement, by the creator's clock.
  return Math.min(Math.max(endsAtMs, saidAtMs), nowMs)
}
