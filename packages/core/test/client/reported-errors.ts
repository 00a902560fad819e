import { vi } from "vitest"

/** Collects the exceptions of listeners, which would be uncaught, until `vi.unstubAllGlobals`. */
export function reportedErrors(): unknown[] {
  const reported: unknown[] = []
  const queue = queueMicrotask
  vi.stubGlobal("queueMicrotask", (task: () => void) =>
    queue(() => {
      try {
        task()
      } catch (error) {
        reported.push(error)
      }
    }),
  )
  return reported
}
