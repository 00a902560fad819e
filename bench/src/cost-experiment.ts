import { cost } from "./cost.ts"
import { costTable } from "./cost-table.ts"
import { MODULE_NAMES } from "./experiment.ts"
import type { Experiment } from "./experiment.ts"
import { majorityCost } from "./majority-cost.ts"

const QUICK = { sizes: [2, 8, 32], runs: 2 }
const QUICK_CHANGES = [2, 8]

export const costExperiment: Experiment = {
  name: "cost",
  about: "Rounds, messages, exponentiations, signatures and bytes of each module and event, beside the papers'.",
  takes: { modules: MODULE_NAMES, sizes: { what: "members", least: 2, most: 300 } },
  run: async function* (options) {
    const asked = options.quick ? { ...QUICK, ...options } : options
    yield* options.quick ? cost(asked, QUICK_CHANGES) : cost(asked)
    if ((options.modules ?? MODULE_NAMES).includes("majority")) yield* await majorityCost(asked.sizes)
  },
  report: costTable,
}
