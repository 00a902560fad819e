/** Two ends of an association that shake hands over a wire which may do as it likes. */
import { ed25519 } from "@noble/curves/ed25519.js"
import {
  Association,
  type AssociationConfig,
  type AssociationOutput,
} from "../../../src/network/association/association.ts"
import type { Hop } from "../../../src/network/association/hop.ts"
import { Random } from "../../../src/testing/random/random.ts"
import { PROTOCOL } from "../../../src/network/shared/protocol.ts"
import { conferenceId, descriptorHash, invitation, TestIdentity } from "../member.ts"

export type Wire = (from: "initiator" | "responder", bytes: Uint8Array, index: number) => readonly Uint8Array[]
export type End = {
  association: Association
  config: AssociationConfig
  outcome: AssociationOutput | null
  hop: Hop | null
  identity: TestIdentity
}

const LOW_FINGERPRINT = "aa".repeat(32)
const HIGH_FINGERPRINT = "bb".repeat(32)

export function ends(
  overrides: { initiator?: Partial<AssociationConfig>; responder?: Partial<AssociationConfig> } = {},
  seed = 1,
) {
  const random = new Random(seed)
  const low = new TestIdentity(random)
  const high = new TestIdentity(random)
  const party = (identity: TestIdentity, fingerprint: string) => ({
    certificate: identity.certificate,
    incarnation: 1,
    fingerprint,
  })
  const common = {
    scope: { conferenceId, descriptorHash },
    keys: [invitation.association],
    linkType: "webrtc",
    attempt: 1,
    protocol: PROTOCOL,
    hybrid: null,
  } as const
  const make = (config: AssociationConfig, identity: TestIdentity): End => ({
    association: new Association(config),
    config,
    outcome: null,
    hop: null,
    identity,
  })
  const own = party(low, LOW_FINGERPRINT)
  const peer = party(high, HIGH_FINGERPRINT)
  const secrets = () => ({ ephemeralSecret: random.bytes(32), nonce: random.bytes(32) })
  return {
    initiator: make({ ...common, role: "initiator", own, peer, ...secrets(), ...overrides.initiator }, low),
    responder: make({ ...common, role: "responder", own: peer, peer: own, ...secrets(), ...overrides.responder }, high),
  }
}
export type Ends = ReturnType<typeof ends>

/** Runs a handshake to its end, with real signatures, over `wire`. */
export function shake({ initiator, responder }: Ends, wire: Wire = (_, bytes) => [bytes]): Ends {
  const queue: (() => void)[] = []
  let sent = 0
  const pairs = [
    ["initiator", initiator, responder],
    ["responder", responder, initiator],
  ] as const
  const handlers = pairs.map(([name, end, other]) => {
    const send = (bytes: Uint8Array) => {
      for (const each of wire(name, bytes, sent++)) queue.push(() => take(other, each))
    }
    return { end, send }
  })
  const act = (end: End, outputs: readonly AssociationOutput[]): void => {
    const { send } = handlers.find((handler) => handler.end === end)!
    for (const output of outputs) {
      if (output.type === "send") send(output.bytes)
      else if (output.type === "sign") {
        const signature = ed25519.sign(output.bytes, end.identity.secretKey)
        queue.push(() => act(end, end.association.step({ type: "signed", signature })))
      } else if (output.type === "verify") {
        const peer = end === initiator ? responder : initiator
        const ok = ed25519.verify(output.signature, output.bytes, peer.identity.credential.publicKey)
        queue.push(() => act(end, end.association.step({ type: "verified", ok })))
      } else {
        end.outcome = output
        if (output.type === "proved") end.hop = output.hop
      }
    }
  }
  const take = (end: End, bytes: Uint8Array): void => act(end, end.association.step({ type: "message", bytes }))
  for (const { end, send } of handlers) send(end.association.start())
  for (let next = queue.shift(); next; next = queue.shift()) next()
  return { initiator, responder }
}

export const reasonOf = ({ outcome }: End) => (outcome?.type === "refused" ? outcome.reason : outcome?.type)
export const reasons = ({ initiator, responder }: Ends) => [reasonOf(initiator), reasonOf(responder)]
export function keysOf({ outcome, hop }: End): Hop {
  if (outcome?.type !== "established") throw new Error("not established")
  return hop!
}
