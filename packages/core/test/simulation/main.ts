/** npm run sim -- --seed S --members N --events E [--module tgdh|str|bd|gdh|ckd] [--trace FILE]: one run; exits 1 and tells the story on a violation. */
import { writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { KEY_AGREEMENT_NAMES } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { judge } from "@keymoot/transport/testing"
import { runSecure } from "./run.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    members: { type: "string", default: "5" },
    events: { type: "string", default: "12" },
    module: { type: "string", default: "tgdh" },
    trace: { type: "string" },
  },
})
const [seed, members, faultCount] = [Number(values.seed), Number(values.members), Number(values.events)]
if (![seed, members, faultCount].every(Number.isSafeInteger) || members < 1 || members > 24) {
  console.error("--seed, --members (1 to 24) and --events take whole numbers.")
  process.exit(2)
}
const module = KEY_AGREEMENT_NAMES.find((name) => name === values.module)
if (!module) {
  console.error(`--module is one of ${KEY_AGREEMENT_NAMES.join(", ")}.`)
  process.exit(2)
}
const { faults, trace } = runSecure(seed, members, createToyGroup(), {
  module,
  faultCount,
  calmMs: 2000 + 350 * faultCount,
})
if (values.trace !== undefined) writeFileSync(values.trace, trace.map((event) => `${JSON.stringify(event)}\n`).join(""))
const violations = judge(trace)
const views = trace.filter((event) => event.e === "view").length
console.log(
  `seed ${seed}: ${members} members, ${faults.length} faults, ${trace.length} events, ${views} views installed`,
)
if (violations.length > 0) {
  for (const fault of faults) console.log(JSON.stringify(fault))
  for (const { property, detail, t } of violations.slice(0, 10))
    console.log(`violated at ${t.toFixed(1)}: ${property}: ${detail}`)
  process.exit(1)
}
