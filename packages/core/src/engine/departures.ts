type SignedDeparture<T> = { readonly sign: () => Promise<T>; readonly leave: (signed: T) => void }
type Departure<T> = SignedDeparture<T> | { readonly sign: null; readonly leave: () => void }

/**
 * What goes out, in the order of its coming. Of one turn everything is signed at once and then leaves at once: an agreed
 * message of the sequencer shares a frame of the link with the ORDER that names it. Nobody can deliver the one without the
 * other, and handing frames to a link one by one takes longer than a signature.
 */
export class Departures<T> {
  #waiting: Departure<T>[] = []
  #running = false
  readonly #onError: (error: unknown) => void

  /** `onError`: signing or leaving failed, which no peer's bytes can bring about. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  add(leave: () => void): void {
    this.#add({ sign: null, leave })
  }

  /** `sign` is called when its turn has come; nothing that is added afterwards leaves before it. */
  addSigned(sign: () => Promise<T>, leave: (signed: T) => void): void {
    this.#add({ sign, leave })
  }

  /** Resolves when everything added so far has left. */
  idle(): Promise<void> {
    return new Promise((done) => this.add(done))
  }

  #add(departure: Departure<T>): void {
    this.#waiting.push(departure)
    if (this.#running) return
    this.#running = true
    void Promise.resolve().then(() => this.#run())
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const departures = this.#waiting
      this.#waiting = []
      const leaving = departures.map((departure) => (departure.sign ? signed(departure) : departure.leave))
      // Where nothing is signed, nothing is waited for.
      const leaves = departures.some(({ sign }) => sign) ? await Promise.all(leaving) : (leaving as (() => void)[])
      for (const leave of leaves) this.#attempt(leave)
    }
    this.#running = false
  }

  #attempt(leave: () => void): void {
    try {
      leave()
    } catch (error) {
      this.#onError(error)
    }
  }
}

/** How it leaves: with a signature, or by saying why there is none. */
async function signed<T>({ sign, leave }: SignedDeparture<T>): Promise<() => void> {
  try {
    const made = await sign()
    return () => leave(made)
  } catch (error) {
    return () => {
      throw error
    }
  }
}
