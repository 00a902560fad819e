import { type Readable, store } from "../../store.ts"
import type { CallProblem, CallToggle } from "./openTracks.ts"

/** Problems of the call: at most one of each device, and one of the call itself. */
export type CallProblems = {
  /** The latest problem, as the person has just pressed something. Hidden or solved, it gives way to the one before. */
  readonly shown: Readable<CallProblem | null>
  add(problem: CallProblem): void
  /** Forgets what was wrong with this device, and with the call itself. Problems of other devices last. */
  solved(toggle: CallToggle): void
  hide(): void
  /** The only problem from now on; null for none. */
  replace(problem: CallProblem | null): void
}

export function openCallProblems(): CallProblems {
  const problems = new Map<CallProblem["toggle"], CallProblem>()
  const shown = store<CallProblem | null>(null)
  const show = (): void => shown.set([...problems.values()].at(-1) ?? null)
  const add = (problem: CallProblem): void => {
    problems.delete(problem.toggle)
    problems.set(problem.toggle, problem)
    show()
  }
  return {
    shown,
    add,
    solved(toggle) {
      problems.delete(null)
      problems.delete(toggle)
      show()
    },
    hide() {
      const problem = shown.get()
      if (problem) problems.delete(problem.toggle)
      show()
    },
    replace(problem) {
      problems.clear()
      if (problem) add(problem)
      else show()
    },
  }
}
