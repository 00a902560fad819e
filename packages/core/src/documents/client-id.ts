import type { MemberId } from "@keymoot/transport"
import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { digest as sha256 } from "lib0/hash/sha256"
import { domainSeparated } from "../wire/index.ts"

/** A member in one incarnation, as the view names it. */
export type DocumentPeer = {
  readonly id: MemberId
  readonly incarnation: number
  /** Whether its changes are accepted: it is no viewer. */
  readonly writes: boolean
}

export type DocumentScope = { readonly conferenceId: string; readonly document: string }

/** High word of a client id: Yjs encodes integers below 2 ** 53. */
const HIGH_MASK = 2 ** 21 - 1

/**
 * Yjs client id under which a member writes into a document: a hash of conference, document, member and incarnation,
 * truncated to 53 bits. Each receiver computes it from the view, so it is neither announced nor claimed. A reloaded
 * page has another incarnation and client id, so one id never has two histories.
 *
 * The page computes it with the hash of Yjs's own library, its only cryptography.
 *
 * To write as a present member, an attacker needs an identity with an equal hash. That is a second preimage of 53 bits
 * for this conference, document and incarnation.
 */
export function documentClient(
  { conferenceId, document }: DocumentScope,
  { id, incarnation }: Pick<DocumentPeer, "id" | "incarnation">,
): number {
  const numbers = new DataView(new ArrayBuffer(8))
  numbers.setBigUint64(0, BigInt(incarnation))
  const parts = [hexToBytes(conferenceId), hexToBytes(id), new Uint8Array(numbers.buffer), utf8ToBytes(document)]
  const digest = sha256(domainSeparated("keymoot v1 document client", ...parts))
  const words = new DataView(digest.buffer, digest.byteOffset)
  return (words.getUint32(0) & HIGH_MASK) * 2 ** 32 + words.getUint32(4)
}
