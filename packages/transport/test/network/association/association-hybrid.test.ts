import { chacha20poly1305 } from "@noble/ciphers/chacha.js"
import { x25519 } from "@noble/curves/ed25519.js"
import { concatBytes } from "@noble/hashes/utils.js"
import { describe, expect, test } from "vitest"
import type { AssociationConfig } from "../../../src/network/association/association.ts"
import { createHop } from "../../../src/network/association/hop.ts"
import { KeyExchange } from "../../../src/network/association/key-exchange.ts"
import {
  associationKeys,
  hybridTranscriptHash,
  transcriptHash,
  type Role,
} from "../../../src/network/association/transcript.ts"
import { KEM_CIPHERTEXT_BYTES, KEM_KEY_BYTES } from "../../../src/network/shared/kem.ts"
import { PROTOCOL } from "../../../src/network/shared/protocol.ts"
import { Random } from "../../../src/testing/random/random.ts"
import { ends, keysOf, reasons, shake, type Ends, type Wire } from "./handshake.ts"
import { testKem } from "./test-kem.ts"

const OPEN_HEAD_BYTES = 1 + 3 + 1 + 1
const KEY_AT = OPEN_HEAD_BYTES + 64

const withKem = (seed: number): Partial<AssociationConfig> => ({
  hybrid: { kem: testKem, seed: new Random(seed).bytes(64) },
})
const hybridEnds = (): Ends => ends({ initiator: withKem(21), responder: withKem(22) })

/** Changes message `at` of one role. Each role sends its OPEN, its PROOF and its CONFIRM. */
function change(role: Role, at: number, edit: (bytes: Uint8Array) => Uint8Array): Wire {
  const sent: Record<Role, number> = { initiator: 0, responder: 0 }
  return (from, bytes) => [sent[from]++ === at && from === role ? edit(bytes.slice()) : bytes]
}
const flipped = (at: number) => (bytes: Uint8Array) => {
  bytes[at]! ^= 1
  return bytes
}

