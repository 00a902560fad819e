import { cost } from "./cost.ts"
import { costTable } from "./cost-table.ts"
import { MODULE_NAMES } from "./experiment.ts"
import type { Experiment, Plot } from "./experiment.ts"
import { kemsOf } from "./hybrid-agreement.ts"
import { majorityCost } from "./majority-cost.ts"
import { find, medianOf } from "./story.ts"

const QUICK = { sizes: [2, 8, 32], runs: 2 }
const QUICK_CHANGES = [2, 8]

const plots: readonly Plot[] = (
  [
    ["exponentiations", "join"],
    ["exponentiations", "leave"],
    ["rounds", "join"],
    ["rounds", "leave"],
    ["multicasts", "join"],
    ["bytes", "join"],
  ] as const
).map(([metric, event]) => ({
  title: `${event}: ${metric}${metric === "exponentiations" ? " on the critical path" : ""}`,
  of: (figure) => figure.metric === metric && figure.event === event,
  x: { label: "members before the event", at: ({ n }) => n! },
  series: ({ module }) => module!,
  scale: "log",
}))

export const costExperiment: Experiment = {
  name: "cost",
  about: "Rounds, messages, exponentiations, signatures and bytes of each module and event, beside the papers'.",
  takes: { modules: MODULE_NAMES, sizes: { what: "members", least: 2, most: 300 }, postQuantum: true },
  run: async function* (options) {
    const asked = options.quick ? { ...QUICK, ...options } : options
    const kems = await kemsOf(options.postQuantum)
    yield* cost(asked, options.quick ? QUICK_CHANGES : undefined, kems)
    if ((options.modules ?? MODULE_NAMES).includes("majority")) yield* await majorityCost(asked.sizes)
  },
  report: costTable,
  shows: {
    plots,
    paper:
      "TGDH, STR and CKD need two or three rounds for a join, and GDH four. A leave takes one. BD needs two for any event. Exponentiations grow with the logarithm of the members under TGDH and stay at three under BD. They grow with the members under the others, except in STR's joins. (Amir, Kim, Nita-Rotaru and Tsudik, table 1; Amir et al., Secure Spread, tables 2 to 4).",
    found: (figures) => {
      const at = (module: string, event: string, metric: string) => {
        const wanted = { module, event, metric, n: 32 }
        return `${medianOf(figures, wanted)} (the paper: ${find(figures, wanted)?.paper ?? "?"})`
      }
      return `When one joins 32, TGDH has ${at("tgdh", "join", "rounds")} rounds and ${at("tgdh", "join", "exponentiations")} exponentiations. GDH has ${at("gdh", "join", "rounds")} and ${at("gdh", "join", "exponentiations")}, BD ${at("bd", "join", "rounds")} and ${at("bd", "join", "exponentiations")}. When one of 32 leaves, TGDH has ${at("tgdh", "leave", "exponentiations")} exponentiations, STR ${at("str", "leave", "exponentiations")} and CKD ${at("ckd", "leave", "exponentiations")}.`
    },
    why: "Each member's first message, a separate round in the papers, travels here with the flush that every view change has anyway. That saves a round under all modules but GDH, and an exponentiation where it can be made before the view is known. TGDH and STR have more exponentiations on the longest chain, because every member recomputes and checks the blinded keys that it receives. That keeps an insider from planting one, and table 1 leaves it out.",
  },
}
