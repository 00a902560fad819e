/** Insiders can sign anything. Checkable lies are faults of theirs, and the others agree nevertheless. */
import { concatBytes, hexToBytes } from "@noble/hashes/utils.js"
import { describe, expect, test } from "vitest"
import type { MemberId } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { createMajorityCodec } from "../../src/majority/majority-codec.ts"
import type { Offer, Payload, Proposal, Statement } from "../../src/majority/majority-codec.ts"
import { ROUNDS_AHEAD_MAX } from "../../src/consensus/consensus.ts"
import { RETURNS_MAX } from "../../src/majority/majority-limits.ts"
import { sealBase } from "../../src/hpke/hpke.ts"
import { MajorityWorld, type Sent, sign, toyX25519 } from "./majority-world.ts"

const group = createToyGroup()
const toy = { group, x25519: toyX25519(group) }
const codec = createMajorityCodec(group)
const random = (fill: number): Uint8Array => new Uint8Array(64).fill(fill)
const statementOf = ({ bytes }: Sent): Statement => codec.decodeSigned(bytes)!.statement
const payloadsOf = (world: MajorityWorld): Payload[] => world.log.map((sent) => statementOf(sent).payload)

/** Five members; `liar` leads round 1 and says only what the test has it say. */
class Stage {
  readonly world = new MajorityWorld(toy, 5)
  readonly liar: MemberId = this.world.roster[1]!
  readonly honest = this.world.roster.filter((id) => id !== this.liar)
  readonly victim: MemberId = this.honest[0]!

  start(ids: readonly MemberId[] = this.honest): void {
    for (const id of ids) {
      this.world.arrive(id)
      this.world.startSession(id, 1)
    }
  }

  say(payload: Payload, to: MemberId | null, at: MemberId = this.victim): void {
    const statement = codec.encodeStatement({ sid: this.world.sid(1), from: this.liar, to, payload })
    const bytes = concatBytes(statement, sign(this.liar, statement))
    this.world.step(at, { type: "message", from: this.liar, via: to === null ? "multicast" : "unicast", bytes })
  }

  offer(fill: number): Offer {
    const share = group.multiplyBase(group.randomScalar(random(fill)))
    const key = toy.x25519.publicKey(random(fill).subarray(0, 32))
    const payload = { kind: "offer", share, key } as const
    const statement = codec.encodeStatement({ sid: this.world.sid(1), from: this.liar, to: null, payload })
    return { share, key, signature: sign(this.liar, statement) }
  }

  sayOffer({ share, key }: Offer, at: MemberId = this.victim): void {
    this.say({ kind: "offer", share, key }, null, at)
  }

  expectFault(reason: string): void {
    expect(this.world.faults).toEqual([{ at: this.victim, member: this.liar, reason }])
  }

  expectOthersAgree(): void {
    this.world.settle()
    expect(this.world.outcomes(1)).toHaveLength(1)
    expect(this.honest.every((id) => this.world.hasSecret(id, 1))).toBe(true)
    expect(this.world.faults.filter(({ member }) => member !== this.liar)).toEqual([])
  }
}

const junk = {
  enc: toy.x25519.publicKey(random(9).subarray(0, 32)),
  ciphertext: new Uint8Array(group.scalarBytes + 16),
}

/** The victim's own key, as it offered it. */
function keyOf(stage: Stage): Uint8Array {
  const offer = stage.world.log
    .map(statementOf)
    .find(({ from, payload }) => from === stage.victim && payload.kind === "offer")
  return (offer!.payload as Payload & { kind: "offer" }).key
}

describe("an insider", () => {
  const lies: readonly { readonly name: string; readonly reason: string; readonly tell: (stage: Stage) => void }[] = [
    {
      name: "offers the identity",
      reason: "malformed-message",
      tell: (stage) => stage.sayOffer({ ...stage.offer(1), share: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1) }),
    },
    {
      name: "offers twice",
      reason: "unexpected-message",
      tell: (stage) => {
        stage.sayOffer(stage.offer(1))
        stage.sayOffer(stage.offer(1))
        stage.sayOffer(stage.offer(2))
      },
    },
    {
      name: "offers to one member only",
      reason: "unexpected-message",
      tell: (stage) => stage.say({ kind: "offer", ...stage.offer(1) }, stage.victim),
    },
    {
      name: "hands on an offer that it did not sign",
      reason: "malformed-message",
      tell: (stage) =>
        stage.say({ kind: "introduction", offer: { ...stage.offer(1), signature: new Uint8Array(64) } }, stage.victim),
    },
    {
      name: "seals nothing that opens",
      reason: "wrong-key",
      tell: (stage) => {
        const sealed = { recipientKey: keyOf(stage), ...junk }
        stage.say({ kind: "contribution", offer: stage.offer(1), sealed }, stage.victim)
      },
    },
    {
      name: "seals another contribution than the one it offered",
      reason: "wrong-key",
      tell: (stage) => {
        const recipient = keyOf(stage)
        const aad = concatBytes(...[stage.liar, stage.liar, stage.victim].map(hexToBytes))
        const plaintext = group.randomScalar(random(2))
        const info = stage.world.sid(1)
        const input = { recipient, ephemeralSecret: random(3).subarray(0, 32), info, aad, plaintext }
        const sealed = { recipientKey: recipient, ...sealBase(toy.x25519, input)! }
        stage.say({ kind: "contribution", offer: stage.offer(1), sealed }, stage.victim)
      },
    },
    {
      name: "comes back again and again",
      reason: "unexpected-message",
      tell: (stage) => {
        for (let i = 1; i <= RETURNS_MAX + 1; i++) {
          stage.say({ kind: "return", key: toy.x25519.publicKey(random(i).subarray(0, 32)) }, null)
        }
      },
    },
    {
      name: "claims a round that nobody can have reached",
      reason: "unexpected-message",
      tell: (stage) => stage.say({ kind: "consensus", message: { kind: "call", round: 0xffffffff } }, null),
    },
  ]
  for (const { name, reason, tell } of lies) {
    test(`is named when it ${name}, and the others agree`, () => {
      const stage = new Stage()
      stage.start()
      tell(stage)
      stage.expectFault(reason)
      stage.expectOthersAgree()
    })
  }
})

