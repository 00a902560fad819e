type Leave = () => void
/** How it leaves, or a promise of that. */
type Departure = () => Leave | Promise<Leave>

/**
 * What goes out, in the order of its coming. Of one turn everything is signed at once and then leaves at once: an agreed
 * message of the sequencer shares a frame of the link with the ORDER that names it. Nobody can deliver the one without the
 * other, and handing frames to a link one by one takes longer than a signature.
 */
export class Departures {
  #waiting: Departure[] = []
  #running = false
  readonly #onError: (error: unknown) => void

  /** `onError`: signing or leaving failed, which no peer's bytes can bring about. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  add(leave: Leave): void {
    this.#add(() => leave)
  }

  /** `sign` is called when its turn has come; nothing that is added afterwards leaves before it. */
  addSigned<T>(sign: () => Promise<T>, leave: (signed: T) => void): void {
    this.#add(async () => {
      try {
        const made = await sign()
        return () => leave(made)
      } catch (error) {
        return () => this.#onError(error)
      }
    })
  }

  /** Resolves when everything added so far has left. */
  idle(): Promise<void> {
    return new Promise((done) => this.add(done))
  }

  #add(departure: Departure): void {
    this.#waiting.push(departure)
    if (this.#running) return
    this.#running = true
    void Promise.resolve().then(() => this.#run())
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const departures = this.#waiting
      this.#waiting = []
      const leaving = departures.map((departure) => departure())
      // Where nothing is signed, nothing is waited for.
      const isWaitedFor = leaving.some((leave) => leave instanceof Promise)
      const leaves = isWaitedFor ? await Promise.all(leaving) : (leaving as Leave[])
      for (const leave of leaves) this.#attempt(leave)
    }
    this.#running = false
  }

  #attempt(leave: Leave): void {
    try {
      leave()
    } catch (error) {
      this.#onError(error)
    }
  }
}
