import type { MemberId } from "../../members/ids.ts"

const NO_SIGNATURE = new Uint8Array(64)

/** Signs as the conference does, or not at all. */
export interface SimulatedSigner {
  /** 64 bytes. */
  sign(member: MemberId, bytes: Uint8Array): Uint8Array
  verify(member: MemberId, bytes: Uint8Array, signature: Uint8Array): boolean
}

export const unsigned: SimulatedSigner = { sign: () => NO_SIGNATURE, verify: () => true }
