import { bytesToHex } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import { hybridTranscript, postQuantumSid } from "../../src/secure-group/hybrid-keys.ts"

const filled = (value: number, length = 32): Uint8Array => new Uint8Array(length).fill(value)

test("gives another post-quantum sid when any input differs", () => {
  const input = {
    conferenceId: filled(1, 16),
    descriptorHash: filled(2),
    viewId: filled(3),
    statementsDigest: filled(4),
    cipher: "aes-256-gcm",
    postQuantum: "hybrid",
  }
  const variants: Partial<typeof input>[] = [
    { conferenceId: filled(9, 16) },
    { descriptorHash: filled(9) },
    { viewId: filled(9) },
    { statementsDigest: filled(9) },
    { cipher: "another" },
    { postQuantum: "off" },
  ]
  const sids = [input, ...variants.map((variant) => ({ ...input, ...variant }))].map(postQuantumSid).map(bytesToHex)
  expect(new Set(sids).size).toBe(sids.length)
})

test("gives another transcript when either agreement's differs", () => {
  const transcripts = [
    hybridTranscript(filled(1), filled(2)),
    hybridTranscript(filled(3), filled(2)),
    hybridTranscript(filled(1), filled(3)),
    hybridTranscript(filled(2), filled(1)),
  ]
  expect(new Set(transcripts.map(bytesToHex)).size).toBe(transcripts.length)
})