describe("a hybrid association", () => {
  test("gives both ends keys that fit, and overwrites the secrets", () => {
    const { initiator, responder } = shake(hybridEnds())
    const [low, high] = [keysOf(initiator), keysOf(responder)]
    expect(high.opener.open(low.sealer.seal(Uint8Array.of(1, 2)))).toEqual(Uint8Array.of(1, 2))
    expect(low.opener.open(high.sealer.seal(Uint8Array.of(3)))).toEqual(Uint8Array.of(3))
    for (const { config } of [initiator, responder]) {
      expect(config.ephemeralSecret).toEqual(new Uint8Array(32))
      expect(config.hybrid!.seed).toEqual(new Uint8Array(64))
    }
  })

  test.each<[string, Wire, readonly (string | undefined)[]]>([
    [
      "strips the key",
      change("initiator", 0, (bytes) => bytes.subarray(0, KEY_AT)),
      [undefined, "no-encapsulation-key"],
    ],
    ["cuts the key", change("initiator", 0, (bytes) => bytes.subarray(0, -1)), [undefined, "no-encapsulation-key"]],
    [
      "adds bytes to the key",
      change("initiator", 0, (bytes) => concatBytes(bytes, Uint8Array.of(0))),
      [undefined, "unexpected-encapsulation-key"],
    ],
    [
      "gives the responder a key",
      change("responder", 0, (bytes) => concatBytes(bytes, testKem.keyPair(new Uint8Array(64)).publicKey)),
      ["unexpected-encapsulation-key", undefined],
    ],
    [
      "replaces the key by one out of range",
      change("initiator", 0, (bytes) => bytes.fill(0xff, KEY_AT, KEY_AT + 3)),
      [undefined, "bad-encapsulation-key"],
    ],
    [
      "replaces the key by its own",
      change("initiator", 0, (bytes) => {
        bytes.set(testKem.keyPair(new Uint8Array(64)).publicKey, KEY_AT)
        return bytes
      }),
      ["transcript-mismatch", "transcript-mismatch"],
    ],
    ["changes the ciphertext", change("responder", 1, flipped(1)), ["transcript-mismatch", "proved"]],
    [
      "strips the ciphertext",
      change("responder", 1, (bytes) => concatBytes(bytes.subarray(0, 1), bytes.subarray(1 + KEM_CIPHERTEXT_BYTES))),
      ["bad-ciphertext", "proved"],
    ],
  ])("is never established when an attacker on the path %s", (_, wire, expected) => {
    // An end that still waits for the other one has no outcome yet.
    expect(reasons(shake(hybridEnds(), wire))).toEqual(expected)
  })

  test("is refused when one end is not hybrid", () => {
    expect(reasons(shake(ends({ responder: withKem(22) })))[1]).toBe("no-encapsulation-key")
    expect(reasons(shake(ends({ initiator: withKem(21) })))[1]).toBe("unexpected-encapsulation-key")
  })

  /** The frames and OPENs that somebody has recorded, and the secrets that a later break of one part gives. */
  function recorded() {
    const pair = hybridEnds()
    const classical = { ephemeral: pair.initiator.config.ephemeralSecret.slice() }
    const seed = pair.initiator.config.hybrid!.seed.slice()
    const messages: Record<Role, Uint8Array[]> = { initiator: [], responder: [] }
    shake(pair, (from, bytes) => {
      messages[from].push(bytes.slice())
      return [bytes]
    })
    const frame = keysOf(pair.initiator).sealer.seal(Uint8Array.of(42)).slice()
    return { pair, classical, seed, messages, frame }
  }

  /** The hop keys that follow from the secret of the key exchange and what was recorded. */
  function opens({ pair, messages, frame }: ReturnType<typeof recorded>, secret: Uint8Array): boolean {
    const { scope, linkType, attempt, own, peer, protocol } = pair.initiator.config
    const [low, high] = [messages.initiator[0]!, messages.responder[0]!]
    const opening = (bytes: Uint8Array) => ({ protocol, ephemeral: bytes.slice(6, 38), nonce: bytes.slice(38, 70) })
    const hash = transcriptHash({
      scope,
      linkType,
      attempt,
      initiator: { ...own, ...opening(low) },
      responder: { ...peer, ...opening(high) },
      encapsulationKey: low.slice(KEY_AT),
    })
    const full = hybridTranscriptHash(scope, hash, messages.responder[1]!.slice(1, 1 + KEM_CIPHERTEXT_BYTES))
    const { opener } = createHop(associationKeys(secret, full).hop, "responder")
    opener.open(messages.initiator[2]!)
    return opener.open(frame) instanceof Uint8Array
  }

  test("stays closed to a recorder who breaks X25519 later, or ML-KEM, but not both", () => {
    const record = recorded()
    const theirs = record.messages.responder[0]!.slice(6, 38)
    const shared = x25519.getSharedSecret(record.classical.ephemeral, theirs)
    const { secretKey } = testKem.keyPair(record.seed)
    const kem = testKem.decapsulate(secretKey, record.messages.responder[1]!.slice(1, 1 + KEM_CIPHERTEXT_BYTES))!
    expect(opens(record, concatBytes(kem, shared))).toBe(true)
    for (const known of [shared, concatBytes(new Uint8Array(32), shared), kem, concatBytes(kem, new Uint8Array(32))])
      expect(opens(record, known)).toBe(false)
  })

  test("shows the certificate of the initiator alone to somebody who breaks X25519", () => {
    const { pair, classical, messages } = recorded()
    const shared = x25519.getSharedSecret(classical.ephemeral, messages.responder[0]!.slice(6, 38))
    const { scope, linkType, attempt, own, peer } = pair.initiator.config
    const opening = (bytes: Uint8Array) => ({
      protocol: PROTOCOL,
      ephemeral: bytes.slice(6, 38),
      nonce: bytes.slice(38, 70),
    })
    const hash = transcriptHash({
      scope,
      linkType,
      attempt,
      initiator: { ...own, ...opening(messages.initiator[0]!) },
      responder: { ...peer, ...opening(messages.responder[0]!) },
      encapsulationKey: messages.initiator[0]!.slice(KEY_AT),
    })
    const { proof } = associationKeys(shared, hash)
    const open = (role: Role, at: number) =>
      chacha20poly1305(proof[role], new Uint8Array(12), hash).decrypt(messages[role][1]!.subarray(at))
    expect(open("initiator", 1).length).toBeGreaterThan(0)
    expect(() => open("responder", 1 + KEM_CIPHERTEXT_BYTES)).toThrow()
  })
})

test("a key exchange that is not complete gives no secret", () => {
  const random = new Random(3)
  const of = (role: Role) =>
    new KeyExchange({
      role,
      ephemeralSecret: random.bytes(32),
      hybrid: { kem: testKem, seed: random.bytes(64) },
    })
  const [initiator, responder] = [of("initiator"), of("responder")]
  expect(initiator.encapsulationKey).toHaveLength(KEM_KEY_BYTES)
  expect(() => initiator.takeSecret()).toThrow("not complete")
  expect(initiator.receive(responder.ephemeral, new Uint8Array(0))).toBeNull()
  expect(() => initiator.takeSecret()).toThrow("not complete")
})
