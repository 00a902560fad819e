import { KeymootError } from "../../api/index.ts"
import { aborted } from "./engine-connection.ts"

/**
 * Bound on the sends of one channel that wait behind a message in pieces, and on the waiting messages in pieces of one
 * conference. Beyond it they are refused.
 */
export const BEHIND_MAX = 1000

/**
 * Keeps the messages of one channel, or those in pieces of all channels, in the order of the calls. Later messages wait
 * behind one in pieces. Otherwise none waits. Other channels are independent.
 */
export class SendOrder {
  readonly #waiting: (() => void)[] = []
  #busy = false

  /** Whether a message that is sent now has to wait. */
  get busy(): boolean {
    return this.#busy
  }

  /** @throws KeymootError `queue-full`, `aborted`, and as `send` */
  run<T>(inPieces: boolean, signal: AbortSignal | undefined, send: () => Promise<T>): Promise<T> {
    if (!this.#busy) return this.#begin(inPieces, send)
    if (signal?.aborted) return Promise.reject(aborted())
    if (this.#waiting.length >= BEHIND_MAX) {
      const message = "Too much waits behind a large message. Wait until that one is delivered."
      return Promise.reject(new KeymootError("queue-full", message))
    }
    return new Promise((resolve, reject) => {
      const turn = (): void => {
        signal?.removeEventListener("abort", giveUp)
        resolve(this.#begin(inPieces, send))
      }
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1)
        reject(aborted())
      }
      signal?.addEventListener("abort", giveUp, { once: true })
      this.#waiting.push(turn)
    })
  }

  /** Resolves once everything that waits now has been sent or has failed. */
  drained(): Promise<void> {
    return this.#busy ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve()
  }

  #begin<T>(inPieces: boolean, send: () => Promise<T>): Promise<T> {
    const sending = send()
    if (!inPieces) return sending
    this.#busy = true
    const over = (): void => this.#next()
    sending.then(over, over)
    return sending
  }

  #next(): void {
    this.#busy = false
    while (!this.#busy && this.#waiting.length > 0) this.#waiting.shift()!()
  }
}
