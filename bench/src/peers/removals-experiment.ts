/** The part of `peers` that a browser's worker can run: beside ts-mls alone, for the page, which has the rest. */
import type { Experiment } from "../experiment/experiment.ts"
import { PEERS, REMOVALS, SIZES, takes } from "./description.ts"
import { removals } from "./removals.ts"

export const removalsExperiment: Experiment = {
  name: PEERS,
  about: "A removal beside ts-mls.",
  takes,
  run: ({ sizes, runs, quick = false }, progress) => {
    const size = quick ? "quick" : "full"
    return removals(sizes ?? SIZES[size], runs ?? REMOVALS[size], progress)
  },
}
