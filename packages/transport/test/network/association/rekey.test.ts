import { x25519 } from "@noble/curves/ed25519.js"
import { concatBytes } from "@noble/hashes/utils.js"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  REKEY_APART_BYTES,
  REKEY_APART_MS,
  REKEY_BYTES,
  REKEY_MS,
  REKEY_OVERDUE_BYTES,
  REKEY_OVERLAP_MS,
} from "../../../src/bounds/network-bounds.ts"
import { packParcels, SealedChannel } from "../../../src/network/association/channel.ts"
import { encodeControl, type Control } from "../../../src/network/messages/control.ts"
import { createHop } from "../../../src/network/association/hop.ts"
import { Rekey } from "../../../src/network/association/rekey.ts"
import { associationKeys, nextHopKeys, type Role } from "../../../src/network/association/transcript.ts"
import type { Kem } from "../../../src/network/shared/kem.ts"
import { Random } from "../../../src/testing/random/random.ts"
import { testKem } from "./test-kem.ts"

const hop = (role: Role) => createHop(associationKeys(new Uint8Array(32).fill(1), new Uint8Array(32)).hop, role)
const NONE: Uint8Array = new Uint8Array(0)
const SEVENS = { bytes: (length: number) => new Uint8Array(length).fill(7) }

function channels(random = new Random(1), kem: Kem | null = null) {
  return {
    initiator: new SealedChannel(hop("initiator"), "initiator", random, 0, kem),
    responder: new SealedChannel(hop("responder"), "responder", random, 0, kem),
  }
}
type Channels = ReturnType<typeof channels>

/** Both directions in flight, delivered whenever `deliver` says so. */
class Line {
  readonly #channels: Channels
  readonly flying: Record<Role, Uint8Array[]> = { initiator: [], responder: [] }
  readonly received: Record<Role, number[]> = { initiator: [], responder: [] }
  readonly seenIds = new Set<string>()
  nowMs = 0

  constructor(both: Channels) {
    this.#channels = both
  }

  send(from: Role, number: number): void {
    this.#channels[from].queue(Uint8Array.of(number >> 8, number & 255))
    this.flush(from)
  }

  flush(from: Role): void {
    const { reliable } = this.#channels[from].flush()
    for (const frame of reliable) this.seenIds.add(`${from} ${frame.slice(1, 9).toString()}`)
    this.flying[from].push(...reliable)
  }

  deliver(from: Role, count = Infinity): void {
    const to = from === "initiator" ? "responder" : "initiator"
    for (let each = 0; each < count && this.flying[from].length > 0; each++) {
      const opened = this.#channels[to].open(this.flying[from].shift()!, this.nowMs)
      if ("refused" in opened) throw new Error(opened.refused)
      for (const { ...received } of opened)
        if (received.type === "message") this.received[to].push((received.bytes[0]! << 8) | received.bytes[1]!)
      this.flush(to)
    }
  }

  tick(nowMs: number): void {
    this.nowMs = nowMs
    for (const role of ["initiator", "responder"] as const) {
      this.#channels[role].tick(nowMs)
      this.flush(role)
    }
  }
}

