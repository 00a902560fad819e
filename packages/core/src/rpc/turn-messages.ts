/**
 * Messages of one turn that wait to cross between page and engine. At the bound they cross at once, and none is lost.
 */
export const TURN_MESSAGES_MAX = 256

/** Combines the messages of one turn of the event loop, because each crossing costs both threads. */
export class TurnMessages<Message> {
  readonly #post: (messages: readonly Message[]) => void
  #messages: Message[] = []

  constructor(post: (messages: readonly Message[]) => void) {
    this.#post = post
  }

  get last(): Message | undefined {
    return this.#messages.at(-1)
  }

  add(message: Message): void {
    if (this.#messages.length === 0) queueMicrotask(() => this.#flush())
    this.#messages.push(message)
    if (this.#messages.length >= TURN_MESSAGES_MAX) this.#flush()
  }

  #flush(): void {
    const messages = this.#messages
    this.#messages = []
    if (messages.length > 0) this.#post(messages)
  }
}
