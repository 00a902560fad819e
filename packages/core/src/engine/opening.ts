/**
 * What the group has delivered, on its way through decryption to the application: one after another, so that views and
 * messages arrive in the order of the group.
 */
import { SerialQueue } from "./serial-queue.ts"

/**
 * Ciphertext that waits to be opened. Above the first figure the group holds back what it could deliver, until there is
 * less than the second; a view that ends brings what it holds all the same (`heldBytesMax` a sender).
 */
export const OPENING_BYTES_HIGH = 8 * 1024 * 1024
export const OPENING_BYTES_LOW = 4 * 1024 * 1024
/** The same in frames, which have a cost of their own. */
export const OPENING_FRAMES_HIGH = 2048

export type OpeningConfig = {
  /** Deliver nothing for now, or go on. */
  readonly hold: (held: boolean) => void
  readonly fail: (error: unknown) => void
}

export class Opening {
  readonly #config: OpeningConfig
  readonly #queue: SerialQueue
  #bytes = 0
  #frames = 0
  #held = false

  constructor(config: OpeningConfig) {
    this.#config = config
    this.#queue = new SerialQueue(config.fail)
  }

  /** Waiting or being opened. */
  get bytes(): number {
    return this.#bytes
  }

  /** Something that happens in its place between frames. */
  add(task: () => void | Promise<void>): void {
    this.#queue.add(task)
  }

  addFrame(bytes: number, task: () => Promise<void>): void {
    this.#bytes += bytes
    this.#frames++
    if (this.#bytes > OPENING_BYTES_HIGH || this.#frames > OPENING_FRAMES_HIGH) this.#hold(true)
    this.#queue.add(() =>
      task().finally(() => {
        this.#bytes -= bytes
        this.#frames--
        if (this.#bytes <= OPENING_BYTES_LOW && this.#frames <= OPENING_FRAMES_HIGH / 2) this.#hold(false)
      }),
    )
  }

  #hold(held: boolean): void {
    if (held === this.#held) return
    this.#held = held
    this.#config.hold(held)
  }
}
