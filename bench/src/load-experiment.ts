import type { Experiment } from "./experiment.ts"
import { load, QUICK, WHOLE } from "./load.ts"

export const loadExperiment: Experiment = {
  name: "load",
  about: "The server: start, memory with 5,000 clients in 500 rooms, 2,000 signals a second (needs Linux).",
  takes: {},
  run: async function* ({ runs, quick }) {
    yield* await load(runs ?? (quick ? 1 : 3), quick ? QUICK : WHOLE)
  },
}
