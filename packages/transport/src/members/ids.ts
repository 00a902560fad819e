import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"

/**
 * First 16 bytes of SHA-256 over a member's certificate (DER), as 32 lower-case hex digits. Compares as its bytes do.
 */
export type MemberId = string & { readonly __brand: "MemberId" }

export const MEMBER_ID_BYTES = 16

/** `bytes` must be 16 bytes long. */
export function memberIdFromBytes(bytes: Uint8Array): MemberId {
  if (bytes.length !== MEMBER_ID_BYTES) throw new RangeError(`a member id has ${MEMBER_ID_BYTES} bytes`)
  return bytesToHex(bytes) as MemberId
}

export function memberIdToBytes(id: MemberId): Uint8Array {
  return hexToBytes(id)
}
