/** The wire format of consensus, nested in the carrying message. */
import * as P from "micro-packed"

const DIGEST_BYTES = 32

/**
 * Phases of round `round`, counted from 1. `stamp`: the round in which the estimate was adopted, 0 for an initial one.
 *
 * - `estimate`: phase 1, to the coordinator. `propose`: phase 2, from it to all. `reply`: phase 3, to it.
 * - `call`: asks members in an earlier round to move to this one.
 * - `decided`: the relayed DECIDE, by digest, since most hold the value. `want` asks its sender for the value,
 *   `decision` gives it.
 * - `alive`: for the failure detector only.
 */
export type ConsensusMessage =
  | { readonly kind: "estimate"; readonly round: number; readonly stamp: number; readonly value: Uint8Array }
  | { readonly kind: "propose"; readonly round: number; readonly value: Uint8Array }
  | { readonly kind: "reply"; readonly round: number; readonly ack: boolean }
  | { readonly kind: "call"; readonly round: number }
  | { readonly kind: "decided"; readonly digest: Uint8Array }
  | { readonly kind: "want" }
  | { readonly kind: "decision"; readonly value: Uint8Array }
  | { readonly kind: "alive" }

const round = P.validate(P.U32BE, (value) => {
  if (value === 0) throw new RangeError("rounds count from 1")
  return value
})
const value = P.bytes(P.U32BE)
const nothing = P.bytes(0)

const tagged = P.mappedTag(P.U8, {
  estimate: [0, P.struct({ round, stamp: P.U32BE, value })],
  propose: [1, P.struct({ round, value })],
  reply: [2, P.struct({ round, ack: P.bool })],
  call: [3, P.struct({ round })],
  decided: [4, P.struct({ digest: P.bytes(DIGEST_BYTES) })],
  want: [5, nothing],
  decision: [6, P.struct({ value })],
  alive: [7, nothing],
})

export const consensusMessageCoder: P.CoderType<ConsensusMessage> = P.wrap({
  encodeStream(writer, message: ConsensusMessage) {
    if (message.kind === "want" || message.kind === "alive") {
      return tagged.encodeStream(writer, { TAG: message.kind, data: P.EMPTY })
    }
    const { kind, ...data } = message
    tagged.encodeStream(writer, { TAG: kind, data } as P.UnwrapCoder<typeof tagged>)
  },
  decodeStream(reader): ConsensusMessage {
    const { TAG, data } = tagged.decodeStream(reader)
    return (data instanceof Uint8Array ? { kind: TAG } : { kind: TAG, ...data }) as ConsensusMessage
  },
})
