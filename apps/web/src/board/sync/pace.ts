export type Frames = {
  /** Runs it after the current task; returns a cancellation. */
  readonly soon: (run: () => void) => () => void
  /** Runs it before the next frame is drawn; returns a cancellation. */
  readonly nextFrame: (run: () => void) => () => void
}
export type Pace = {
  /** Requests `act`; cheap enough for every pointer event. */
  readonly request: () => void
  readonly cancel: () => void
}

/**
 * Calls `act` at once if the previous frame had no call, and else once a frame, for any number of requests. So a stroke
 * does not wait for a frame when it is sent and for another when it arrives.
 * @param act its argument is true if it is called at once
 */
export function paced(act: (atOnce: boolean) => void, { soon, nextFrame }: Frames): Pace {
  /** The pending cancellation; `null` while a request is answered at once. */
  let cancelNext: (() => void) | null = null
  let isWanted = false

  function run(atOnce: boolean): void {
    isWanted = false
    // Before `act`, which may request again.
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
