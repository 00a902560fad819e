/**
 * A host's word of the hour: "these are all statements that I know." Who has met only a removed member cannot know of the
 * removal; until such a word is seen, the room is one for which no host has vouched.
 */
import type { Signer } from "@keymoot/transport"
import * as P from "micro-packed"
import type { MemberCredentialChecker } from "../identity/index.ts"
import { decodeOrNull, domainSeparated, hexId, timestampMs } from "../wire/index.ts"
import type { Standing } from "./standing.ts"
import type { PersonKey, StatementScope } from "./statement.ts"

/** So long a host's word is good. */
export const VOUCH_MS = 60 * 60_000
/** How often a host gives it, besides whenever it has said something. */
export const VOUCH_AGAIN_MS = 20 * 60_000
/** A host's clock may be ahead by this. */
const CLOCK_SKEW_MS = 5 * 60_000

/** `digest`: of the statements that count (`Standing.digest`). */
export type Vouch = { readonly issuer: PersonKey; readonly digest: string; readonly saidAtMs: number }
export type SignedVouch = Vouch & { readonly bytes: Uint8Array }

const fields = P.struct({ issuer: hexId(32), digest: hexId(32), saidAtMs: timestampMs })
const signed = P.struct({ signature: P.bytes(64), vouch: fields })
export const VOUCH_BYTES = 64 + 32 + 32 + 8

export async function signVouch(signer: Signer, scope: StatementScope, vouch: Vouch): Promise<SignedVouch> {
  const signature = await signer.sign(signingBytes(scope, vouch))
  return { ...vouch, bytes: signed.encode({ signature, vouch }) }
}

/** Null unless it is well-formed and signed by the one that it names. */
export async function openVouch(
  bytes: Uint8Array,
  scope: StatementScope,
  checker: MemberCredentialChecker,
): Promise<SignedVouch | null> {
  const decoded = decodeOrNull(signed, bytes)
  if (!decoded) return null
  const { signature, vouch } = decoded
  const key = hexId(32).encode(vouch.issuer)
  const good = await checker.verify(key, signingBytes(scope, vouch), signature)
  return good ? { ...vouch, bytes: bytes.slice() } : null
}

/** Whether this word is about just what is known here, of a host in office, and of this hour. */
export function vouchesFor(vouch: Vouch, standing: Standing, nowMs: number): boolean {
  const ageMs = nowMs - vouch.saidAtMs
  const inTime = ageMs < VOUCH_MS && ageMs > -CLOCK_SKEW_MS
  return inTime && vouch.digest === standing.digest && standing.hosts.includes(vouch.issuer)
}

function signingBytes({ conferenceId, descriptorHash }: StatementScope, vouch: Vouch): Uint8Array {
  return domainSeparated("keymoot v1 vouch", conferenceId, descriptorHash, fields.encode(vouch))
}
