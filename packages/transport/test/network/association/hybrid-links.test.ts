/** Hybrid handshakes against a server that repeats or exchanges parts, and in a whole mesh. */
import { concatBytes } from "@noble/hashes/utils.js"
import { describe, expect, test } from "vitest"
import { REKEY_MS } from "../../../src/bounds/network-bounds.ts"
import { KEM_CIPHERTEXT_BYTES, KEM_KEY_BYTES } from "../../../src/network/shared/kem.ts"
import { Random } from "../../../src/testing/random/random.ts"
import { TestConference } from "../conference.ts"
import { ends, reasonOf, reasons, shake } from "./handshake.ts"
import { testKem as kem } from "./test-kem.ts"

const OPEN = 1
const PROOF = 2
const hybrid = (seed: number) => ({ hybrid: { kem, seed: new Random(seed).bytes(64) } })
const hybridEnds = (responder = {}) => ends({ initiator: hybrid(1), responder: { ...hybrid(2), ...responder } })

describe("a hybrid association", () => {
  test("is refused when the server puts its key in, and seals again for the right one", () => {
    const server = kem.keyPair(new Random(99).bytes(64))
    let key = new Uint8Array()
    const swapped = shake(hybridEnds(), (from, bytes) => {
      if (from === "initiator" && bytes[0] === OPEN) {
        key = bytes.slice(-KEM_KEY_BYTES)
        return [concatBytes(bytes.subarray(0, -KEM_KEY_BYTES), server.publicKey)]
      }
      if (from === "initiator" || bytes[0] !== PROOF) return [bytes]
      const { ciphertext } = kem.encapsulate(key, new Random(5).bytes(32))!
      return [concatBytes(bytes.subarray(0, 1), ciphertext, bytes.subarray(1 + KEM_CIPHERTEXT_BYTES))]
    })
    expect(reasons(swapped)).toEqual(["transcript-mismatch", "transcript-mismatch"])
  })

  test("is refused when what the initiator said in an earlier handshake is repeated", () => {
    const earlier: Uint8Array[] = []
    shake(hybridEnds(), (from, bytes) => {
      if (from === "initiator") earlier.push(bytes)
      return [bytes]
    })
    const fresh = { ephemeralSecret: new Uint8Array(32).fill(8), nonce: new Uint8Array(32).fill(9), ...hybrid(7) }
    const replayed = shake(hybridEnds(fresh), (from, bytes) => [from === "initiator" ? earlier.shift()! : bytes])
    expect(reasonOf(replayed.responder)).toBe("transcript-mismatch")
  })
})

describe("members of a hybrid conference", () => {
  async function meeting(lowIsHybrid: boolean, highIsHybrid: boolean, isCut = false) {
    const conference = new TestConference(2)
    if (isCut) conference.network.cutDirect("low", "high")
    const low = conference.join("low", conference.identity(0), lowIsHybrid ? { kem } : {})
    const high = conference.join("high", conference.identity(1), highIsHybrid ? { kem } : {})
    await conference.pass(2_000)
    return { conference, low, high }
  }

  test.each([false, true])("have links, which stay hybrid under new keys (relayed: %s)", async (isCut) => {
    const { conference, low, high } = await meeting(true, true, isCut)
    expect([low.links, high.links]).toEqual([[high.member], [low.member]])
    let long = 0
    conference.network.onDelivery = (_, event) => {
      if (event.type === "peer-frames") long += event.frames.filter((each) => each.length > KEM_CIPHERTEXT_BYTES).length
      return [event]
    }
    await conference.skip(REKEY_MS)
    await conference.pass(1_000)
    // The offer with a key and the answer with a ciphertext.
    expect(long).toBeGreaterThanOrEqual(2)
    expect([...low.securityCodes, ...high.securityCodes]).toEqual([])
  })

  test("have none with a member that is not hybrid, and report why", async () => {
    const classicalFirst = await meeting(false, true)
    expect([classicalFirst.low.links, classicalFirst.high.links]).toEqual([[], []])
    expect(classicalFirst.high.securityCodes).toContain("bad-association: no-encapsulation-key")
    const hybridFirst = await meeting(true, false)
    expect([hybridFirst.low.links, hybridFirst.high.links]).toEqual([[], []])
    expect(hybridFirst.high.securityCodes).toContain("bad-association: unexpected-encapsulation-key")
  })
})
