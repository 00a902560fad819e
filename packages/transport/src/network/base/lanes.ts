import { LANES_MAX, LANE_TASKS_MAX } from "../../bounds/network-bounds.ts"
import type { MeshFaults } from "./mesh-faults.ts"

type Lane = { waiting: number; tail: Promise<void> }

/**
 * The only asynchronous part of the mesh. Tasks of one lane run one after another, so messages of one sender are
 * processed in order. Lanes do not wait for each other, so a slow or flooding member delays only itself.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  readonly #faults: MeshFaults

  constructor(faults: MeshFaults) {
    this.#faults = faults
  }

  get isBusy(): boolean {
    return this.#lanes.size > 0
  }

  /** Returns false if the lane or the table of lanes is full: the task is dropped, and counted. */
  run(name: string, task: () => Promise<void>): boolean {
    const lane: Lane = this.#lanes.get(name) ?? { waiting: 0, tail: Promise.resolve() }
    if (lane.waiting >= LANE_TASKS_MAX || (lane.waiting === 0 && this.#lanes.size >= LANES_MAX)) {
      this.#faults.drop("a queue of signatures is full")
      return false
    }
    this.#lanes.set(name, lane)
    lane.waiting += 1
    lane.tail = this.#runAfter(lane.tail, task).then(() => this.#finish(name, lane))
    return true
  }

  async #runAfter(former: Promise<void>, task: () => Promise<void>): Promise<void> {
    await former
    try {
      await task()
    } catch {
      this.#faults.drop("a signer or checker failed")
    }
  }

  #finish(name: string, lane: Lane): void {
    lane.waiting -= 1
    if (lane.waiting === 0) this.#lanes.delete(name)
  }
}
