/**
 * What hosts say about a conference, each statement signed for itself. A host numbers its statements, and each names the
 * one before, so that whoever takes a host's office away can say up to where its word still counts.
 */
import type { Signer } from "@keymoot/transport"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import type { MemberCredentialChecker } from "../identity/index.ts"
import { boundedList, decodeOrNull, domainSeparated, hexId, oneOf, timestampMs, versionByte } from "../wire/index.ts"

/** Raw Ed25519 public key, 64 hex digits: a person, under whatever name. */
export type PersonKey = string
/** SHA-256 of a statement, its signature aside, 64 hex digits; zeros for none. */
export type StatementId = string
export const NO_STATEMENT: StatementId = "0".repeat(64)

export type Role = "host" | "editor" | "viewer"
/** What a newcomer can be let in as. */
export type GuestRole = Exclude<Role, "host">
/** People whom a new invitation does not concern. */
export const STAYING_MAX = 128

export type StatementBody =
  | { readonly type: "role"; readonly subject: PersonKey; readonly role: Role }
  /** For good. */
  | { readonly type: "removal"; readonly subject: PersonKey }
  /**
   * From now on another invitation leads in. `commitment`: SHA-256 over its secret, so that nobody can pass on another one.
   * `removals`: of all removals that its maker knew (`removalsDigest`). `staying`: who needs neither the new one nor a host.
   */
  | {
      readonly type: "generation"
      readonly generation: number
      readonly commitment: string
      readonly removals: string
      readonly staying: readonly PersonKey[]
    }
  /** A host lets in who bears this certificate (SHA-256, hex), under the present invitation (its statement, or none). */
  | {
      readonly type: "ticket"
      readonly fingerprint: string
      readonly role: GuestRole
      readonly generation: StatementId
      readonly expiresAtMs: number
    }

export type Statement = {
  readonly issuer: PersonKey
  /** From 1, one more than that of `previous`. */
  readonly number: number
  /** The issuer's statement before. */
  readonly previous: StatementId
  /** The subject's last statement that the issuer knew: if this takes an office away, what came later does not count. */
  readonly heard: StatementId
  readonly body: StatementBody
}

/** Received or made: `bytes` are what travels. */
export type SignedStatement = { readonly id: StatementId; readonly statement: Statement; readonly bytes: Uint8Array }

/** Of which conference: 16 and 32 bytes. */
export type StatementScope = { readonly conferenceId: Uint8Array; readonly descriptorHash: Uint8Array }

const hash = hexId(32)
const role: P.CoderType<Role> = oneOf(["host", "editor", "viewer"])
const guestRole: P.CoderType<GuestRole> = oneOf(["editor", "viewer"])
const tagged = P.mappedTag(P.U8, {
  role: [1, P.struct({ subject: hash, role })],
  removal: [2, P.struct({ subject: hash })],
  generation: [
    3,
    P.struct({ generation: P.U32BE, commitment: hash, removals: hash, staying: boundedList(hash, STAYING_MAX) }),
  ],
  ticket: [4, P.struct({ fingerprint: hash, role: guestRole, generation: hash, expiresAtMs: timestampMs })],
})
const body: P.CoderType<StatementBody> = P.wrap({
  encodeStream: (writer, { type, ...data }: StatementBody) => tagged.encodeStream(writer, { TAG: type, data } as never),
  decodeStream: (reader) => {
    const { TAG: type, data } = tagged.decodeStream(reader)
    return { type, ...data } as StatementBody
  },
})
const fields = P.struct({
  version: versionByte(1),
  issuer: hash,
  number: P.U32BE,
  previous: hash,
  heard: hash,
  body,
})
const signed = P.struct({ signature: P.bytes(64), content: P.bytes(null) })

/** Whole, with its signature. */
export const STATEMENT_BYTES_MAX = 64 + 1 + 32 + 4 + 64 + 1 + 4 + 64 + 2 + STAYING_MAX * 32

export async function signStatement(
  signer: Signer,
  scope: StatementScope,
  statement: Statement,
): Promise<SignedStatement> {
  const content = fields.encode(statement)
  const bytes = signed.encode({ signature: await signer.sign(signingBytes(scope, content)), content })
  return { id: bytesToHex(sha256(content)), statement, bytes }
}

/** Null for anything but one well-formed statement. The signature is not checked here. */
export function decodeStatement(bytes: Uint8Array): SignedStatement | null {
  if (bytes.length > STATEMENT_BYTES_MAX) return null
  const outer = decodeOrNull(signed, bytes)
  const decoded = outer && decodeOrNull(fields, outer.content)
  if (!decoded) return null
  const statement = decoded as Statement
  const chained = statement.number > 0 && (statement.number === 1) === (statement.previous === NO_STATEMENT)
  return chained ? { id: bytesToHex(sha256(outer.content)), statement, bytes: bytes.slice() } : null
}

export async function isSignedByIssuer(
  { bytes, statement }: SignedStatement,
  scope: StatementScope,
  checker: MemberCredentialChecker,
): Promise<boolean> {
  const { signature, content } = signed.decode(bytes)
  const key = hash.encode(statement.issuer)
  return checker.verify(key, signingBytes(scope, content), signature)
}

/** Over who has been removed, in any order of hearing of it. */
export function removalsDigest(removed: Iterable<PersonKey>): string {
  return digestOf("keymoot v1 removals", [...removed])
}

/** Over statements, in any order of hearing of them. 64 hex digits. */
export function digestOf(domain: string, ids: readonly string[]): string {
  const sorted = ids.toSorted().map((id) => hash.encode(id))
  return bytesToHex(sha256(domainSeparated(domain, concatBytes(...sorted))))
}

/** What a generation says of its invitation's secret. */
export function commitmentOf(secret: Uint8Array, { descriptorHash }: StatementScope): string {
  return bytesToHex(sha256(domainSeparated("keymoot v1 invitation commitment", descriptorHash, secret)))
}

function signingBytes({ conferenceId, descriptorHash }: StatementScope, content: Uint8Array): Uint8Array {
  return domainSeparated("keymoot v1 statement", conferenceId, descriptorHash, content)
}
