/**
 * Statements of hosts, each signed separately. A host numbers its statements, and each names its predecessor. So the
 * host that takes an office away can say up to which statement the chain stays valid.
 */
import type { Signer } from "@keymoot/transport"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import type { MemberCredentialChecker } from "../../identity/certificates/credential-checker.ts"
import { boundedList, decodeOrNull, domainSeparated, hexId, oneOf, timestampMs, versionByte } from "../../wire/index.ts"

/** Raw Ed25519 public key as 64 hex digits. It identifies a person under any name. */
export type PersonKey = string
/** SHA-256 of a statement without its signature as 64 hex digits; zeros for none. */
export type StatementId = string
export const NO_STATEMENT: StatementId = "0".repeat(64)

export type Role = "host" | "editor" | "viewer"
/** Role with which a newcomer can be admitted. */
export type GuestRole = Exclude<Role, "host">
/** Bound on the people that a new invitation lets stay. */
export const STAYING_MAX = 128

export type StatementBody =
  | { readonly type: "role"; readonly subject: PersonKey; readonly role: Role }
  /** Removes a person for good. */
  | { readonly type: "removal"; readonly subject: PersonKey }
  /**
   * Replaces the invitation. `commitment`: SHA-256 of its secret, so that nobody can distribute a different one.
   * `removals`: digest of all removals that its issuer knew (`removalsDigest`). `staying`: people that need neither the
   * new secret nor a ticket.
   */
  | {
      readonly type: "generation"
      readonly generation: number
      readonly commitment: string
      readonly removals: string
      readonly staying: readonly PersonKey[]
    }
  /**
   * Admits `subject` with this certificate (SHA-256, hex) while the invitation of `generation` is the present one (its
   * statement, or none). The role belongs to the person and outlives the invitation.
   */
  | {
      readonly type: "ticket"
      readonly subject: PersonKey
      readonly fingerprint: string
      readonly role: GuestRole
      readonly generation: StatementId
      readonly expiresAtMs: number
    }
  /** Sets the end of the conference, from its start (it is over now, by every clock) to the descriptor's expiry. */
  | { readonly type: "end"; readonly endsAtMs: number }

export type Statement = {
  readonly issuer: PersonKey
  /** Role statement that made the issuer a host; none for the creator. */
  readonly office: StatementId
  /** Counts from 1 in each office. Two statements of one office and number convict their issuer. */
  readonly number: number
  /** The issuer's previous statement in this office, or its last valid one of an earlier office. */
  readonly previous: StatementId
  /** The subject's last statement that the issuer knew. If this statement takes an office away, later ones are void. */
  readonly heard: StatementId
  readonly body: StatementBody
}

/** Received or issued statement. `bytes` is its wire format. */
export type SignedStatement = { readonly id: StatementId; readonly statement: Statement; readonly bytes: Uint8Array }

/** Conference id (16 bytes) and descriptor hash (32 bytes). */
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
  ticket: [
    4,
    P.struct({ subject: hash, fingerprint: hash, role: guestRole, generation: hash, expiresAtMs: timestampMs }),
  ],
  end: [5, P.struct({ endsAtMs: timestampMs })],
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
  office: hash,
  number: P.U32BE,
  previous: hash,
  heard: hash,
  body,
})
const signed = P.struct({ signature: P.bytes(64), content: P.bytes(null) })

/** Largest statement with its signature. */
export const STATEMENT_BYTES_MAX = 64 + 1 + 64 + 4 + 64 + 1 + 4 + 64 + 2 + STAYING_MAX * 32

export async function signStatement(
  signer: Signer,
  scope: StatementScope,
  statement: Statement,
): Promise<SignedStatement> {
  const content = fields.encode(statement)
  const bytes = signed.encode({ signature: await signer.sign(signingBytes(scope, content)), content })
  return { id: bytesToHex(sha256(content)), statement, bytes }
}

/** Decodes one statement; null unless it is well-formed. It does not check the signature. */
export function decodeStatement(bytes: Uint8Array): SignedStatement | null {
  if (bytes.length > STATEMENT_BYTES_MAX) return null
  const outer = decodeOrNull(signed, bytes)
  const decoded = outer && decodeOrNull(fields, outer.content)
  if (!decoded) return null
  const statement = decoded as Statement
  const chained = statement.number === 1 || (statement.number > 1 && statement.previous !== NO_STATEMENT)
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

/** Digest of the set of removed people, independent of their order. */
export function removalsDigest(removed: Iterable<PersonKey>): string {
  return digestOf("keymoot v1 removals", [...removed])
}

/** Digest of a set of statements, independent of their order. 64 hex digits. */
export function digestOf(domain: string, ids: readonly string[]): string {
  const sorted = ids.toSorted().map((id) => hash.encode(id))
  return bytesToHex(sha256(domainSeparated(domain, concatBytes(...sorted))))
}

/** Commitment of a generation to its invitation's secret. */
export function commitmentOf(secret: Uint8Array, { descriptorHash }: StatementScope): string {
  return bytesToHex(sha256(domainSeparated("keymoot v1 invitation commitment", descriptorHash, secret)))
}

function signingBytes({ conferenceId, descriptorHash }: StatementScope, content: Uint8Array): Uint8Array {
  return domainSeparated("keymoot v1 statement", conferenceId, descriptorHash, content)
}
