/** npm run bench -- list | EXPERIMENT [--runs N] [--json] */
import { parseArgs } from "node:util"
import { asLine, type Figure } from "./figure.ts"
import { room } from "./room.ts"

type Experiment = { readonly about: string; readonly run: (runs: number) => Promise<Figure[]> }

const experiments: Readonly<Record<string, Experiment>> = {
  room: { about: "real browsers: cold load, join to secured, stroke to stroke (needs the web app built)", run: room },
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "string", default: "5" }, json: { type: "boolean", default: false } },
})
const name = positionals[0] ?? "list"
const runs = Number(values.runs)
if (!Number.isSafeInteger(runs) || runs < 1) fail("--runs takes a whole number from 1 on.")
if (name === "list") {
  for (const [experiment, { about }] of Object.entries(experiments)) console.log(`${experiment}: ${about}`)
} else {
  const experiment = experiments[name] ?? fail(`There is no experiment ${name}. "npm run bench -- list" shows them.`)
  for (const figure of await experiment.run(runs)) console.log(values.json ? JSON.stringify(figure) : asLine(figure))
}
