import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"

/** 16 bytes as 32 lower-case hex digits; compares like its bytes. This package does not care what they name. */
export type MemberId = string & { readonly __brand: "MemberId" }

/** One attempt at a view: the epoch it would install and the member that coordinates it. */
export type ProposalId = { readonly epoch: number; readonly coordinator: MemberId }

export const MEMBER_ID_BYTES = 16

export function memberIdToBytes(id: MemberId): Uint8Array {
  return hexToBytes(id)
}

/** `bytes` must be 16 bytes long. */
export function memberIdFromBytes(bytes: Uint8Array): MemberId {
  if (bytes.length !== MEMBER_ID_BYTES) throw new RangeError(`a member id has ${MEMBER_ID_BYTES} bytes`)
  return bytesToHex(bytes) as MemberId
}

/** Orders member ids as their bytes; for `Array.prototype.sort`. */
export function compareMembers(a: MemberId, b: MemberId): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
