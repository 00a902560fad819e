/** Then the next task begins too: a member's slow picture must not hold up those of all others. */
export const TURN_MAX_MS = 5_000
/** Pictures beside the current one that still take memory. Beyond them the next one waits, however long. */
const OVERDUE_PICTURES_MAX = 2

type InTurn = <T>(begin: () => Promise<T>) => Promise<T>

/** Draws one picture after another, and up to three at once while some are slow. Each takes 160 MB at most. */
export const drawInTurn = turns(OVERDUE_PICTURES_MAX)

/** Reads one file after another. One that never ends holds up no other. */
export const readInTurn = turns(Infinity)

/**
 * A queue of tasks. The next one begins when the last one has ended. It also begins when that is overdue and at most
 * `overdueMax` tasks are running.
 */
function turns(overdueMax: number): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  const running = new Set<Promise<unknown>>()

  async function turnOf(ended: Promise<unknown>): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    running.add(ended)
    await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, TURN_MAX_MS)))])
    clearTimeout(timer)
    if (running.size > overdueMax) await Promise.race(running)
  }

  return (begin) => {
    const result = last.then(begin)
    const ended: Promise<unknown> = result.catch(() => undefined).then(() => running.delete(ended))
    last = last.then(() => turnOf(ended))
    return result
  }
}
