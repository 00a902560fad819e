import { sha256 } from "@noble/hashes/sha2.js"
import { domainSeparated } from "../wire/index.ts"

/** `conferenceId`: 16 bytes. The hash, the id and the digest have 32 bytes each. */
export type PostQuantumSidInput = {
  readonly conferenceId: Uint8Array
  readonly descriptorHash: Uint8Array
  readonly viewId: Uint8Array
  readonly statementsDigest: Uint8Array
  /** Names of the cipher of messages and of the post-quantum mode, as the descriptor has them. */
  readonly cipher: string
  readonly postQuantum: string
}

/** The session id of the post-quantum agreement of a view: 32 bytes. */
export function postQuantumSid(input: PostQuantumSidInput): Uint8Array {
  const { conferenceId, descriptorHash, viewId, statementsDigest, cipher, postQuantum } = input
  const names = new TextEncoder().encode(`${cipher} ${postQuantum}`)
  const place = [conferenceId, descriptorHash, viewId, statementsDigest, names]
  return sha256(domainSeparated("keymoot v1 post-quantum sid", ...place))
}

/** The proofs of the key are about both transcripts, so members that saw different messages notice. 32 bytes. */
export function hybridTranscript(classical: Uint8Array, postQuantum: Uint8Array): Uint8Array {
  return sha256(domainSeparated("keymoot v1 hybrid transcript", classical, postQuantum))
}
