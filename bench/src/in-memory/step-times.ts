/** Times of steps that an interruption of one member does not change. */
import type { Step } from "./conference.ts"
import { median } from "../experiment/machine.ts"

/** Bound on the remembered times of a kind. */
const SAMPLES_MAX = 31

/** Steps with equal computation are of one kind. */
export function kindOf({ input, exponentiations, additions, kemOperations, outputs }: Step): string {
  const sends = outputs.some(({ type }) => type === "multicast" || type === "unicast")
  return [input.type, exponentiations, additions, kemOperations, sends].join(" ")
}

export class StepTimes {
  readonly #kinds = new Map<string, number[]>()

  /** Milliseconds of this step: the median of the last steps of its kind. By the clock it may have been interrupted. */
  typicalMs(step: Step): number {
    const kind = kindOf(step)
    const times = [...(this.#kinds.get(kind) ?? []), step.milliseconds].slice(-SAMPLES_MAX)
    this.#kinds.set(kind, times)
    return median(times)
  }
}
