import { KEY_AGREEMENT_NAMES, loadSodiumGroup } from "@keymoot/gke"
import { ALL, BUSIEST, FLUSH } from "./cpu-metrics.ts"
import { measureCpu } from "./cpu.ts"
import type { Experiment, Plot } from "../experiment/experiment.ts"
import { Machine } from "../experiment/machine.ts"
import { medianOf } from "../experiment/story.ts"

/** With the newcomer, and with who leaves; 15 is the size of which the paper gives a figure. */
const SIZES = { quick: [4, 15], full: [2, 4, 8, 15, 30, 50, 100] }

const plots: readonly Plot[] = (["join", "leave"] as const).map((event) => ({
  title: `${event}: CPU time of the busiest member; the flush, which there is without any key, alone`,
  of: (figure) =>
    figure.event === event && (figure.metric === BUSIEST || (figure.metric === FLUSH && figure.module === "tgdh")),
  x: { label: "members before the event", at: ({ n }) => n! },
  series: ({ metric, module }) => (metric === FLUSH ? "flush" : module!),
  scale: "log",
}))

export const cpuExperiment: Experiment = {
  name: "cpu",
  about: "CPU time of a join and of a leave, signatures included, and of the flush alone.",
  takes: { modules: KEY_AGREEMENT_NAMES, sizes: { what: "members", least: 2, most: 300 } },
  run: async function* (options, progress) {
    const { quick = false, modules = KEY_AGREEMENT_NAMES } = options
    const sizes = options.sizes ?? SIZES[quick ? "quick" : "full"]
    const group = await loadSodiumGroup()
    const machine = new Machine(group)
    const names = KEY_AGREEMENT_NAMES.filter((name) => modules.includes(name))
    let done = 0
    for (const n of sizes) {
      for (const module of names) {
        progress(done++, sizes.length * names.length)
        yield* await measureCpu(module, group, machine, n, options.runs ?? (quick ? 3 : 9))
      }
    }
    progress(done, done)
  },
  shows: {
    plots,
    paper:
      "CPU time of joins and leaves follows the number of exponentiations. Under Cliques' GDH a join to fifteen members takes 128.5 ms on a 450 MHz Pentium II, 88 % of it exponentiations. The network takes little beside it. (Amir et al., Secure Spread, section 6, figures 3 and 4).",
    found: (figures) => {
      const at = (module: string, event: string, n: number, metric = BUSIEST) =>
        medianOf(figures, { module, event, n, metric })
      return `Under GDH a join that makes fifteen members takes ${at("gdh", "join", 14, ALL)} of all members together, and ${at("gdh", "join", 14)} of the busiest one. The busiest one takes ${at("ckd", "join", 14)} under CKD and ${at("tgdh", "join", 14)} under TGDH. A leave from 100 takes ${at("gdh", "leave", 100)} under GDH, ${at("ckd", "leave", 100)} under CKD and ${at("tgdh", "leave", 100)} under TGDH. The flush alone takes ${at("tgdh", "leave", 100, FLUSH)}.`
    },
    why: "A multiplication on ristretto255 takes a small fraction of the 2.5 ms of a 512-bit exponentiation then. A verification takes about as long as a multiplication. In large groups each member verifies as many signatures for the flush as GDH's or CKD's controller multiplies for a leave. That is many times the work of TGDH's sponsor.",
  },
}
