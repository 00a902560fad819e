/**
 * A host's hourly vouch: "these are all statements that I know." A member that has only met a removed member cannot
 * know of the removal. Until it sees a vouch, the application shows that no host has vouched for the room.
 */
import type { Signer } from "@keymoot/transport"
import * as P from "micro-packed"
import type { MemberCredentialChecker } from "../../identity/certificates/credential-checker.ts"
import { decodeOrNull, domainSeparated, hexId, timestampMs } from "../../wire/index.ts"
import type { Standing } from "./standing.ts"
import type { PersonKey, StatementScope } from "./statement.ts"

/** Lifetime of a vouch. */
export const VOUCH_MS = 60 * 60_000
/** Interval at which a host renews its vouch. It also vouches after each own statement. */
export const VOUCH_AGAIN_MS = 20 * 60_000
/** Tolerance for a host's clock that is ahead. */
const CLOCK_SKEW_MS = 5 * 60_000

/** `digest`: of the valid statements (`Standing.digest`). */
export type Vouch = { readonly issuer: PersonKey; readonly digest: string; readonly saidAtMs: number }
export type SignedVouch = Vouch & { readonly bytes: Uint8Array }

const fields = P.struct({ issuer: hexId(32), digest: hexId(32), saidAtMs: timestampMs })
const signed = P.struct({ signature: P.bytes(64), vouch: fields })
export const VOUCH_BYTES = 64 + 32 + 32 + 8

export async function signVouch(signer: Signer, scope: StatementScope, vouch: Vouch): Promise<SignedVouch> {
  const signature = await signer.sign(signingBytes(scope, vouch))
  return { ...vouch, bytes: signed.encode({ signature, vouch }) }
}

/** Returns null unless the vouch is well-formed and signed by the host that it names. */
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

/** Whether the vouch matches the statements known here, its host is in office, and it has not expired. */
export function vouchesFor(vouch: Vouch, standing: Standing, nowMs: number): boolean {
  const ageMs = nowMs - vouch.saidAtMs
  const inTime = ageMs < VOUCH_MS && ageMs > -CLOCK_SKEW_MS
  return inTime && vouch.digest === standing.digest && standing.hosts.includes(vouch.issuer)
}

function signingBytes({ conferenceId, descriptorHash }: StatementScope, vouch: Vouch): Uint8Array {
  return domainSeparated("keymoot v1 vouch", conferenceId, descriptorHash, fields.encode(vouch))
}
