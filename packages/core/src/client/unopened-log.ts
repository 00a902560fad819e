import type { ChannelMessage } from "../api/index.ts"
import { ReceivedMessages } from "./received-messages.ts"

/**
 * Messages of the log on channels that the application has not opened, all together. The bounds of one channel exceed
 * those of the engine's log. So no member can displace what is still in that log.
 */
export class UnopenedLog {
  readonly #received = new ReceivedMessages()
  readonly #channels = new WeakMap<ChannelMessage, string>()

  add(channel: string, message: ChannelMessage): void {
    this.#channels.set(message, channel)
    this.#received.addLogged(message)
  }

  erase(ids: readonly string[]): void {
    this.#received.erase(new Set(ids))
  }

  /** Removes and returns the messages of a channel, in order. */
  take(channel: string): readonly ChannelMessage[] {
    const taken = this.#received.all.filter((message) => this.#channels.get(message) === channel)
    this.erase(taken.map(({ id }) => id))
    return taken
  }
}
