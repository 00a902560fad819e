/** Two tabs of one identity in one conference would be one member twice; the second is told. */

/** A reloading page may still hold its lock for a moment. */
const PATIENCE_MS = 4000

/** Held in this process where there is no Web Locks API (Node before 24). */
const heldHere = new Set<string>()

/** Resolves with the release, or null if somebody else keeps it. */
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

/** Whether somebody, here or in another tab, holds such a lock. */
export async function isLockHeld(which: (name: string) => boolean): Promise<boolean> {
  const locks = globalThis.navigator?.locks
  if (!locks) return [...heldHere].some(which)
  const { held = [] } = await locks.query()
  return held.some(({ name }) => name !== undefined && which(name))
}
