import type { LinkNumber } from "./port.ts"

/** Of a channel that was moved, from where it is now. `failed`: `closed` follows. */
export type ChannelNews =
  | { readonly link: LinkNumber; readonly state: "open" | "closed" }
  | { readonly link: LinkNumber; readonly state: "failed"; readonly reason: string }

/** Moves a link's channel and gives what takes its place; null where it has to stay. In the task that has made the channel. */
export type MoveChannel = (channel: RTCDataChannel, connection: RTCPeerConnection) => RTCDataChannel | null

/**
 * A page's end of data channels that are in the engine's thread, so that frames need not go through the page: a busy page
 * holds no frame up, and two changes of thread less are on the way of each. Peer connections exist in pages only, so the rest
 * of a link stays: its opening and its end are told here, in their place among its frames.
 */
export class MovedChannels {
  readonly #hand: (link: LinkNumber, channel: RTCDataChannel) => void
  readonly #close: (link: LinkNumber) => void
  readonly #standIns = new Map<LinkNumber, StandIn>()
  /** Not every browser can move a channel, nor can every one that says so. */
  #possible = true

  /** `hand`: throws where channels cannot be moved. */
  constructor(hand: (link: LinkNumber, channel: RTCDataChannel) => void, close: (link: LinkNumber) => void) {
    this.#hand = hand
    this.#close = close
  }

  move(link: LinkNumber, channel: RTCDataChannel, connection: RTCPeerConnection): RTCDataChannel | null {
    if (!this.#possible) return null
    const { label } = channel
    try {
      this.#hand(link, channel)
    } catch {
      this.#possible = false
      return null
    }
    const standIn = new StandIn(label, () => {
      // The connection stands, and yet nothing was heard of the channel.
      if (standIn.readyState === "connecting" && connection.connectionState === "connected") this.#possible = false
      this.#close(link)
    })
    this.#standIns.set(link, standIn)
    return standIn as unknown as RTCDataChannel
  }

  told(news: ChannelNews): void {
    const standIn = this.#standIns.get(news.link)
    if (news.state === "closed") this.#standIns.delete(news.link)
    if (news.state === "failed") standIn?.onerror?.({ error: new Error(news.reason) })
    else standIn?.become(news.state)
  }
}

/** As much of `RTCDataChannel` as is asked of one through which nothing is sent. */
class StandIn {
  readonly label: string
  readonly bufferedAmount = 0
  binaryType = "arraybuffer"
  readyState: RTCDataChannelState = "connecting"
  onopen: (() => void) | null = null
  onclose: (() => void) | null = null
  onerror: ((event: { readonly error: Error }) => void) | null = null
  onmessage: unknown = null
  onbufferedamountlow: unknown = null
  readonly #onClose: () => void

  constructor(label: string, onClose: () => void) {
    this.label = label
    this.#onClose = onClose
  }

  become(state: "open" | "closed"): void {
    if (this.readyState === state || this.readyState === "closed") return
    if (state === "open" && this.readyState !== "connecting") return
    this.readyState = state
    if (state === "open") this.onopen?.()
    else this.onclose?.()
  }

  close(): void {
    if (this.readyState === "closing" || this.readyState === "closed") return
    this.#onClose()
    this.readyState = "closing"
  }
}
