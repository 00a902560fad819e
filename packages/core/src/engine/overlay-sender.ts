/** What this member says over the overlay: to all along the tree, to one over the way that link state shows, to a neighbour as it is. */
import {
  encodeLinkMessage,
  encodeOverlayMessage,
  gossipIdOf,
  overlayWireMessages,
  type CarriedFrame,
  type MemberId,
  type Mesh,
  type Overlay,
  type OverlayInput,
  type OverlayMessage,
  type OverlayWireMessage,
  type Sending,
} from "@keymoot/transport"
import { LruMap } from "../wire/index.ts"
import type { CheckedRecord } from "./link-records.ts"

/** Frames for one member, of which it is remembered that they were sent: another time they take another way. */
const SENT_MAX = 4096

export type OverlaySenderConfig = {
  readonly overlay: Overlay<CarriedFrame, CheckedRecord>
  readonly mesh: () => Pick<Mesh, "send">
  readonly step: (input: OverlayInput<CarriedFrame, CheckedRecord>) => void
}

export class OverlaySender {
  readonly #config: OverlaySenderConfig
  readonly #sent = new LruMap<string, true>(SENT_MAX)

  constructor(config: OverlaySenderConfig) {
    this.#config = config
  }

  /** To members that are reached over others. */
  carry(to: readonly MemberId[], frame: CarriedFrame, how: Sending): void {
    const { overlay, step } = this.#config
    const id = gossipIdOf(frame.frame)
    // What was said to all and is said again is for those who have not answered.
    if (to.length > 1 && !overlay.wasSaid(id)) {
      return step({ type: "broadcast", gossip: { id, message: frame, bytes: frame.frame.bytes.length } })
    }
    for (const peer of to) {
      const name = `${id} ${peer}`
      const again = how === "repeated" || this.#sent.get(name) === true || overlay.wasSaid(id)
      this.#sent.set(name, true)
      step({ type: "unicast", to: peer, message: frame, again })
    }
  }

  /** To a neighbour, as the overlay has it. */
  send(to: MemberId, message: OverlayMessage<CarriedFrame, CheckedRecord>): void {
    for (const wire of overlayWireMessages(message)) {
      const isPayload = message.type === "gossip" && message.message.kind === "gossip" && isData(message.message.gossip)
      if (this.#sendTo(to, wire, isPayload) || !isPayload) continue
      // There is too much under way to it: it asks for this one when it has taken the rest.
      this.#sendTo(to, { kind: "announce", ids: [message.message.gossip.id] }, false)
    }
  }

  #sendTo(to: MemberId, message: OverlayWireMessage, payload: boolean): boolean {
    const bytes = encodeLinkMessage({ type: "overlay", bytes: encodeOverlayMessage(message) })
    return this.#config.mesh().send(to, bytes, { payload })
  }
}

/** What can be fetched later gives way to what cannot. */
function isData({ message }: { readonly message: CarriedFrame }): boolean {
  return message.frame.kind === "data"
}
