export type Frames = {
  /** After what runs now; returns the cancellation. */
  readonly soon: (run: () => void) => () => void
  /** Before the next picture is drawn; returns the cancellation. */
  readonly nextFrame: (run: () => void) => () => void
}
export type Pace = {
  /** Asks for `act`; may be called for every event of the pointer. */
  readonly request: () => void
  readonly cancel: () => void
}

/**
 * Calls `act` at once when the picture before had none of it, so that a stroke does not wait for a frame on its way out and for another
 * on its way in; after that once a picture, however much is asked for.
 *
 * @param act is told whether it is called at once
 */
export function paced(act: (atOnce: boolean) => void, { soon, nextFrame }: Frames): Pace {
  /** Of what is to come; `null` while a request is answered at once. */
  let cancelNext: (() => void) | null = null
  let isWanted = false

  function run(atOnce: boolean): void {
    isWanted = false
    // Before `act`, which may ask again.
    cancelNext = nextFrame(() => {
      cancelNext = null
      if (isWanted) run(false)
    })
    act(atOnce)
  }

  return {
    request: () => {
      isWanted = true
      cancelNext ??= soon(() => run(true))
    },
    cancel: () => cancelNext?.(),
  }
}
