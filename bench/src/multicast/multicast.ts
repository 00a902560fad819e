/** Secure multicast without order and links: batch, pad, encrypt, sign, frame; and the way back. */
import { MulticastPair } from "@keymoot/core/testing"
import { figureOf, type Figure } from "../experiment/figure.ts"

const MODES = ["signature", "group"] as const
const RATE = "per second"
const BYTES_PER_MB = 1_000_000
type Mode = (typeof MODES)[number]
/** A message of a chat, generously. */
export const PLAIN_BYTES = 1024
/** Size of the pieces in which an application sends files and boards. */
const PIECE_BYTES = 65_536
/** A run takes about so many bytes, so that a clock in milliseconds serves. */
const RUN_BYTES = 8 * 1024 * 1024
const RUN_MESSAGES = { alone: 200, batched: 8000 }
const WARM_UP_RUNS = 2

/** alone: each message leaves by itself; batched: as many together as fit. */
const PACKINGS = ["alone", "batched"] as const
const METRICS = ["send", "receive"] as const
/** The time of signed messages by that of the same run under the group key alone. */
export const COMPARED = "to the group key"

/** Milliseconds of some messages. */
type Times = { readonly send: number; readonly receive: number }

/**
 * Both modes in each run, in turns first: the pace of a machine changes, and a ratio within a run does not. `measured`
 * takes the place of the measurement in tests.
 */
export async function multicast(bytes: number, runs: number, measured = measure): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const event of PACKINGS) {
    const count = Math.max(1, Math.min(RUN_MESSAGES[event], Math.floor(RUN_BYTES / Math.max(bytes, 1))))
    const times: Readonly<Record<Mode, Times[]>> = { signature: [], group: [] }
    for (let run = -WARM_UP_RUNS; run < runs; run++) {
      for (const mode of run % 2 === 0 ? MODES : MODES.toReversed()) {
        const { send, receive } = await measured(mode, bytes, count, event === "alone" ? 1 : undefined)
        if (run >= 0) times[mode].push({ send: send / count, receive: receive / count })
      }
    }
    figures.push(...MODES.flatMap((mode) => figuresOf(mode, event, bytes, times[mode])))
    for (const metric of METRICS) {
      const what = { experiment: "multicast", module: "signature", event, n: bytes, metric: `${metric}, ${COMPARED}` }
      const ratios = times.signature.map((signed, run) => signed[metric] / times.group[run]![metric])
      figures.push(figureOf({ ...what, unit: "ratio" }, ratios))
    }
  }
  return figures
}

function figuresOf(module: Mode, event: string, bytes: number, times: readonly Times[]): Figure[] {
  return METRICS.flatMap((metric) => {
    const what = { experiment: "multicast", module, event, n: bytes, metric }
    const samples = times.map((one) => one[metric])
    const rates = samples.map((milliseconds) => 1000 / milliseconds)
    const throughputs = rates.map((perSecond) => (perSecond * bytes) / BYTES_PER_MB)
    return [
      figureOf({ ...what, unit: "ms" }, samples),
      figureOf({ ...what, metric: `${metric}, rate`, unit: RATE }, rates),
      ...(bytes === 0 ? [] : [figureOf({ ...what, metric: `${metric}, throughput`, unit: "MB/s" }, throughputs)]),
    ]
  })
}

/** Milliseconds for all of them. */
async function measure(mode: Mode, bytes: number, count: number, perBatchMax?: number): Promise<Times> {
  const pair = await MulticastPair.create(mode)
  const message = new Uint8Array(bytes).fill(7)
  const pieces = Array.from({ length: Math.max(1, Math.ceil(bytes / PIECE_BYTES)) }, (_, i) =>
    message.subarray(i * PIECE_BYTES, (i + 1) * PIECE_BYTES),
  )
  const payloads = Array.from({ length: count }, () => pieces).flat()
  // Keys are imported at their first use, once for an epoch.
  await pair.receive(await pair.send([new Uint8Array(1)]))
  const start = performance.now()
  const sent = await pair.send(payloads, perBatchMax)
  const between = performance.now()
  const received = await pair.receive(sent)
  const end = performance.now()
  if (received !== payloads.length) throw new Error(`${received} of ${payloads.length} messages came out`)
  return { send: between - start, receive: end - between }
}
