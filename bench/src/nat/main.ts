/**
 * The path between two browsers, for each pair of NATs, with nothing configured and with TURN. All are real: Chromium,
 * the server with its STUN, coturn and the kernel's NAT.
 *
 * Usage: npm run nat -- [--runs N] [--out DIRECTORY] [NAT NAT]
 *
 * Prints a table of medians of N meetings, 3 unless given. Two NATs: only that pair. `--out bench/results` keeps it for
 * docs/benchmarks, which `npm run bench -- docs` writes.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { LabUnavailable } from "@keymoot/e2e/hosts"
import { type Nat, NATS } from "@keymoot/e2e/nats"
import { findService, howToInstall } from "@keymoot/tools"
import { missingChromium } from "../browsers/browser-needed.ts"
import { UNAVAILABLE, USAGE_WRONG } from "../run/exit-codes.ts"
import { PairLab } from "./pair-lab.ts"
import { resultOf } from "../run/result.ts"
import { headOf, NATS_NAME, pairsOf, type Row, rowOf, sectionOf } from "./table.ts"

const { values, positionals } = parseArgs({
  options: { runs: { type: "string", default: "3" }, out: { type: "string" } },
  allowPositionals: true,
})
const runs = Number(values.runs)
const isNat = (name: string): name is Nat => (NATS as readonly string[]).includes(name)

if (!Number.isInteger(runs) || runs < 1 || !positionals.every(isNat) || ![0, 2].includes(positionals.length)) {
  console.error(`npm run nat -- [--runs N] [--out DIRECTORY] [NAT NAT], with NAT one of ${NATS.join(", ")}`)
  process.exitCode = USAGE_WRONG
} else {
  const missing = missingChromium()
  if (missing !== null) {
    console.error(missing)
    process.exitCode = UNAVAILABLE
  } else await main()
}

async function main(): Promise<void> {
  const withTurn = findService("turnserver") !== null
  if (!withTurn) console.log(`Without the columns of TURN. ${howToInstall("turnserver")}.`)
  const [one, other] = positionals.filter(isNat)
  const pairs = one === undefined || other === undefined ? pairsOf(NATS) : [[one, other] as const]
  try {
    const lines: string[] = []
    const tell = (line: string) => {
      lines.push(line)
      console.log(line)
    }
    tell(headOf(withTurn))
    for (const pair of pairs) tell(rowOf(await measured(pair, withTurn)))
    const { out } = values
    if (out !== undefined) writeFileSync(join(out, NATS_NAME), sectionOf(lines, runs, resultOf("nat", false, [])))
  } catch (error) {
    if (!(error instanceof LabUnavailable)) throw error
    console.error(error.message)
    process.exitCode = UNAVAILABLE
  }
}

async function measured(nats: readonly [Nat, Nat], withTurn: boolean): Promise<Row> {
  const lab = await PairLab.start(nats, { withTurn })
  const row: Row = { nats, plain: [], turn: [] }
  try {
    for (let run = 0; run < runs; run++) {
      row.plain.push(await lab.meet(false))
      if (withTurn) row.turn.push(await lab.meet(true))
    }
    return row
  } finally {
    await lab.close()
  }
}
