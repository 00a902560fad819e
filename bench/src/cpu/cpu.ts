/**
 * Processor time of members for one event: steps as measured, one signature for each message sent, one verification for
 * each received.
 */
import type { KeyAgreementName, MemberId, PrimeOrderGroup } from "@keymoot/gke"
import { Conference } from "../in-memory/conference.ts"
import { ALL, BUSIEST, FLUSH } from "./cpu-metrics.ts"
import { type Figure, figureOf } from "../experiment/figure.ts"
import { type Ed25519Times, type Machine, median } from "../experiment/machine.ts"

const WARM_UP_RUNS = 2
/** Amir et al., Secure Spread, section 6, Pentium II: a join that makes fifteen. */
const PAPER = { module: "gdh", event: "join", n: 14, metric: ALL, milliseconds: 128.5 }

/** `work`: exponentiations, and of equal ones additions. */
type Part = { milliseconds: number; work: number }
const ADDITIONS_LESS_THAN_ONE = 1e-4

type Times = { readonly busiest: number; readonly all: number; readonly flush: number }

/** @param n members with the newcomer, or with who leaves */
export async function measureCpu(
  module: KeyAgreementName,
  group: PrimeOrderGroup,
  machine: Machine,
  n: number,
  runs: number,
): Promise<Figure[]> {
  const conference = new Conference(module, group)
  let present: readonly MemberId[] = conference.start(n)
  conference.change(present)
  const times: Record<"join" | "leave", Times[]> = { join: [], leave: [] }
  for (let run = -WARM_UP_RUNS; run < runs; run++) {
    const signature = await machine.measure()
    const staying = present.filter((_, i) => i !== Math.floor(n / 2))
    const leave = timesOf(conference, staying, signature)
    present = [...staying, ...conference.start(1)]
    const join = timesOf(conference, present, signature)
    if (run < 0) continue
    times.leave.push(leave)
    times.join.push(join)
  }
  return [...figuresOf(module, "leave", n, times.leave), ...figuresOf(module, "join", n - 1, times.join)]
}

function timesOf(conference: Conference, ids: readonly MemberId[], { signMs, verifyMs }: Ed25519Times): Times {
  const agreeing = new Map(ids.map((id): [MemberId, Part] => [id, { milliseconds: 0, work: 0 }]))
  const flushing: number[] = []
  conference.onStep = ({ member, input, outputs, milliseconds, exponentiations, additions }) => {
    if (input.type === "contribute") return void flushing.push(milliseconds + signMs + (ids.length - 1) * verifyMs)
    const sent = outputs.filter(({ type }) => type === "multicast" || type === "unicast").length
    const received = input.type === "message" && input.from !== member ? 1 : 0
    const part = agreeing.get(member)!
    part.milliseconds += milliseconds + sent * signMs + received * verifyMs
    part.work += exponentiations + additions * ADDITIONS_LESS_THAN_ONE
  }
  conference.change(ids)
  conference.onStep = () => {}
  const parts = [...agreeing.values()]
  const all = parts.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  return { busiest: busiestOf(parts), all, flush: median(flushing) }
}

/**
 * The part with the highest count, and the median of several. The slowest by the clock may only have been interrupted.
 */
function busiestOf(parts: readonly Part[]): number {
  const most = Math.max(...parts.map(({ work }) => work))
  return median(parts.filter(({ work }) => work === most).map(({ milliseconds }) => milliseconds))
}

function figuresOf(module: string, event: string, n: number, times: readonly Times[]): Figure[] {
  const figure = (metric: string, values: readonly number[]): Figure => {
    const isPapers =
      PAPER.module === module && PAPER.event === event && PAPER.n === n && PAPER.metric === metric
        ? { paper: PAPER.milliseconds }
        : {}
    return figureOf({ experiment: "cpu", module, event, n, metric, unit: "ms", ...isPapers }, values)
  }
  return [
    figure(
      BUSIEST,
      times.map(({ busiest }) => busiest),
    ),
    figure(
      ALL,
      times.map(({ all }) => all),
    ),
    figure(
      FLUSH,
      times.map(({ flush }) => flush),
    ),
  ]
}
