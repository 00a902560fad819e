import { frameBuffers } from "../port/frame-buffers.ts"
import { EARLY_FRAMES_MAX } from "./frame-connection.ts"
import { FrameQueue } from "./frame-queue.ts"
import type { ChannelNews } from "./moved-channels.ts"
import type { Sink } from "../network/shared/sink.ts"
import type { ConnectionId, HostCommand, HostEvent } from "../port/port.ts"

type End = {
  readonly channel: RTCDataChannel
  readonly queue: FrameQueue
  /** Frames that came before the connection was reported as connected. */
  early: Uint8Array[] | null
  over: boolean
}

export type ChannelEndsConfig = {
  readonly engine: Sink<HostEvent>
  readonly page: Sink<ChannelNews>
}

/**
 * Data channels in the engine's own thread (moved-channels.ts). They sit between the engine and the page's host. They
 * handle the frames of their connections, and forward everything else.
 */
export class ChannelEnds {
  readonly #config: ChannelEndsConfig
  readonly #ends = new Map<ConnectionId, End>()

  constructor(config: ChannelEndsConfig) {
    this.#config = config
  }

  /** Takes a channel from the page, before it is open. */
  add(connectionId: ConnectionId, channel: RTCDataChannel): void {
    const queue = new FrameQueue(channel, (event) => {
      if (event.type === "failed") this.#fail(connectionId, end, event.reason)
      else frameBuffers.giveBack(event.frame)
    })
    const end: End = { channel, queue, early: [], over: false }
    this.#ends.set(connectionId, end)
    channel.binaryType = "arraybuffer"
    channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => this.#receive(connectionId, end, data))
    channel.addEventListener("open", () => this.#open(connectionId, end))
    channel.addEventListener("close", () => {
      // The page, too, considers it closed now, and will not close it.
      if (end.over) this.#ends.delete(connectionId)
      this.#config.page.take({ connectionId, state: "closed" })
    })
    channel.addEventListener("error", ({ error }) =>
      this.#config.page.take({ connectionId, state: "failed", reason: error.message }),
    )
    if (channel.readyState === "open") this.#open(connectionId, end)
  }

  /** Closes a channel whose connection has ended in the page. */
  close(connectionId: ConnectionId): void {
    const end = this.#ends.get(connectionId)
    this.#ends.delete(connectionId)
    end?.channel.close()
    // Otherwise its event follows.
    if (end?.channel.readyState === "closed") this.#config.page.take({ connectionId, state: "closed" })
  }

  /** Forwards an event from the page's host to the engine. */
  pass(event: HostEvent): void {
    const end = "connectionId" in event ? this.#ends.get(event.connectionId) : undefined
    if (end && event.type === "peer-closed") {
      this.#finish(end)
      // Otherwise the page closes it. One that the other side has closed is over.
      if (end.channel.readyState === "closed") this.#ends.delete(event.connectionId)
    }
    this.#config.engine.take(event)
    if (!end || event.type !== "peer-connected") return
    const frames = end.early ?? []
    end.early = null
    if (frames.length > 0)
      this.#config.engine.take({
        type: "peer-frames",
        connectionId: event.connectionId,
        reliability: "reliable",
        frames,
      })
  }

  /** Handles a command from the engine. Returns false if it is for the page's host. */
  post(command: HostCommand): boolean {
    const end = "connectionId" in command ? this.#ends.get(command.connectionId) : undefined
    if (!end) return false
    if (command.type === "peer-send" && command.reliability === "reliable") {
      end.queue.send(command.frames)
      return true
    }
    if (command.type === "peer-close") this.#finish(end)
    return false
  }

  #open(connectionId: ConnectionId, end: End): void {
    end.queue.opened()
    this.#config.page.take({ connectionId, state: "open" })
  }

  #receive(connectionId: ConnectionId, end: End, data: unknown): void {
    if (end.over) return
    if (!(data instanceof ArrayBuffer)) return this.#fail(connectionId, end, "text came where only bytes may")
    const frame = new Uint8Array(data)
    if (end.early === null) {
      return this.#config.engine.take({ type: "peer-frames", connectionId, reliability: "reliable", frames: [frame] })
    }
    end.early.push(frame)
    if (end.early.length > EARLY_FRAMES_MAX)
      this.#fail(connectionId, end, "the other side floods a connection that is not open")
  }

  /** Ends the events of this channel. The channel itself still delivers what waits. */
  #finish(end: End): void {
    end.over = true
    end.early = null
    end.queue.finish()
  }

  #fail(connectionId: ConnectionId, end: End, reason: string): void {
    end.over = true
    end.early = null
    end.queue.stop()
    this.#config.page.take({ connectionId, state: "failed", reason })
  }
}
