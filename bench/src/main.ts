/** npm run bench -- list | EXPERIMENT [options]; see `options.ts`. */
import { compute, computeReport } from "./compute.ts"
import { cost } from "./cost.ts"
import { costTable } from "./cost-table.ts"
import { asLine } from "./figure.ts"
import type { Figure } from "./figure.ts"
import { majorityCost } from "./majority-cost.ts"
import { MODULE_NAMES, parseRequest, USAGE, UsageError } from "./options.ts"
import type { Options } from "./options.ts"

type Experiment = {
  readonly about: string
  readonly takes: readonly (keyof Options)[]
  readonly run: (options: Options) => Promise<readonly Figure[]>
  /** For people; a line for each figure if undefined. */
  readonly report?: (figures: readonly Figure[]) => string
}

const experiments: Readonly<Record<string, Experiment>> = {
  cost: {
    about: "rounds, messages, exponentiations, signatures and bytes of each module and event, beside the papers'",
    takes: ["runs", "modules", "sizes"],
    run: async (options) => [
      ...cost(options),
      ...((options.modules ?? MODULE_NAMES).includes("majority") ? await majorityCost(options.sizes) : []),
    ],
    report: costTable,
  },
  compute: {
    about: "milliseconds that a member computes for one event, beside ts-mls in the same run",
    takes: ["runs", "modules", "sizes"],
    run: compute,
    report: computeReport,
  },
  load: {
    about: "the server: start, memory with 5,000 clients in 500 rooms, 2,000 signals a second (needs Linux)",
    takes: ["runs"],
    run: async ({ runs }) => (await import("./load.ts")).load(runs ?? 3),
  },
  room: {
    about: "real browsers: cold load, join to secured, stroke to stroke (needs the web app built)",
    takes: ["runs"],
    // Loaded when asked for: the others need no browser.
    run: async ({ runs }) => (await import("./room.ts")).room(runs ?? 5),
  },
}

try {
  const takes = Object.fromEntries(Object.entries(experiments).map(([name, { takes }]) => [name, takes]))
  const { experiment, json, options } = parseRequest(process.argv.slice(2), takes)
  const chosen = experiments[experiment]
  if (!chosen) {
    for (const [name, { about }] of Object.entries(experiments)) console.log(`${name}: ${about}`)
    console.log(USAGE)
  } else {
    const figures = await chosen.run(options)
    if (json) for (const figure of figures) console.log(JSON.stringify(figure))
    else console.log(chosen.report?.(figures) ?? figures.map(asLine).join("\n"))
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
