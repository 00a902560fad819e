import { compute, computeReport } from "./compute.ts"
import { type Experiment, MODULE_NAMES } from "../experiment/experiment.ts"
import type { Figure } from "../experiment/figure.ts"
import { medianOf } from "../experiment/story.ts"

const QUICK = { sizes: [16], runs: 5 }

export const computeExperiment: Experiment = {
  name: "compute",
  about: "Milliseconds that a member computes for one event, beside ts-mls in the same run.",
  takes: { modules: MODULE_NAMES, sizes: { what: "members", least: 4, most: 300 }, postQuantum: true },
  run: async function* (options) {
    yield* await compute(options.quick ? { ...QUICK, ...options } : options)
  },
  report: computeReport,
  shows: {
    plots: [
      {
        title: "One member's work for one event, signatures included; ts-mls beside it",
        of: ({ metric, unit, module, n }: Figure) =>
          unit === "ms" &&
          n !== undefined &&
          module !== undefined &&
          (metric.endsWith(", with signatures") || module.startsWith("ts-mls")),
        bar: ({ module, event, metric, n }) => `${module}, ${event}: ${metric.split(",")[0]}, n=${n}`,
        scale: "log",
      },
    ],
    paper:
      "An exponentiation of 512 bits takes 1.7 ms and an RSA signature 9.6 ms on a 666 MHz Pentium III. Their counts explain the papers' times (Amir, Kim, Nita-Rotaru and Tsudik, section 6.1.1). The papers have no tree of a standard to compare with.",
    found: (figures) => {
      const at = (module: string, event: string, metric: string) => medianOf(figures, { module, event, metric })
      return `A multiplication takes ${medianOf(figures, { metric: "one multiplication" })} here. With signatures, when one of 100 leaves, TGDH's sponsor works ${at("tgdh", "leave", "sponsor, with signatures")}. The slowest of the others works ${at("tgdh", "leave", "slowest other, with signatures")}. With ts-mls the same removal takes ${at("ts-mls 1.6.4", "leave", "make a removal")} to make and ${at("ts-mls 1.6.4", "leave", "process a removal")} to process. GDH's controller works ${at("gdh", "leave", "controller, with signatures")}, CKD's ${at("ckd", "leave", "controller, with signatures")}, and each member under BD ${at("bd", "any", "each member, with signatures")}.`
    },
    why: "Under TGDH one path of the tree is computed, on a group compiled to WebAssembly, and one message is signed. ts-mls encrypts the path for every other half of the tree. It signs, hashes and encodes the whole commit, in JavaScript and WebCrypto. GDH's and CKD's controllers multiply once for each member, and under BD each member adds twice for each.",
  },
}
