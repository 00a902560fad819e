import { cost, WITH_FLUSH } from "./cost.ts"
import { costTable } from "./cost-table.ts"
import { type Experiment, type LinePlot, MODULE_NAMES, type Plot } from "../experiment/experiment.ts"
import { kemsOf } from "../in-memory/hybrid-agreement.ts"
import { majorityCost } from "./majority-cost.ts"
import { randomTrees, treeEvent, TREES } from "./random-trees.ts"
import { roleMetric, ROLES, type Role } from "./roles.ts"
import { find, ifMeasured, medianOf } from "../experiment/story.ts"

const QUICK = { sizes: [2, 8, 32], runs: 2 }
const QUICK_CHANGES = [2, 8]

const x: LinePlot["x"] = { label: "members before the event", at: ({ n }) => n! }
const EVENTS = ["join", "leave"] as const
const isFlush = (metric: string): boolean => metric === "flush multicasts" || metric === "confirmation multicasts"

const modulePlots: readonly Plot[] = (
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
  x,
  series: ({ module }) => module!,
  scale: "log",
}))

const plots: readonly Plot[] = [
  ...modulePlots,
  {
    title: "join: multicasts of the key agreement, and of the flush and the confirmations, which all modules have",
    of: ({ metric, module, event }) =>
      event === "join" && (metric === "multicasts" || (isFlush(metric) && module === "tgdh")),
    x,
    series: ({ module, metric }) => (isFlush(metric) ? metric.split(" ")[0]! : module!),
    scale: "log",
  },
  ...EVENTS.map((event): Plot => ({
    title: `${event}: exponentiations by role, GDH, CKD and TGDH`,
    of: (figure) =>
      figure.event === event &&
      ["gdh", "ckd", "tgdh"].includes(figure.module!) &&
      ROLES.some((role) => figure.metric === roleMetric(role)),
    x,
    series: ({ module, metric }) => `${module}: ${ROLES.find((role) => metric === roleMetric(role))}`,
    scale: "log",
  })),
  ...EVENTS.map((event): Plot => ({
    title: `TGDH, ${event}: exponentiations on the critical path, random trees and balanced ones`,
    of: (figure) =>
      figure.metric === "exponentiations" && TREES.some((tree) => figure.event === treeEvent(event, tree)),
    x,
    series: (figure) => figure.event!,
    scale: "linear",
  })),
]

export const costExperiment: Experiment = {
  name: "cost",
  about: "Rounds, messages, exponentiations, signatures and bytes of each module and event, beside the papers'.",
  takes: { modules: MODULE_NAMES, sizes: { what: "members", least: 2, most: 300 }, postQuantum: true },
  run: async function* (options) {
    const asked = options.quick ? { ...QUICK, ...options } : options
    const kems = await kemsOf(options.postQuantum)
    yield* cost(asked, options.quick ? QUICK_CHANGES : undefined, kems)
    const modules = options.modules ?? MODULE_NAMES
    if (modules.includes("tgdh")) yield* randomTrees(asked.sizes, asked.runs)
    if (modules.includes("majority")) yield* await majorityCost(asked.sizes)
  },
  report: costTable,
  shows: {
    plots,
    paper:
      "TGDH, STR and CKD need two or three rounds for a join, and GDH four. A leave takes one. BD needs two for any event. Exponentiations grow with the logarithm of the members under TGDH and stay at three under BD. They grow with the members under the others, except in STR's joins. (Amir, Kim, Nita-Rotaru and Tsudik, table 1; Amir et al., Secure Spread, tables 2 to 4).\n\nRounds are those of the key agreement alone. The trees of TGDH are balanced ones; a random tree makes joins cheaper and leaves dearer (section 6.1.2).",
    found: (figures) => {
      const at = (module: string, event: string, metric: string) => {
        const wanted = { module, event, metric, n: 32 }
        return `${medianOf(figures, wanted)} (the paper: ${find(figures, wanted)?.paper ?? "?"})`
      }
      const median = (event: string, metric: string) => medianOf(figures, { module: "tgdh", event, metric, n: 32 })
      const role = (event: string, of: Role) => median(event, roleMetric(of))
      const flush = ifMeasured(
        "Flush and confirmations",
        `With flush and confirmations, a join to 32 has ${median("join", `rounds${WITH_FLUSH}`)} rounds and ${median("join", `messages${WITH_FLUSH}`)} messages under TGDH.`,
      )
      const byRole = ifMeasured(
        "Exponentiations by role",
        `By role, a join to 32 costs ${role("join", ROLES[0])} exponentiations at TGDH's sponsor, ${role("join", ROLES[1])} at the newcomer and ${role("join", ROLES[2])} at any other.`,
      )
      const trees = ifMeasured(
        "Random trees",
        `A random tree of 32 costs ${median(treeEvent("join", "random tree"), "exponentiations")} for a join and ${median(treeEvent("leave", "random tree"), "exponentiations")} for a leave. A balanced one costs ${median(treeEvent("join", "balanced tree"), "exponentiations")} and ${median(treeEvent("leave", "balanced tree"), "exponentiations")}.`,
      )
      return `When one joins 32, TGDH has ${at("tgdh", "join", "rounds")} rounds and ${at("tgdh", "join", "exponentiations")} exponentiations. GDH has ${at("gdh", "join", "rounds")} and ${at("gdh", "join", "exponentiations")}, BD ${at("bd", "join", "rounds")} and ${at("bd", "join", "exponentiations")}. When one of 32 leaves, TGDH has ${at("tgdh", "leave", "exponentiations")} exponentiations, STR ${at("str", "leave", "exponentiations")} and CKD ${at("ckd", "leave", "exponentiations")}.\n\n${flush}\n\n${byRole}\n\n${trees}`
    },
    why: "Each member's first message, a separate round in the papers, travels here with the flush that every view change has anyway. That saves a round under all modules but GDH, and an exponentiation where it can be made before the view is known.\n\nTGDH and STR have more exponentiations on the longest chain, because every member recomputes and checks the blinded keys that it receives. That keeps an insider from planting one, and table 1 leaves it out.\n\nBy role, the papers' values are tables 2 and 3 of Secure Spread. Their GDH is an earlier one, whose newcomer is the controller. So controller and newcomer of a GDH join count differently there. Rounds and messages of the key agreement are the papers' too. A view change has three rounds of the flush before, and one of confirmations after. Each member sends a SYNC and a confirmation, whatever the module.",
  },
}
