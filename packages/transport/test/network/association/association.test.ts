import { chacha20poly1305 } from "@noble/ciphers/chacha.js"
import { ed25519, x25519 } from "@noble/curves/ed25519.js"
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes } from "@noble/hashes/utils.js"
import { describe, expect, test } from "vitest"
import {
  Association,
  type AssociationConfig,
  type AssociationInput,
  type AssociationOutput,
} from "../../../src/network/association/association.ts"
import { scoped } from "../../../src/network/shared/scope.ts"
import { associationKeys, transcriptHash } from "../../../src/network/association/transcript.ts"
import { Random } from "../../../src/testing/random/random.ts"
import { PROTOCOL } from "../../../src/network/shared/protocol.ts"
import { ends, keysOf, reasonOf, reasons, shake, type End, type Ends, type Wire } from "./handshake.ts"
import { conferenceId, descriptorHash, TestIdentity } from "../member.ts"

/** `npm run test:all` changes each byte. An odd number, so that each bit is changed in turn. */
const BYTES_APART = process.env["RUNS"] === "full" ? 1 : 5

describe("an association", () => {
  test("gives both ends keys that fit, one per direction", () => {
    const { initiator, responder } = shake(ends())
    const [low, high] = [keysOf(initiator), keysOf(responder)]
    expect(high.opener.open(low.sealer.seal(Uint8Array.of(1, 2)))).toEqual(Uint8Array.of(1, 2))
    expect(low.opener.open(high.sealer.seal(Uint8Array.of(3)))).toEqual(Uint8Array.of(3))
    expect(high.opener.open(high.sealer.seal(Uint8Array.of(4)))).toHaveProperty("refused")
  })

  test("overwrites the ephemeral secrets", () => {
    const { initiator, responder } = shake(ends())
    for (const { config } of [initiator, responder]) expect(config.ephemeralSecret).toEqual(new Uint8Array(32))
  })

  const differing: [string, { initiator?: Partial<AssociationConfig> }, string][] = [
    ["the server has put itself between two DTLS sessions", fingerprint("cc".repeat(32)), "transcript-mismatch"],
    ["the other is in another conference", scope({ conferenceId: new Uint8Array(16) }), "transcript-mismatch"],
    ["the other has another descriptor", scope({ descriptorHash: new Uint8Array(32) }), "transcript-mismatch"],
    ["the other answers another attempt", { initiator: { attempt: 2 } }, "transcript-mismatch"],
    ["the other does not hold the invitation", { initiator: { keys: [new Uint8Array(32)] } }, "invitation-mismatch"],
    ["the other takes the link for a relay", { initiator: { linkType: "relay" } }, "other-link-type"],
    ["the other plays the same role", { initiator: { role: "responder" } }, "same-role"],
  ]
  test.each(differing)("is refused when %s", (_, overrides, reason) => {
    expect(reasons(shake(ends(overrides)))).toEqual([reason, reason])
  })
  function fingerprint(remote: string) {
    const { peer } = ends().initiator.config
    return { initiator: { peer: { ...peer, fingerprint: remote } } }
  }
  function scope(other: Partial<AssociationConfig["scope"]>) {
    return { initiator: { scope: { conferenceId, descriptorHash, ...other } } }
  }

  test("is refused with the stale incarnation of a member", () => {
    const { peer } = ends().initiator.config
    expect(reasons(shake(ends({ initiator: { peer: { ...peer, incarnation: 2 } } })))[0]).toBe("transcript-mismatch")
  })

  test("is refused when one's own ephemeral comes back, its role turned round", () => {
    const pair = ends()
    const mirrored = shake(pair, (from) => (from === "initiator" ? [] : [turned(pair.initiator.association.start())]))
    expect(reasonOf(mirrored.initiator)).toBe("own-ephemeral")
    function turned(open: Uint8Array) {
      const copy = open.slice()
      copy[4] = copy[4] === 1 ? 2 : 1
      return copy
    }
  })

  test("is refused when every message of one's own comes back", () => {
    const pair = ends()
    shake(pair, (from, bytes) => [from === "responder" ? pair.initiator.association.start() : bytes])
    expect(reasonOf(pair.initiator)).toBe("own-ephemeral")
  })

  test("is refused when one's own proof comes back", () => {
    const { initiator, responder } = ends()
    const tell = (bytes: Uint8Array) => initiator.association.step({ type: "message", bytes })
    const [asked] = tell(responder.association.start())
    if (asked?.type !== "sign") throw new Error("no signature was asked for")
    const signature = ed25519.sign(asked.bytes, initiator.identity.secretKey)
    const [proof] = initiator.association.step({ type: "signed", signature })
    if (proof?.type !== "send") throw new Error("nothing was sent")
    expect(tell(proof.bytes)).toEqual([{ type: "refused", reason: "transcript-mismatch" }])
  })

  test("is refused when what the other said in an earlier handshake is said again", () => {
    const earlier: Uint8Array[] = []
    const record: Wire = (from, bytes) => {
      if (from === "responder") earlier.push(bytes)
      return [bytes]
    }
    expect(reasons(shake(ends(), record))).toEqual(["established", "established"])
    const [open, proof, confirmation] = earlier as [Uint8Array, Uint8Array, Uint8Array]
    const again = (...said: readonly Uint8Array[]): string | undefined => {
      const fresh = { ephemeralSecret: new Uint8Array(32).fill(8), nonce: new Uint8Array(32).fill(9) }
      const { initiator } = ends({ initiator: fresh })
      initiator.association.start()
      const outputs = said.flatMap((bytes) => initiator.association.step({ type: "message", bytes }))
      return reasonOf({ ...initiator, outcome: outputs.at(-1) ?? null })
    }
    expect(again(open, proof)).toBe("transcript-mismatch")
    // Nor does it help to leave something out, or to say it in another order.
    expect(again(proof, open)).toBe("unexpected-message")
    expect(again(open, confirmation)).toBe("unexpected-message")
    expect(again(open, open)).toBe("unexpected-message")
  })

  test.each([
    ["zero", new Uint8Array(32)],
    ["one", Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? 1 : 0))],
  ])("is refused when the shared secret is made zero by the point %s", (_, point) => {
    const pair = shake(ends(), (from, bytes, index) => {
      if (from !== "responder" || index > 1) return [bytes]
      return [Uint8Array.from([...bytes.subarray(0, 6), ...point, ...bytes.subarray(38)])]
    })
    expect(reasonOf(pair.initiator)).toBe("zero-secret")
  })

  test("is refused when the version is another, older or newer", () => {
    for (const version of [0, 2, 255]) {
      const pair = shake(ends(), (_, bytes, index) => {
        const copy = bytes.slice()
        if (index <= 1) copy[2] = version
        return [copy]
      })
      expect(reasons(pair)).toEqual(["version", "version"])
    }
  })

  test("is refused when a feature is taken out of an opening, or put in", () => {
    const protocol = { major: 1, features: [7] }
    const named = (features: readonly number[]): Uint8Array =>
      Uint8Array.from([0, 1, features.length, ...features.flatMap((feature) => [feature >> 8, feature & 255])])
    for (const changed of [[], [7, 9]]) {
      const pair = shake(ends({ initiator: { protocol }, responder: { protocol } }), (_, bytes, index) => {
        if (index > 1) return [bytes]
        expect(bytes.subarray(1, 6)).toEqual(named([7]))
        return [Uint8Array.from([bytes[0]!, ...named(changed), ...bytes.subarray(6)])]
      })
      expect(reasons(pair)).toEqual(["transcript-mismatch", "transcript-mismatch"])
    }
  })

  test("is refused when the other is not the member signalled, though a member", () => {
    const other = new TestIdentity(new Random(9))
    expect(answerToProof(ends(), other.certificate, other.secretKey)).toBe("wrong-peer")
  })

  test("is refused when one's own certificate comes back, even under the right keys", () => {
    const pair = ends()
    const { certificate, secretKey } = pair.initiator.identity
    expect(answerToProof(pair, certificate, secretKey)).toBe("own-certificate")
  })

  test("is refused when the right certificate comes without its key", () => {
    const pair = ends()
    const thief = new TestIdentity(new Random(11))
    expect(answerToProof(pair, pair.responder.identity.certificate, thief.secretKey)).toBe("bad-signature")
  })

  /** The responder has everything of an initiator that is already sure of it, and its own verdict is outstanding. */
  function overtaken(): { responder: Association; frames: (count: number) => Uint8Array[] } {
    const { initiator, responder } = ends()
    const signedBy = (end: End, [asked]: readonly AssociationOutput[]): Uint8Array => {
      if (asked?.type !== "sign") throw new Error("no signature was asked for")
      const signature = ed25519.sign(asked.bytes, end.identity.secretKey)
      return sentIn(end.association.step({ type: "signed", signature }))
    }
    const tell = (end: End, bytes: Uint8Array) => end.association.step({ type: "message", bytes })
    const opens = [initiator.association.start(), responder.association.start()] as const
    const proofOfInitiator = signedBy(initiator, tell(initiator, opens[1]))
    const proofOfResponder = signedBy(responder, tell(responder, opens[0]))
    tell(initiator, proofOfResponder)
    const sure = initiator.association.step({ type: "verified", ok: true })
    const proved = sure.find(({ type }) => type === "proved")
    if (proved?.type !== "proved") throw new Error("not proved")
    tell(responder, proofOfInitiator)
    expect(tell(responder, sentIn(sure))).toEqual([])
    const frames = (count: number) => Array.from({ length: count }, (_, i) => proved.hop.sealer.seal(Uint8Array.of(i)))
    return { responder: responder.association, frames }
  }
  function sentIn(outputs: readonly AssociationOutput[]): Uint8Array {
    const sent = outputs.find(({ type }) => type === "send")
    if (sent?.type !== "send") throw new Error("nothing was sent")
    return sent.bytes
  }

  test("buffers frames behind the other's confirmation until the other is verified", () => {
    const { responder, frames } = overtaken()
    const early = frames(8)
    for (const bytes of early) expect(responder.step({ type: "message", bytes })).toEqual([])
    const outputs = responder.step({ type: "verified", ok: true })
    expect(outputs.map(({ type }) => type)).toEqual(["send", "proved", "established"])
    expect(outputs.at(-1)).toEqual({ type: "established", early })
  })

  test("drops early frames if the other is the wrong one, and ends on too many of them", () => {
    const forged = overtaken()
    for (const bytes of forged.frames(2)) forged.responder.step({ type: "message", bytes })
    const refused = [{ type: "refused", reason: "bad-signature" }]
    expect(forged.responder.step({ type: "verified", ok: false })).toEqual(refused)

    const flooded = overtaken()
    const answers = flooded.frames(9).map((bytes) => flooded.responder.step({ type: "message", bytes }))
    expect(answers.at(-1)).toEqual([{ type: "refused", reason: "unexpected-message" }])
  })

  test("ends at once with what does not belong to the handshake", () => {
    for (const bytes of [new Uint8Array(), Uint8Array.of(2), Uint8Array.of(3), Uint8Array.of(9, 9)]) {
      const { association } = ends().initiator
      expect(association.step({ type: "message", bytes })).toEqual([{ type: "refused", reason: "unexpected-message" }])
      expect(association.step({ type: "message", bytes })).toEqual([])
    }
  })

  test("never throws nor completes when a message is cut or any byte is changed", () => {
    // The responder's inputs in an honest run, and its requests to its signer, in order.
    const told: AssociationInput[] = []
    const step = Association.prototype.step
    const watched = ends()
    watched.responder.association.step = function (this: Association, input) {
      told.push(input)
      return step.call(this, input)
    }
    expect(reasons(shake(watched))).toEqual(["established", "established"])

    const outcomeOf = (inputs: readonly AssociationInput[]): string[] => {
      const { association } = ends().responder
      association.start()
      const outputs: AssociationOutput[] = []
      for (const input of inputs)
        if (input.type === "message" || asked(outputs, input.type)) outputs.push(...association.step(input))
      return outputs.map(({ type }) => type)
    }
    expect(outcomeOf(told)).toContain("established")
    for (const [index, input] of told.entries()) {
      if (input.type !== "message") continue
      for (let position = 0; position < input.bytes.length; position += BYTES_APART) {
        const changed = input.bytes.slice()
        changed[position]! ^= 1 << (position % 8)
        for (const bytes of [changed, input.bytes.slice(0, position)]) {
          expect(outcomeOf(told.with(index, { type: "message", bytes }))).not.toContain("established")
        }
      }
    }
  })
})

