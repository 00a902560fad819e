/** Lock of one identity in one conference. Two tabs would be one member twice, so the second tab gets an error. */

/** Time to wait for a lock: a reloading page may still hold its own for a moment. */
const PATIENCE_MS = 4000

/** Locks held in this process if there is no Web Locks API (Node before 24). */
const heldHere = new Set<string>()

/** Resolves with the release function, or null if another holder keeps the lock. */
export async function acquireLock(name: string): Promise<(() => void) | null> {
  const locks = globalThis.navigator?.locks
  if (!locks) {
    if (heldHere.has(name)) return null
    heldHere.add(name)
    return () => void heldHere.delete(name)
  }
  return new Promise((resolve) => {
    let release: () => void = () => undefined
    const held = new Promise<void>((done) => (release = done))
    locks
      .request(name, { signal: AbortSignal.timeout(PATIENCE_MS) }, () => {
        resolve(release)
        return held
      })
      .catch(() => resolve(null))
  })
}

/** Whether this or another tab holds such a lock. */
export async function isLockHeld(which: (name: string) => boolean): Promise<boolean> {
  const locks = globalThis.navigator?.locks
  if (!locks) return [...heldHere].some(which)
  const { held = [] } = await locks.query()
  return held.some(({ name }) => name !== undefined && which(name))
}
