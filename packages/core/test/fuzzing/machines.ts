/**
 * Whole machines that take their input from a script of bytes, as a member would that does not follow the protocol. The
 * others must not throw, and must agree afterwards.
 */
import type { KeyAgreementName, MemberId } from "@keymoot/gke"
import { createToyGroup, Harness } from "@keymoot/gke/testing"
import { Cores } from "../../../transport/test/group/cores.ts"
import { encodeFrame, decodeFrame, encodeStaticPart, type Frame } from "../../../transport/src/wire/frame.ts"
import { ends, shake } from "../../../transport/test/network/handshake.ts"
import { concatBytes } from "@noble/hashes/utils.js"
import { messagesIn } from "./scripts.ts"

const toyGroup = createToyGroup()
const MODULES: readonly KeyAgreementName[] = ["tgdh", "str", "bd", "gdh", "ckd"]

const SETTLE_MS = 30_000

/** First byte: the module. Then the messages that `b` sends to `a` and `c` instead of its own, in both ways. */
export function runAgreement(script: Uint8Array): void {
  const module = MODULES[(script[0] ?? 0) % MODULES.length]!
  const harness = new Harness(toyGroup, { seed: "fuzzing", module })
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

/** First byte: which message of the initiator is replaced by the others. Both ends must not end with an altered one. */
export function runAssociation(script: Uint8Array): void {
  const [place = 0, ...bytes] = script
  let replaced = false
  const pair = shake(ends(), (from, original, index) => {
    if (from === "responder" || index !== place % 3) return [original]
    const forged = Uint8Array.from(bytes)
    replaced = String(forged) !== String(original)
    return [forged]
  })
  const established = [pair.initiator, pair.responder].every(({ outcome }) => outcome?.type === "established")
  if (replaced && established) throw new Error("a handshake ends well with an altered message")
}
