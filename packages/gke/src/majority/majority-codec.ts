/** The wire format of majority, version 1: what members sign, and what they agree on. */
import * as P from "micro-packed"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { attempt, versioned } from "../shared/coders.ts"
import { type ConsensusMessage, consensusMessageCoder } from "../consensus/messages.ts"
import type { PrimeOrderGroup } from "../group/prime-order-group.ts"
import { AEAD_TAG_BYTES } from "../hpke/hpke.ts"
import { X25519_BYTES } from "../hpke/x25519.ts"
import { MEMBERS_MAX } from "../shared/limits.ts"
import { MEMBER_ID_BYTES, type MemberId, memberIdFromBytes, memberIdToBytes } from "../shared/member-id.ts"

const SID_BYTES = 32
/** Ed25519. */
export const SIGNATURE_BYTES = 64

const SIGNED = utf8ToBytes("keymoot v1 majority statement")

/**
 * The bytes that a member signs for a statement of `createMajorityAgreement`: a tag that is unique to these signatures,
 * and the statement.
 */
export function majoritySigningInput(statement: Uint8Array): Uint8Array {
  return concatBytes(SIGNED, statement)
}

/** C = g^y and the HPKE key PK, and the owner's signature over the statement that offers them: what members hand on. */
export type Offer = { readonly share: Uint8Array; readonly key: Uint8Array; readonly signature: Uint8Array }

/** A contribution sealed to `recipientKey`. */
export type SealedShare = {
  readonly recipientKey: Uint8Array
  readonly enc: Uint8Array
  readonly ciphertext: Uint8Array
}

/**
 * - `offer`: multicast at the start. `return`: instead, by a member that may have offered before and lost its state.
 * - `introduction`: the sender's offer, to one that was out of reach.
 * - `contribution`: the sender's offer, and its y sealed.
 * - `handover`: the y of `owner` (an index into the roster), sealed by a member that has finished.
 */
export type Payload =
  | { readonly kind: "offer"; readonly share: Uint8Array; readonly key: Uint8Array }
  | { readonly kind: "return"; readonly key: Uint8Array }
  | { readonly kind: "introduction"; readonly offer: Offer }
  | { readonly kind: "contribution"; readonly offer: Offer; readonly sealed: SealedShare }
  | { readonly kind: "handover"; readonly owner: number; readonly sealed: SealedShare }
  | { readonly kind: "consensus"; readonly message: ConsensusMessage }

/** `to`: null for all. */
export type Statement = {
  readonly sid: Uint8Array
  readonly from: MemberId
  readonly to: MemberId | null
  readonly payload: Payload
}

/**
 * The value that consensus decides: the owners (indices into the roster, ascending), their offers, and d_j = y_j -
 * y_{j+1}.
 */
export type Proposal = {
  readonly owners: { readonly owner: number; readonly offer: Offer }[]
  readonly differences: Uint8Array[]
}

/** Decoders give null for bytes that are not the canonical encoding of a value. */
export type MajorityCodec = {
  encodeStatement(statement: Statement): Uint8Array
  /** A statement with its signature behind it, as the caller passes messages in. */
  decodeSigned(bytes: Uint8Array): { readonly statement: Statement; readonly signature: Uint8Array } | null
  encodeProposal(proposal: Proposal): Uint8Array
  decodeProposal(bytes: Uint8Array): Proposal | null
}

export function createMajorityCodec(group: PrimeOrderGroup): MajorityCodec {
  const statement = versioned(statementCoder(group))
  const proposal = versioned(proposalCoder(group))
  return {
    encodeStatement: (value) => statement.encode(value),
    decodeSigned(bytes) {
      const length = bytes.length - SIGNATURE_BYTES
      const decoded = length > 0 ? attempt(statement, bytes.subarray(0, length)) : null
      return decoded && { statement: decoded, signature: bytes.slice(length) }
    },
    encodeProposal: (value) => proposal.encode(value),
    decodeProposal: (bytes) => attempt(proposal, bytes),
  }
}

const memberId: P.CoderType<MemberId> = P.wrap({
  encodeStream: (writer, id: MemberId) => writer.bytes(memberIdToBytes(id)),
  decodeStream: (reader) => memberIdFromBytes(reader.bytes(MEMBER_ID_BYTES)),
})

function statementCoder(group: PrimeOrderGroup): P.CoderType<Statement> {
  const wire = P.struct({
    sid: P.bytes(SID_BYTES),
    from: memberId,
    to: P.mappedTag(P.U8, { all: [0, P.bytes(0)], one: [1, memberId] }),
    payload: payloadCoder(group),
  })
  return P.wrap({
    encodeStream(writer, { sid, from, to, payload }: Statement) {
      const target = to === null ? { TAG: "all" as const, data: P.EMPTY } : { TAG: "one" as const, data: to }
      wire.encodeStream(writer, { sid, from, to: target, payload })
    },
    decodeStream(reader) {
      const { to, ...rest } = wire.decodeStream(reader)
      return { ...rest, to: to.TAG === "all" ? null : to.data }
    },
  })
}

function payloadCoder(group: PrimeOrderGroup): P.CoderType<Payload> {
  const share = P.bytes(group.elementBytes)
  const key = P.bytes(X25519_BYTES)
  const offer = offerCoder(group)
  const sealed = P.struct({
    recipientKey: key,
    enc: key,
    ciphertext: P.bytes(group.scalarBytes + AEAD_TAG_BYTES),
  })
  const tagged = P.mappedTag(P.U8, {
    offer: [0, P.struct({ share, key })],
    return: [1, P.struct({ key })],
    introduction: [2, P.struct({ offer })],
    contribution: [3, P.struct({ offer, sealed })],
    handover: [4, P.struct({ owner: P.U16BE, sealed })],
    consensus: [5, P.struct({ message: consensusMessageCoder })],
  })
  return P.wrap({
    encodeStream(writer, { kind, ...data }: Payload) {
      tagged.encodeStream(writer, { TAG: kind, data } as P.UnwrapCoder<typeof tagged>)
    },
    decodeStream(reader) {
      const { TAG, data } = tagged.decodeStream(reader)
      return { kind: TAG, ...data } as Payload
    },
  })
}

function offerCoder(group: PrimeOrderGroup) {
  return P.struct({
    share: P.bytes(group.elementBytes),
    key: P.bytes(X25519_BYTES),
    signature: P.bytes(SIGNATURE_BYTES),
  })
}

function proposalCoder(group: PrimeOrderGroup): P.CoderType<Proposal> {
  const atMost = <T>(coder: P.CoderType<T[]>, most: number): P.CoderType<T[]> =>
    P.validate(coder, (list) => {
      if (list.length > most) throw new RangeError("more than there can be members")
      return list
    })
  return P.struct({
    owners: atMost(P.array(P.U16BE, P.struct({ owner: P.U16BE, offer: offerCoder(group) })), MEMBERS_MAX),
    differences: atMost(P.array(P.U16BE, P.bytes(group.scalarBytes)), MEMBERS_MAX),
  })
}
