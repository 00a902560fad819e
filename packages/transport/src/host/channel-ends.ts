import { frameBuffers } from "../port/frame-buffers.ts"
import { EARLY_FRAMES_MAX } from "./frame-connection.ts"
import { FrameQueue } from "./frame-queue.ts"
import type { ChannelNews } from "./moved-channels.ts"
import type { Sink } from "../network/shared/sink.ts"
import type { HostCommand, HostEvent, LinkNumber } from "../port/port.ts"

type End = {
  readonly channel: RTCDataChannel
  readonly queue: FrameQueue
  /** Frames that came before the link was reported as connected. */
  early: Uint8Array[] | null
  over: boolean
}

export type ChannelEndsConfig = {
  /** To the engine. */
  readonly engine: Sink<HostEvent>
  /** To the page. */
  readonly page: Sink<ChannelNews>
}

/**
 * Data channels in the engine's own thread (moved-channels.ts). They sit between the engine and the page's host. They
 * handle the frames of their links, and forward everything else.
 */
export class ChannelEnds {
  readonly #config: ChannelEndsConfig
  readonly #ends = new Map<LinkNumber, End>()

  constructor(config: ChannelEndsConfig) {
    this.#config = config
  }

  /** Takes a channel from the page, before it is open. */
  add(link: LinkNumber, channel: RTCDataChannel): void {
    const queue = new FrameQueue(channel, (event) => {
      if (event.type === "failed") this.#fail(link, end, event.reason)
      else frameBuffers.giveBack(event.frame)
    })
    const end: End = { channel, queue, early: [], over: false }
    this.#ends.set(link, end)
    channel.binaryType = "arraybuffer"
    channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => this.#receive(link, end, data))
    channel.addEventListener("open", () => this.#open(link, end))
    channel.addEventListener("close", () => this.#config.page.take({ link, state: "closed" }))
    channel.addEventListener("error", ({ error }) =>
      this.#config.page.take({ link, state: "failed", reason: error.message }),
    )
    if (channel.readyState === "open") this.#open(link, end)
  }

  /** Closes a channel whose link has ended in the page. */
  close(link: LinkNumber): void {
    const end = this.#ends.get(link)
    this.#ends.delete(link)
    end?.channel.close()
    // Otherwise its event follows.
    if (end?.channel.readyState === "closed") this.#config.page.take({ link, state: "closed" })
  }

  /** Forwards an event from the page's host to the engine. */
  pass(event: HostEvent): void {
    const end = "link" in event ? this.#ends.get(event.link) : undefined
    if (end && event.type === "peer-closed") this.#finish(end)
    this.#config.engine.take(event)
    if (!end || event.type !== "peer-connected") return
    const frames = end.early ?? []
    end.early = null
    if (frames.length > 0) this.#config.engine.take({ type: "peer-frames", link: event.link, lane: "reliable", frames })
  }

  /** Handles a command from the engine. Returns false if it is for the page's host. */
  post(command: HostCommand): boolean {
    const end = "link" in command ? this.#ends.get(command.link) : undefined
    if (!end) return false
    if (command.type === "peer-send" && command.lane === "reliable") {
      end.queue.send(command.frames)
      return true
    }
    if (command.type === "peer-close") this.#finish(end)
    return false
  }

  #open(link: LinkNumber, end: End): void {
    end.queue.opened()
    this.#config.page.take({ link, state: "open" })
  }

  #receive(link: LinkNumber, end: End, data: unknown): void {
    if (end.over) return
    if (!(data instanceof ArrayBuffer)) return this.#fail(link, end, "text came where only bytes may")
    const frame = new Uint8Array(data)
    if (end.early === null) {
      return this.#config.engine.take({ type: "peer-frames", link, lane: "reliable", frames: [frame] })
    }
    end.early.push(frame)
    if (end.early.length > EARLY_FRAMES_MAX) this.#fail(link, end, "the other side floods a link that is not open")
  }

  /** Ends the events of this channel. The channel itself still delivers what waits. */
  #finish(end: End): void {
    end.over = true
    end.early = null
    end.queue.finish()
  }

  #fail(link: LinkNumber, end: End, reason: string): void {
    end.over = true
    end.early = null
    end.queue.stop()
    this.#config.page.take({ link, state: "failed", reason })
  }
}
