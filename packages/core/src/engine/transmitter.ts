/** The way out to the links: frames are completed and signed, and leave in the order of the group's outputs. */
import {
  decodeFrame,
  draftFrame,
  encodeLinkMessage,
  frameKind,
  rememberDigest,
  signedBytes,
  type Frame,
  type FramePayload,
  type GroupFrame,
  type LinkMessage,
  type MemberId,
  type Mesh,
  ORDER_ENTRIES_MAX,
  type Order,
  type OrderEntry,
  type Sending,
  type Signer,
  type View,
} from "@keymoot/transport"
import { Departures } from "./departures.ts"
import { digestByPlatform } from "./frame-digest.ts"
import { openTrusted, type OpenedFrame } from "./frame-opener.ts"
import type { OverlayLinks } from "./overlay-links.ts"

export type LinkSender = Pick<Mesh, "send" | "congested" | "windowBytes">
/** For members that are reached over others. */
export type Carrier = Pick<OverlayLinks, "isDistant" | "carry">

type WaitingOrder = {
  readonly to: readonly MemberId[]
  readonly view: View["id"]
  readonly first: number
  readonly entries: OrderEntry[]
}

export type TransmitterConfig = {
  readonly self: MemberId
  readonly conferenceTag: Uint8Array
  readonly signer: Signer
  /** Of what is signed and sent, whoever gets it. */
  readonly signed: (frame: Frame) => void
  /** A copy of what is signed and sent to oneself. */
  readonly loopBack: (frame: Frame) => void
  readonly fail: (error: unknown) => void
}

export class Transmitter {
  readonly #config: TransmitterConfig
  readonly #departures: Departures
  #links: LinkSender | null = null
  #carrier: Carrier | null = null

  constructor(config: TransmitterConfig) {
    this.#config = config
    this.#departures = new Departures(config.fail)
  }

  attach(links: LinkSender, carrier: Carrier | null = null): void {
    this.#links = links
    this.#carrier = carrier
  }

  send(to: readonly MemberId[], message: LinkMessage, how: Sending = "reliable"): void {
    this.#departures.add(() => this.#transmit(to, message, how))
  }

  /** So much is under way to one of them that more would only wait. */
  congested(members: readonly MemberId[]): boolean {
    return members.some((member) => this.#links?.congested(member))
  }

  /** The least that one of them may have under way; infinite where nobody is linked. */
  windowBytes(members: readonly MemberId[]): number {
    return Math.min(...members.map((member) => this.#links?.windowBytes(member) ?? Infinity))
  }

  signAndSend(to: readonly MemberId[], view: View["id"], payload: FramePayload): void {
    if (payload.kind === "order") return this.#signOrder({ to, view, ...payload.message })
    this.#signLater(to, view, () => payload)
  }

  /** What follows on an ORDER that is not signed yet joins it: one signature serves all that was ordered meanwhile. */
  #signOrder({ to, view, first, entries }: Omit<WaitingOrder, "entries"> & Order): void {
    const waiting = this.#waitingOrder
    const follows = waiting?.view === view && waiting.first + waiting.entries.length === first
    const sameTo = waiting?.to.length === to.length && waiting.to.every((peer, i) => peer === to[i])
    if (waiting && follows && sameTo && waiting.entries.length + entries.length <= ORDER_ENTRIES_MAX) {
      return void waiting.entries.push(...entries)
    }
    const order: WaitingOrder = { to, view, first, entries: [...entries] }
    this.#waitingOrder = order
    this.#signLater(to, view, () => {
      if (this.#waitingOrder === order) this.#waitingOrder = null
      return { kind: "order", message: { first, entries: order.entries } }
    })
  }
  #waitingOrder: WaitingOrder | null = null

  #signLater(to: readonly MemberId[], view: View["id"], payloadOf: () => FramePayload): void {
    const sign = (): Promise<Frame> => this.sign(view, { service: "none", sequence: 0 }, payloadOf())
    this.#departures.addSigned(sign, (frame) => {
      this.#config.signed(frame)
      this.#transmit(to, { type: "frame", bytes: frame.bytes })
      if (to.includes(this.#config.self)) this.#config.loopBack(frame)
    })
  }

  /** A frame of one's own. `tag`: makes what stands in place of the signature. */
  async sign(
    view: View["id"],
    place: Pick<GroupFrame, "service" | "sequence">,
    payload: FramePayload,
    tag: (bytes: Uint8Array) => Promise<Uint8Array> = (bytes) => this.#config.signer.sign(bytes),
  ): Promise<Frame> {
    const { conferenceTag, self: origin } = this.#config
    const draft = draftFrame({ conferenceTag, view, origin, ...place, ...payload })
    const digest = await digestByPlatform(draft)
    const frame = draft.sign(await tag(signedBytes(digest)))
    rememberDigest(frame, digest)
    return frame
  }

  idle(): Promise<void> {
    return this.#departures.idle()
  }

  #transmit(to: readonly MemberId[], message: LinkMessage, how: Sending = "reliable"): void {
    const links = this.#links
    const carrier = this.#carrier
    const distant = carrier ? to.filter((peer) => peer !== this.#config.self && carrier.isDistant(peer)) : []
    if (distant.length > 0) carrier!.carry(distant, message, carriedFrame(message), how)
    const near = distant.length > 0 ? to.filter((peer) => !carrier!.isDistant(peer)) : to
    const peers = near.filter((peer) => peer !== this.#config.self && !(how === "repeated" && links?.congested(peer)))
    if (!links || peers.length === 0) return
    const bytes = encodeLinkMessage(message)
    // What is turned away for a neighbour that is slow to read is missed there, and fetched when it has caught up.
    const payload = message.type === "frame" && frameKind(message.bytes) === "data"
    const lane = how === "unreliable" ? how : "reliable"
    for (const peer of peers) links.send(peer, bytes, { payload, lane })
  }
}

function carriedFrame(message: LinkMessage): OpenedFrame | null {
  return message.type === "frame" ? openTrusted(decodeFrame(message.bytes)!) : null
}
