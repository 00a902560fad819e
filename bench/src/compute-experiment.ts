import { compute, computeReport } from "./compute.ts"
import { MODULE_NAMES } from "./experiment.ts"
import type { Experiment } from "./experiment.ts"

const QUICK = { sizes: [16], runs: 5 }

export const computeExperiment: Experiment = {
  name: "compute",
  about: "Milliseconds that a member computes for one event, beside ts-mls in the same run.",
  takes: { modules: MODULE_NAMES, sizes: { what: "members", least: 4, most: 300 } },
  run: async function* (options) {
    yield* await compute(options.quick ? { ...QUICK, ...options } : options)
  },
  report: computeReport,
}
