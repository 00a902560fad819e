/** Runs actions in FIFO order, each after the one before has settled. */
export function createQueue(): <T>(action: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (action) => {
    const run = last.then(action, action)
    last = run.catch(() => undefined)
    return run
  }
}