/** An honest proposal of three others, as its maker sent it to the liar, who leads round 1. */
function honestProposal(stage: Stage): Proposal {
  stage.start(stage.world.roster)
  stage.world.deliverAll((length) => length - 1)
  const estimate = payloadsOf(stage.world).find((p) => p.kind === "consensus" && p.message.kind === "estimate")
  if (estimate?.kind !== "consensus" || estimate.message.kind !== "estimate") throw new Error("nobody proposed")
  return codec.decodeProposal(estimate.message.value)!
}

describe("an insider that proposes", () => {
  const flipped = (bytes: Uint8Array): Uint8Array => bytes.map((byte, i) => (i === bytes.length - 1 ? byte ^ 1 : byte))
  const lies: readonly { readonly name: string; readonly lie: (honest: Proposal) => Proposal }[] = [
    { name: "a wrong difference", lie: (p) => ({ ...p, differences: p.differences.map(flipped) }) },
    { name: "too few owners", lie: (p) => ({ owners: p.owners.slice(1), differences: p.differences.slice(1) }) },
    {
      // With the right differences: they are zero. A majority of such owners need not meet another's.
      name: "one owner three times",
      lie: (p) => ({
        owners: [p.owners[0]!, p.owners[0]!, p.owners[0]!],
        differences: p.differences.map((d) => new Uint8Array(d.length)),
      }),
    },
    { name: "owners out of order", lie: (p) => ({ ...p, owners: p.owners.toReversed() }) },
    { name: "too few differences", lie: (p) => ({ ...p, differences: p.differences.slice(1) }) },
    {
      name: "somebody who is not of the roster",
      lie: (p) => ({ ...p, owners: [...p.owners.slice(0, 2), { owner: 77, offer: p.owners[2]!.offer }] }),
    },
    {
      name: "an offer that its owner never signed",
      lie: (p) => ({
        ...p,
        owners: p.owners.map(({ owner, offer }) => ({
          owner,
          offer: { ...offer, signature: flipped(offer.signature) },
        })),
      }),
    },
    {
      name: "a difference in another encoding",
      lie: (p) => ({
        ...p,
        differences: p.differences.map((d) => {
          const bytes = d.slice()
          const view = new DataView(bytes.buffer)
          view.setBigUint64(0, view.getBigUint64(0) + 2305843009213688669n)
          return bytes
        }),
      }),
    },
  ]
  for (const { name, lie } of lies) {
    test(`${name} is named, and the others agree`, () => {
      const proposal = lie(honestProposal(new Stage()))
      const stage = new Stage()
      stage.start()
      const message = { kind: "propose", round: 1, value: codec.encodeProposal(proposal) } as const
      stage.say({ kind: "consensus", message }, null)
      stage.expectFault("wrong-key")
      stage.expectOthersAgree()
    })
  }

  test("is named when its proposal is right, but of another session", () => {
    const proposal = honestProposal(new Stage())
    const stage = new Stage()
    for (const id of stage.honest) {
      stage.world.arrive(id)
      stage.world.startSession(id, 2)
    }
    const payload: Payload = {
      kind: "consensus",
      message: { kind: "propose", round: 1, value: codec.encodeProposal(proposal) },
    }
    const statement = codec.encodeStatement({ sid: stage.world.sid(2), from: stage.liar, to: null, payload })
    const bytes = concatBytes(statement, sign(stage.liar, statement))
    stage.world.step(stage.victim, { type: "message", from: stage.liar, via: "multicast", bytes })
    stage.expectFault("wrong-key")
  })
})

