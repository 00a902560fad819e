/**
 * Whole machines that take their input from a script of bytes, as a member would that does not follow the protocol. The
 * others must not throw, and must agree afterwards.
 */
import { createKemAgreement, KEY_AGREEMENT_NAMES, loadKem, type MemberId } from "@keymoot/gke"
import { createToyGroup, Harness, toyX25519 } from "@keymoot/gke/testing"
import { MajorityWorld, sign } from "../../../gke/test/majority/majority-world.ts"
import { Cores } from "../../../transport/test/group/cores.ts"
import { encodeFrame, decodeFrame, encodeStaticPart, type Frame } from "../../../transport/src/wire/frame.ts"
import { ends, shake } from "../../../transport/test/network/association/handshake.ts"
import { testKem } from "../../../transport/test/network/association/test-kem.ts"
import { concatBytes } from "@noble/hashes/utils.js"
import { messagesIn } from "./scripts.ts"

const toyGroup = createToyGroup()
const kem = await loadKem()
/** The first five are as in `KEY_AGREEMENT_NAMES`. */
export const MODULES = [...KEY_AGREEMENT_NAMES, "kem-ckd", "majority"] as const

const SETTLE_MS = 30_000
const SIGNATURE_BYTES = 64
/** Messages of the initiator of a handshake. */
const PLACES = 3

/** First byte: the module. Then the messages that `b` sends to `a` and `c` instead of its own, in both ways. */
export function runAgreement(script: Uint8Array): void {
  const module = MODULES[(script[0] ?? 0) % MODULES.length]!
  if (module === "majority") return runMajority(script.subarray(1))
  const options = module === "kem-ckd" ? { create: (self: MemberId) => createKemAgreement(kem, self) } : { module }
  const harness = new Harness(toyGroup, { seed: "fuzzing", ...options })
  const [a, b, c] = ["a", "b", "c"].map((name) => harness.start(name)) as [MemberId, MemberId, MemberId]
  harness.change([a, c])
  harness.install(harness.propose([a, b, c]))
  for (const bytes of messagesIn(script.subarray(1))) {
    for (const via of ["unicast", "multicast"] as const) for (const to of [a, c]) harness.inject(to, b, bytes, via)
  }
  harness.settle([a, c])
  harness.change([a, c])
  const [one, other] = [harness.member(a).secret, harness.member(c).secret]
  if (!one || one.secret !== other?.secret) throw new Error(`${module}: a and c do not agree`)
}

/** Statements that one of five members signs and sends to all. */
function runMajority(script: Uint8Array): void {
  const { world, liar, honest } = majorityWorld()
  for (const id of honest) world.startSession(id, 1)
  for (const bytes of messagesIn(script)) {
    const signed = concatBytes(bytes, sign(liar, bytes))
    for (const via of ["unicast", "multicast"] as const)
      for (const to of honest) world.step(to, { type: "message", from: liar, via, bytes: signed })
  }
  world.settle()
  const blamed = world.faults.find(({ member }) => member !== liar)
  if (blamed) throw new Error(`majority: ${blamed.at} blames ${blamed.member}: ${blamed.reason}`)
  const split = world.outcomes(1).length > 1
  if (split || !honest.every((id) => world.hasSecret(id, 1))) throw new Error("majority: the honest do not agree")
}

function majorityWorld() {
  const world = new MajorityWorld({ group: toyGroup, x25519: toyX25519(toyGroup) }, 5, "fuzzing")
  // It leads the first round of the consensus.
  const liar = world.roster[1]!
  const honest = world.roster.filter((id) => id !== liar)
  for (const id of honest) world.arrive(id)
  return { world, liar, honest }
}

/** Statements of the liar in a session without faults, as it would send them. */
export function majorityStatements(): readonly Uint8Array[] {
  const { world, liar } = majorityWorld()
  world.arrive(liar)
  for (const id of world.roster) world.startSession(id, 1)
  world.settle()
  const own = world.log.filter(({ from }) => from === liar)
  return [...new Map(own.map(({ bytes }) => [String(bytes), bytes.subarray(0, -SIGNATURE_BYTES)])).values()]
}

/** Each message: kind 1, service 1, sequence 1, then a payload. Member 1 sends them to the others as frames of the view. */
export function runGroup(script: Uint8Array): void {
  const cores = new Cores(3)
  cores.run(1000)
  const [first, hostile, last] = cores.members as [Cores["members"][0], Cores["members"][0], Cores["members"][0]]
  const template = encodeStaticPart({
    conferenceTag: new Uint8Array(32),
    view: first.core.view.id,
    origin: hostile.id,
    service: "none",
    sequence: 0,
    kind: "leave",
    message: { incarnation: 0 },
  })
  for (const message of messagesIn(script)) {
    const frame = frameWith(template, message)
    if (!frame) continue
    const syncs =
      frame.kind === "cut" || frame.kind === "install" ? frame.message.syncs.map((each) => decodeFrame(each)) : []
    if (syncs.includes(null)) continue
    for (const to of [first, last]) cores.step(to, { type: "frame", from: hostile.id, frame, syncs: syncs as Frame[] })
    cores.drain()
  }
  const agree = (): boolean => first.core.view.id === last.core.view.id
  cores.run(1000)
  if (!cores.runUntil(agree, SETTLE_MS)) throw new Error("two honest members stay in different views")
}

const KIND_OFFSET = 1
const PAYLOAD_OFFSET = 1 + 1 + 32 + 32 + 16 + 1 + 4

function frameWith(template: Uint8Array, [kind = 0, service = 0, sequence = 0, ...payload]: Uint8Array): Frame | null {
  const staticPart = concatBytes(template.subarray(0, PAYLOAD_OFFSET), Uint8Array.from(payload))
  staticPart[KIND_OFFSET] = kind
  staticPart[PAYLOAD_OFFSET - 5] = service
  staticPart[PAYLOAD_OFFSET - 1] = sequence
  return decodeFrame(encodeFrame(staticPart, new Uint8Array(64)))
}

/**
 * First byte: which message of the initiator is replaced by the others, of a classical link or, from `PLACES` on, of a
 * hybrid one. Both ends must not end with an altered one.
 */
export function runAssociation(script: Uint8Array): void {
  const [place = 0, ...bytes] = script
  let replaced = false
  const pair = shake(place % (2 * PLACES) < PLACES ? ends() : hybridEnds(), (from, original, index) => {
    if (from === "responder" || index !== place % PLACES) return [original]
    const forged = Uint8Array.from(bytes)
    replaced = String(forged) !== String(original)
    return [forged]
  })
  const established = [pair.initiator, pair.responder].every(({ outcome }) => outcome?.type === "established")
  if (replaced && established) throw new Error("a handshake ends well with an altered message")
}

function hybridEnds() {
  const withKem = (fill: number) => ({ hybrid: { kem: testKem, seed: new Uint8Array(64).fill(fill) } })
  return ends({ initiator: withKem(1), responder: withKem(2) })
}