describe("the keys of a link", () => {
  test.each<[string, Kem | null, number]>([
    ["classical", null, 40],
    ["hybrid", testKem, 10],
  ])("are replaced in both directions in time and without loss: %s", (_, kem, numRuns) => {
    const move = fc.record({
      what: fc.constantFrom("send", "send", "deliver", "tick"),
      role: fc.constantFrom<Role>("initiator", "responder"),
    })
    fc.assert(
      fc.property(fc.array(move, { minLength: 30, maxLength: 200 }), (moves) => {
        const line = new Line(channels(new Random(1), kem))
        const sent: Record<Role, number> = { initiator: 0, responder: 0 }
        for (const { what, role } of moves) {
          if (what === "send") line.send(role, sent[role]++)
          else if (what === "deliver") line.deliver(role, 1)
          else line.tick(line.nowMs + REKEY_MS)
        }
        const drain = () => {
          for (let round = 0; round < 10; round++)
            for (const role of ["initiator", "responder"] as const) line.deliver(role)
        }
        drain()
        line.tick(line.nowMs + REKEY_MS)
        drain()
        line.send("initiator", sent.initiator++)
        line.send("responder", sent.responder++)
        drain()
        const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)
        expect(line.received.responder).toEqual(upTo(sent.initiator))
        expect(line.received.initiator).toEqual(upTo(sent.responder))
        for (const role of ["initiator", "responder"])
          expect([...line.seenIds].filter((id) => id.startsWith(role)).length).toBeGreaterThanOrEqual(2)
      }),
      { numRuns },
    )
  })

  test("stay closed to a thief of the former keys who breaks X25519, if hybrid", () => {
    const drawn: Uint8Array[] = []
    const random = new Random(5)
    const recorded = {
      bytes: (length: number) => {
        const fresh = random.bytes(length)
        drawn.push(fresh.slice())
        return fresh
      },
    }
    const former = hop("initiator").associationId
    const initiator = new Rekey(hop("initiator"), "initiator", recorded, 0, testKem)
    const responder = new Rekey(hop("responder"), "responder", recorded, 0, testKem)
    const offer = initiator.tick(REKEY_MS) as Control & { kind: "rekeyOffer" }
    const answered = responder.handle(offer, REKEY_MS)
    if ("refused" in answered) throw new Error(answered.refused)
    const answer = answered.last as Control & { kind: "rekeyAnswer" }
    answered.switchSending()
    const frame = responder.seal(Uint8Array.of(42))

    // The seed for ML-KEM of each end comes first, then its X25519 secret.
    const [seed, ephemeralSecret] = drawn as [Uint8Array, Uint8Array]
    const classical = x25519.getSharedSecret(ephemeralSecret, answer.ephemeral)
    const kem = testKem.decapsulate(testKem.keyPair(seed).secretKey, answer.ciphertext)!
    const transcript = {
      ephemerals: { initiator: offer.ephemeral, responder: answer.ephemeral },
      encapsulationKey: offer.encapsulationKey,
      ciphertext: answer.ciphertext,
    }
    const opened = (secret: Uint8Array) =>
      createHop(nextHopKeys(secret, former, transcript), "initiator").opener.open(frame)
    expect(opened(concatBytes(kem, classical))).toEqual(Uint8Array.of(42))
    for (const known of [classical, concatBytes(new Uint8Array(32), classical), kem])
      expect(opened(known)).toHaveProperty("refused")
  })

  test("are not replaced by an exchange of another kind", () => {
    const keys = (role: Role, kem: Kem | null) => new Rekey(hop(role), role, new Random(1), 0, kem)
    const classical = keys("initiator", null).tick(REKEY_MS) as Control & { kind: "rekeyOffer" }
    const hybrid = keys("initiator", testKem).tick(REKEY_MS) as Control & { kind: "rekeyOffer" }
    expect(keys("responder", testKem).handle(classical, REKEY_MS)).toEqual({ refused: "bad-rekey" })
    expect(keys("responder", null).handle(hybrid, REKEY_MS)).toEqual({ refused: "bad-rekey" })
  })

  test("are replaced after so many bytes", () => {
    const keys = new Rekey(hop("initiator"), "initiator", SEVENS, 0, null)
    // A frame that does not open counts like one that does, and costs the test less.
    const piece = new Uint8Array(1024 * 1024)
    let bytes = 0
    for (; keys.tick(1) === null; bytes += piece.length) keys.open(piece)
    expect(bytes).toBe(REKEY_BYTES)
  })

  test("keep unreliable frames in flight readable for a while, and not for ever", () => {
    const both = channels()
    const line = new Line(both)
    both.responder.queueUnreliable(Uint8Array.of(1))
    const [early] = both.responder.flush().unreliable
    both.responder.queueUnreliable(Uint8Array.of(2))
    const [late] = both.responder.flush().unreliable
    line.tick(REKEY_MS)
    for (let round = 0; round < 4; round++) for (const role of ["initiator", "responder"] as const) line.deliver(role)
    line.send("initiator", 0)
    line.send("responder", 0)
    expect(line.seenIds.size).toBe(4)
    expect(both.initiator.openUnreliable(early!)).toEqual([Uint8Array.of(1)])
    line.tick(line.nowMs + REKEY_OVERLAP_MS)
    expect(both.initiator.openUnreliable(late!)).toEqual([])
    both.responder.queueUnreliable(Uint8Array.of(3))
    expect(both.initiator.openUnreliable(both.responder.flush().unreliable[0]!)).toEqual([Uint8Array.of(3)])
  })

  /** The initiator's clock is its own: it offers new keys again and again while next to no time passes for the responder. */
  function hurried(rounds: number, roundMs: number) {
    const random = new Random(1)
    let secretsOfVictim = 0
    const initiator = new SealedChannel(hop("initiator"), "initiator", random, 0, null)
    const responder = new SealedChannel(
      hop("responder"),
      "responder",
      {
        bytes: (length) => {
          secretsOfVictim++
          return random.bytes(length)
        },
      },
      0,
      null,
    )
    const exchange = (nowMs: number): string | null => {
      for (let turn = 0; turn < 3; turn++) {
        for (const [from, to] of [
          [initiator, responder],
          [responder, initiator],
        ] as const) {
          for (const frame of from.flush().reliable) {
            const opened = to.open(frame, nowMs)
            if ("refused" in opened) return opened.refused
          }
        }
      }
      return null
    }
    for (let round = 1; round <= rounds; round++) {
      initiator.tick(round * REKEY_MS)
      const refused = exchange(round * roundMs)
      if (refused) return { refused, round, secretsOfVictim }
    }
    return { refused: null, round: rounds, secretsOfVictim }
  }

  // For each new key the responder draws one secret, and multiplies twice.
  test("cost no Diffie-Hellman when they are offered again at once: the link ends", () => {
    expect(hurried(100, 10)).toEqual({ refused: "early-rekey", round: 1, secretsOfVictim: 0 })
  })

  test("cost one Diffie-Hellman when they are offered as often as may be", () => {
    const rounds = 20
    expect(hurried(rounds, REKEY_APART_MS)).toEqual({ refused: null, round: rounds, secretsOfVictim: rounds })
    expect(hurried(rounds, REKEY_APART_MS - 1)).toMatchObject({ refused: "early-rekey", secretsOfVictim: 0 })
  })

  test("may be offered at once when so much was said under the former ones", () => {
    const keys = new Rekey(hop("responder"), "responder", SEVENS, 0, null)
    const offer = {
      kind: "rekeyOffer",
      ephemeral: x25519.getPublicKey(new Uint8Array(32).fill(9)),
      encapsulationKey: NONE,
    } as const
    const piece = new Uint8Array(1024 * 1024)
    for (let bytes = 0; bytes < REKEY_APART_BYTES; bytes += piece.length) keys.open(piece)
    expect(keys.handle(offer, 1)).toMatchObject({ last: { kind: "rekeyAnswer" } })
  })

  test("cannot be replaced out of turn, by a zero point, or not at all for ever", () => {
    const ephemeral = x25519.getPublicKey(new Uint8Array(32).fill(9))
    const refusalOf = (to: Role, control: Control) => {
      const from = hop(to === "initiator" ? "responder" : "initiator")
      const [frame] = packParcels([{ control: true, bytes: encodeControl(control) }], (each) => from.sealer.seal(each))
      const opened = channels()[to].open(frame!, REKEY_MS)
      return "refused" in opened ? opened.refused : null
    }
    expect(refusalOf("responder", { kind: "rekeyOffer", ephemeral, encapsulationKey: NONE })).toBeNull()
    for (const [to, control] of [
      ["initiator", { kind: "rekeyOffer", ephemeral, encapsulationKey: NONE }],
      ["initiator", { kind: "rekeyAnswer", ephemeral, ciphertext: NONE }],
      ["responder", { kind: "rekeyAnswer", ephemeral, ciphertext: NONE }],
      ["responder", { kind: "rekeyDone" }],
      ["responder", { kind: "rekeyOffer", ephemeral: new Uint8Array(32), encapsulationKey: NONE }],
    ] as [Role, Control][]) {
      expect(refusalOf(to, control)).toBe("bad-rekey")
    }
    const keys = new Rekey(hop("responder"), "responder", { bytes: () => new Uint8Array(32) }, 0, null)
    const junk = new Uint8Array(1024 * 1024)
    let bytes = 0
    for (let refused = ""; refused !== "overdue-rekey"; bytes += junk.length) {
      const opened = keys.open(junk)
      refused = "refused" in opened ? opened.refused : ""
    }
    expect(bytes).toBe(REKEY_OVERDUE_BYTES + junk.length)
  })
})
