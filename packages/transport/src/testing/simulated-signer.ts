import type { MemberId } from "../ids.ts"

const NO_SIGNATURE = new Uint8Array(64)

/** Signatures as the conference has them, or none. */
export interface SimulatedSigner {
  /** 64 bytes. */
  sign(member: MemberId, bytes: Uint8Array): Uint8Array
  verify(member: MemberId, bytes: Uint8Array, signature: Uint8Array): boolean
}

export const unsigned: SimulatedSigner = { sign: () => NO_SIGNATURE, verify: () => true }
