/** A busy page runs it after this time all the same. */
const WAIT_MS_MAX = 1500

/** Runs what no screen waits for, after the page has been drawn. */
export function whenIdle(run: () => void): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(run, { timeout: WAIT_MS_MAX })
  else setTimeout(run)
}
