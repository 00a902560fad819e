import type { ConnectionId } from "../port/port.ts"

/** State of a moved channel, reported by its new thread. `failed`: `closed` follows. */
export type ChannelNews =
  | { readonly connectionId: ConnectionId; readonly state: "open" | "closed" }
  | { readonly connectionId: ConnectionId; readonly state: "failed"; readonly reason: string }

/**
 * The page's side of data channels in the engine's thread. Their frames do not pass through the page, so a busy page
 * delays none, and each saves two changes of thread. Peer connections exist in pages only, so the rest of a connection
 * stays there. Its opening and its end are reported here, in order with its frames.
 */
export class MovedChannels {
  readonly #hand: (connectionId: ConnectionId, channel: RTCDataChannel) => void
  readonly #close: (connectionId: ConnectionId) => void
  readonly #standIns = new Map<ConnectionId, StandIn>()
  /** Not every browser can move a channel, and some only claim that they can. */
  #possible = true

  /** `hand`: transfers a channel. Throws where channels cannot be moved. */
  constructor(
    hand: (connectionId: ConnectionId, channel: RTCDataChannel) => void,
    close: (connectionId: ConnectionId) => void,
  ) {
    this.#hand = hand
    this.#close = close
  }

  /**
   * Moves a connection's channel and returns its stand-in, or null if it cannot be moved. Must be called in the task
   * that created the channel.
   */
  move(connectionId: ConnectionId, channel: RTCDataChannel, connection: RTCPeerConnection): RTCDataChannel | null {
    if (!this.#possible) return null
    const { label } = channel
    try {
      this.#hand(connectionId, channel)
    } catch {
      this.#possible = false
      return null
    }
    const standIn = new StandIn(label, () => {
      // All channels of the connection can open, and the moved one has not. A peer can leave SCTP out.
      if (standIn.readyState === "connecting" && connection.sctp?.state === "connected") this.#possible = false
      this.#close(connectionId)
    })
    this.#standIns.set(connectionId, standIn)
    return standIn as unknown as RTCDataChannel
  }

  onNews(news: ChannelNews): void {
    const standIn = this.#standIns.get(news.connectionId)
    if (news.state === "closed") this.#standIns.delete(news.connectionId)
    if (news.state === "failed") standIn?.fail(news.reason)
    else standIn?.become(news.state)
  }
}

/** The part of `RTCDataChannel` that is used of a channel through which nothing is sent. */
class StandIn extends EventTarget {
  readonly label: string
  readonly bufferedAmount = 0
  binaryType = "arraybuffer"
  readyState: RTCDataChannelState = "connecting"
  readonly #onClose: () => void

  constructor(label: string, onClose: () => void) {
    super()
    this.label = label
    this.#onClose = onClose
  }

  become(state: "open" | "closed"): void {
    if (this.readyState === state || this.readyState === "closed") return
    if (state === "open" && this.readyState !== "connecting") return
    this.readyState = state
    this.dispatchEvent(new Event(state === "open" ? "open" : "close"))
  }

  fail(reason: string): void {
    this.dispatchEvent(Object.assign(new Event("error"), { error: new Error(reason) }))
  }

  close(): void {
    if (this.readyState === "closing" || this.readyState === "closed") return
    this.#onClose()
    this.readyState = "closing"
  }
}
