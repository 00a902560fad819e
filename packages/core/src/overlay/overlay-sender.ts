/** Sends over the overlay: along the tree to all, along a link-state route to one, directly to a neighbour. */
import {
  encodeLinkMessage,
  encodeOverlayMessage,
  gossipIdOf,
  overlayWireMessages,
  type CarriedFrame,
  type MemberId,
  type Mesh,
  type OverlayInput,
  type OverlayMessage,
  type OverlayWireMessage,
  type Sending,
} from "@keymoot/transport"
import { LruMap } from "../wire/index.ts"
import type { CheckedRecord } from "./link-records.ts"
import type { Topology } from "./topology.ts"

/** Cache size of frames sent to one member. A repetition takes another route. */
const SENT_MAX = 4096

export type OverlaySenderConfig = {
  readonly topology: Pick<Topology, "overlay" | "isWide">
  readonly mesh: Pick<Mesh, "send">
}

export class OverlaySender {
  readonly #config: OverlaySenderConfig
  readonly #sent = new LruMap<string, true>(SENT_MAX)

  constructor(config: OverlaySenderConfig) {
    this.#config = config
  }

  /** Inputs of the overlay that send to members without a direct link. Each is stepped before the next one is taken. */
  *carry(
    to: readonly MemberId[],
    frame: CarriedFrame,
    how: Sending,
  ): Generator<OverlayInput<CarriedFrame, CheckedRecord>, void> {
    const { overlay, isWide } = this.#config.topology
    const id = gossipIdOf(frame.frame)
    // A repeated multicast is for the members that have not answered. Most members of a full mesh get a message directly,
    // and need no second copy.
    if (isWide && to.length > 1 && !overlay.wasSaid(id)) {
      yield { type: "broadcast", gossip: { id, message: frame, bytes: frame.frame.bytes.length } }
      return
    }
    for (const peer of to) {
      const name = `${id} ${peer}`
      const again = how === "repeated" || this.#sent.get(name) === true || overlay.wasSaid(id)
      this.#sent.set(name, true)
      yield { type: "unicast", to: peer, message: frame, again }
    }
  }

  /** Sends a message of the overlay to a neighbour. */
  send(to: MemberId, message: OverlayMessage<CarriedFrame, CheckedRecord>): void {
    for (const wire of overlayWireMessages(message)) {
      const isPayload = message.type === "gossip" && message.message.kind === "gossip" && isData(message.message.gossip)
      if (this.#sendTo(to, wire, isPayload) || !isPayload) continue
      // The link is congested. The neighbour requests this frame when it has received the rest.
      this.#sendTo(to, { kind: "announce", ids: [message.message.gossip.id] }, false)
    }
  }

  #sendTo(to: MemberId, message: OverlayWireMessage, payload: boolean): boolean {
    const bytes = encodeLinkMessage({ type: "overlay", bytes: encodeOverlayMessage(message) })
    return this.#config.mesh.send(to, bytes, { payload })
  }
}

/** Frames that can be requested later yield to those that cannot. */
function isData({ message }: { readonly message: CarriedFrame }): boolean {
  return message.frame.kind === "data"
}
