/** Experiments over real data channels, which a worker does not have: they run on the page itself. A line each. */
import type { Experiment } from "./experiment.ts"

export const experimentsOnPage: readonly Experiment[] = []
