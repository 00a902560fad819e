/** The way out to the links: frames are completed and signed one after another, and leave in the order of the group's outputs. */
import {
  encodeFrame,
  encodeLinkMessage,
  encodeStaticPart,
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

/**
 * Bytes to one neighbour that have not left this machine. Beyond it nothing more is queued for a neighbour that does not
 * read: control frames and bodies are sent again when missed, and who takes nothing is left out in the end.
 */
export const LINK_BUFFERED_BYTES_MAX = 32 * 1024 * 1024

export type LinkSender = Pick<Mesh, "send" | "bufferedBytes">

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

  send(to: readonly MemberId[], message: LinkMessage): void {
    this.#queue.add(() => this.#transmit(to, message))
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

  #transmit(to: readonly MemberId[], message: LinkMessage): void {
    const links = this.#links
    const peers = to.filter((peer) => peer !== this.#config.self)
    if (!links || peers.length === 0) return
    const bytes = encodeLinkMessage(message)
    for (const peer of peers) if (links.bufferedBytes(peer) <= LINK_BUFFERED_BYTES_MAX) links.send(peer, bytes)
  }
}