/** Whether a signature or a verdict has been asked for and not been given yet. */
function asked(outputs: readonly AssociationOutput[], answer: "signed" | "verified"): boolean {
  return outputs.some(({ type }) => type === (answer === "signed" ? "sign" : "verify"))
}

/** The initiator's answer to a responder that holds every key, but shows `certificate` and signs with `secretKey`. */
function answerToProof(pair: Ends, certificate: Uint8Array, secretKey: Uint8Array): string | undefined {
  const { initiator, responder } = pair
  const { scope, linkType, attempt, own, peer, ephemeralSecret, nonce, keys } = responder.config
  const theirs = initiator.association.start()
  const opening = { protocol: PROTOCOL, ephemeral: x25519.getPublicKey(ephemeralSecret), nonce }
  const hash = transcriptHash({
    scope,
    linkType,
    attempt,
    initiator: { ...peer, protocol: PROTOCOL, ephemeral: theirs.slice(6, 38), nonce: theirs.slice(38) },
    responder: { ...own, ...opening },
    encapsulationKey: new Uint8Array(0),
  })
  const derived = associationKeys(x25519.getSharedSecret(ephemeralSecret, theirs.slice(6, 38)), hash)
  const mac = hmac(sha256, keys[0]!, scoped("association mac responder", scope, hash))
  const signature = ed25519.sign(scoped("association responder", scope, hash), secretKey)
  const proof = concatBytes(
    Uint8Array.of(certificate.length >> 8, certificate.length & 255),
    certificate,
    Uint8Array.of(1),
    mac,
    signature,
  )
  const sealed = chacha20poly1305(derived.proof.responder, new Uint8Array(12), hash).encrypt(proof)

  const tell = (bytes: Uint8Array) => initiator.association.step({ type: "message", bytes })
  tell(responder.association.start())
  let last = tell(concatBytes(Uint8Array.of(2), sealed)).at(-1)
  if (last?.type === "verify") {
    const ok = ed25519.verify(last.signature, last.bytes, responder.identity.credential.publicKey)
    last = initiator.association.step({ type: "verified", ok }).at(-1)
  }
  return last?.type === "refused" ? last.reason : last?.type
}
