/**
 * The path between two browsers, for each pair of NATs, with nothing configured and with TURN. All are real: Chromium,
 * the server with its STUN, coturn and the kernel's NAT.
 *
 * `--out bench/results` keeps its table for docs/benchmarks, which `npm run bench -- docs` writes.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { LabUnavailable } from "@keymoot/e2e/hosts"
import { type Nat, NATS } from "@keymoot/e2e/nats"
import { findService, fromCommandLine, howToInstall } from "@keymoot/tools"
import { missingChromium } from "../browsers/browser-needed.ts"
import { UNAVAILABLE } from "../run/exit-codes.ts"
import { wholeNumber } from "../run/options.ts"
import { PairLab } from "./pair-lab.ts"
import { needCommit, resultOf } from "../run/result.ts"
import { headOf, NATS_NAME, pairsOf, type Row, rowOf, sectionOf } from "./table.ts"

const USAGE = `npm run nat -- [--runs N] [--out DIRECTORY] [NAT NAT]

Prints a table of medians of N meetings, 3 unless given. Two NATs: only that pair. NAT is one of ${NATS.join(", ")}.`
const isNat = (name: string): name is Nat => (NATS as readonly string[]).includes(name)

const { runs, out, pairs } = fromCommandLine(USAGE, () => {
  const { values, positionals } = parseArgs({
    options: { runs: { type: "string", default: "3" }, out: { type: "string" } },
    allowPositionals: true,
  })
  const [one, other] = positionals.filter(isNat)
  if (!positionals.every(isNat) || ![0, 2].includes(positionals.length)) throw new Error("Give two NATs, or none.")
  const pairs = one === undefined || other === undefined ? pairsOf(NATS) : [[one, other] as const]
  needCommit(values.out)
  return { runs: wholeNumber("--runs", values.runs, 1, 10_000), out: values.out, pairs }
})
const missing = missingChromium()
if (missing !== null) {
  console.error(missing)
  process.exitCode = UNAVAILABLE
} else await main()

async function main(): Promise<void> {
  const withTurn = findService("turnserver") !== null
  if (!withTurn) console.log(`Without the columns of TURN. ${howToInstall("turnserver")}.`)
  try {
    const lines: string[] = []
    const tell = (line: string) => {
      lines.push(line)
      console.log(line)
    }
    tell(headOf(withTurn))
    for (const pair of pairs) tell(rowOf(await measured(pair, withTurn)))
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
