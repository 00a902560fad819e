/** The way out to the links: frames are completed and signed one after another, and leave in the order of the group's outputs. */
import {
  encodeFrame,
  encodeLinkMessage,
  encodeStaticPart,
  frameKind,
  signedBytes,
  type FramePayload,
  type GroupFrame,
  type LinkMessage,
  type MemberId,
  type Mesh,
  type Signer,
  type View,
} from "@keymoot/transport"
import { SerialQueue } from "./serial-queue.ts"

export type LinkSender = Pick<Mesh, "send">

export type TransmitterConfig = {
  readonly self: MemberId
  readonly conferenceTag: Uint8Array
  readonly signer: Signer
  /** A copy of what is signed and sent to oneself. */
  readonly loopBack: (bytes: Uint8Array) => void
  readonly fail: (error: unknown) => void
}

export class Transmitter {
  readonly #config: TransmitterConfig
  readonly #queue: SerialQueue
  #links: LinkSender | null = null

  constructor(config: TransmitterConfig) {
    this.#config = config
    this.#queue = new SerialQueue(config.fail)
  }

  attach(links: LinkSender): void {
    this.#links = links
  }

  send(to: readonly MemberId[], message: LinkMessage, unreliable = false): void {
    this.#queue.add(() => this.#transmit(to, message, unreliable ? "unreliable" : "reliable"))
  }

  signAndSend(to: readonly MemberId[], view: View["id"], payload: FramePayload): void {
    this.#queue.add(async () => {
      const bytes = await this.sign(view, { service: "none", sequence: 0 }, payload)
      this.#transmit(to, { type: "frame", bytes })
      if (to.includes(this.#config.self)) this.#config.loopBack(bytes)
    })
  }

  /** A frame of one's own. */
  async sign(
    view: View["id"],
    place: Pick<GroupFrame, "service" | "sequence">,
    payload: FramePayload,
  ): Promise<Uint8Array> {
    const { conferenceTag, self: origin, signer } = this.#config
    const staticPart = encodeStaticPart({ conferenceTag, view, origin, ...place, ...payload })
    return encodeFrame(staticPart, await signer.sign(signedBytes(staticPart)))
  }

  idle(): Promise<void> {
    return this.#queue.idle()
  }

  #transmit(to: readonly MemberId[], message: LinkMessage, lane: "reliable" | "unreliable" = "reliable"): void {
    const links = this.#links
    const peers = to.filter((peer) => peer !== this.#config.self)
    if (!links || peers.length === 0) return
    const bytes = encodeLinkMessage(message)
    // What is turned away for a neighbour that is slow to read is missed there, and fetched when it has caught up.
    const payload = message.type === "frame" && frameKind(message.bytes) === "data"
    for (const peer of peers) links.send(peer, bytes, { payload, lane })
  }
}