test("an owner that signed two offers cannot keep the others apart", () => {
  const stage = new Stage()
  stage.start()
  const [a, b, c, d] = stage.honest
  for (const at of [a!, b!]) stage.sayOffer(stage.offer(1), at)
  for (const at of [c!, d!]) stage.sayOffer(stage.offer(2), at)
  stage.expectOthersAgree()
})

test("throws nothing when a liar calls to the last round of 32 bits", () => {
  const stage = new Stage()
  // Its round is the last one, so the others go on to the next at once.
  const [, ...present] = stage.honest
  stage.start(present)
  const rounds = Array.from({ length: 2 ** 32 / ROUNDS_AHEAD_MAX }, (_, i) => (i + 1) * ROUNDS_AHEAD_MAX - 1)
  for (const round of rounds) {
    for (const at of present) stage.say({ kind: "consensus", message: { kind: "call", round } }, null, at)
  }
  stage.world.settle()
  expect(stage.world.outcomes(1)).toHaveLength(1)
  expect(present.every((id) => stage.world.hasSecret(id, 1))).toBe(true)
  expect(new Set(stage.world.faults.map(({ member }) => member))).toEqual(new Set([stage.liar]))
})

test("a wrong handover is named, and the next member asked", () => {
  const stage = new Stage()
  stage.start()
  stage.world.settle()
  const late = stage.liar
  const liar = stage.honest[0]!
  stage.world.arrive(late)
  stage.world.startSession(late, 1)
  // Every answer with a y to the late member is spoilt in transit, as its sender might have spoilt it, except the last
  // one's.
  const spoilt = (sent: Sent): Sent => {
    const statement = statementOf(sent)
    if (statement.payload.kind !== "handover" || sent.from !== liar) return sent
    const sealed = { ...statement.payload.sealed, ciphertext: junk.ciphertext }
    const bytes = codec.encodeStatement({ ...statement, payload: { ...statement.payload, sealed } })
    return { ...sent, bytes: concatBytes(bytes, sign(sent.from, bytes)) }
  }
  for (let i = 0; i < 1000 && stage.world.inFlight.length > 0; i++) {
    stage.world.inFlight = stage.world.inFlight.map(spoilt)
    stage.world.deliver(0)
  }
  expect(stage.world.faults).toEqual([{ at: late, member: liar, reason: "wrong-key" }])
  expect(stage.world.hasSecret(late, 1)).toBe(true)
  expect(stage.world.outcomes(1)).toHaveLength(1)
})

test("no damaged, repeated or forged message makes a member throw or diverge", () => {
  const recorded = new MajorityWorld(toy, 3)
  for (const id of recorded.roster) recorded.arrive(id)
  for (const id of recorded.roster) recorded.startSession(id, 1)
  recorded.settle()
  const victim = recorded.roster[0]!
  const [liar, other] = recorded.roster.slice(1)
  const say = (world: MajorityWorld, sent: Sent, bytes: Uint8Array, from = sent.from, via = sent.via): void =>
    world.step(victim, { type: "message", from, via, bytes })
  const messages = recorded.log.filter(({ from, to }) => from === liar && to === victim)
  expect(messages.length).toBeGreaterThan(3)
  for (const sent of messages) {
    for (const bytes of [sent.bytes.subarray(0, -1), Uint8Array.of(...sent.bytes, 0), sent.bytes.subarray(0, 60)]) {
      const world = new MajorityWorld(toy, 3)
      world.arrive(victim)
      world.startSession(victim, 1)
      say(world, sent, bytes)
      expect(world.faults.length).toBeLessThanOrEqual(1)
    }
    const another = new MajorityWorld(toy, 3)
    another.arrive(victim)
    another.startSession(victim, 1)
    say(another, sent, sent.bytes, other!)
    say(another, sent, sent.bytes, liar!, sent.via === "multicast" ? "unicast" : "multicast")
    expect(another.faults.map(({ member, reason }) => `${member} ${reason}`)).toEqual([
      `${other} unexpected-message`,
      `${liar} unexpected-message`,
    ])
    for (let at = 0; at < sent.bytes.length; at++) {
      const world = new MajorityWorld(toy, 3)
      world.arrive(victim)
      world.startSession(victim, 1)
      const bytes = sent.bytes.map((byte, i) => (i === at ? byte ^ (1 << (at % 8)) : byte))
      say(world, sent, bytes)
      say(world, sent, bytes)
      expect(world.faults.every(({ member }) => member === liar)).toBe(true)
    }
  }
  // All of them twice, to all, while a session runs.
  const world = new MajorityWorld(toy, 3)
  for (const id of world.roster) world.arrive(id)
  for (const id of world.roster) world.startSession(id, 1)
  for (let i = 0; i < 400 && world.inFlight.length > 0; i++) {
    const [next] = world.inFlight
    world.inFlight.push(...(i < 40 ? [next!] : []))
    world.deliver(0)
  }
  world.settle()
  expect(world.faults).toEqual([])
  expect(world.outcomes(1)).toHaveLength(1)
})
