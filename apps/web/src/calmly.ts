/** After one long run, this multiple of its duration is left to the rest of the page. */
const REST = 3

export type Calm = { readonly request: () => void; readonly cancel: () => void }

/**
 * Limits redraws that others can trigger at any rate. Draws at once after a pause, and then once for all requests of a
 * pause. A pause lasts `restMs`, and longer where drawing is slow: a flood uses a quarter of the page's time at most.
 */
export function calmly(draw: () => void, restMs: number): Calm {
  let timer: ReturnType<typeof setTimeout> | undefined
  let [isResting, isWanted, isOver] = [false, false, false]

  function run(): void {
    isWanted = false
    isResting = true
    const beganMs = performance.now()
    draw()
    afterPicture(() => {
      if (isOver) return
      timer = setTimeout(
        () => {
          isResting = false
          if (isWanted) run()
        },
        Math.max(restMs, REST * (performance.now() - beganMs)),
      )
    })
  }

  return {
    request: () => {
      isWanted = true
      if (!isResting && !isOver) run()
    },
    cancel: () => {
      isOver = true
      clearTimeout(timer)
    },
  }
}

/** A hidden page draws no frames. */
function afterPicture(run: () => void): void {
  const isSeen = typeof document !== "undefined" && !document.hidden
  if (isSeen) requestAnimationFrame(() => setTimeout(run))
  else setTimeout(run)
}
