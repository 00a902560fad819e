import { LANES_MAX, LANE_TASKS_MAX } from "./bounds.ts"

/**
 * The only asynchronous part of the mesh: tasks of one lane run one after another, so what one sender said first is
 * acted on first; lanes do not wait for each other, so a slow or flooding member delays only itself.
 */
export class Lanes {
  readonly #lanes = new Map<string, { waiting: number; tail: Promise<void> }>()
  readonly #onFailure: (error: unknown) => void

  /** `onFailure`: a signer or checker rejected. */
  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure
  }

  /** False if the lane or the table of lanes is full: the task is dropped. */
  run(name: string, task: () => Promise<void>): boolean {
    const lane = this.#lanes.get(name) ?? { waiting: 0, tail: Promise.resolve() }
    if (lane.waiting >= LANE_TASKS_MAX || (lane.waiting === 0 && this.#lanes.size >= LANES_MAX)) return false
    this.#lanes.set(name, lane)
    lane.waiting += 1
    lane.tail = lane.tail
      .then(task)
      .catch(this.#onFailure)
      .then(() => {
        lane.waiting -= 1
        if (lane.waiting === 0) this.#lanes.delete(name)
      })
    return true
  }
}
