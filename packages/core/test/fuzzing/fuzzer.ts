import { setImmediate } from "node:timers/promises"
import { getHeapStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js"
import { mutated, Random } from "@keymoot/transport/testing"
import { type Coverage, hasRun, type Place, Reached } from "./coverage.ts"
import type { Target } from "./targets.ts"

/** Inputs between two looks at the coverage, which take as long as many inputs. */
const BATCH = 100
/** An input that takes more processor time is a finding. */
const INPUT_MS_MAX = 2000
/**
 * An input that needs more memory is a finding. The engine's conference of three members needs about 55 MiB, garbage
 * included; any other target less than 25.
 */
const MEMORY_BYTES_MAX = 128 * 1024 * 1024
/** Inputs that leave more behind in sum are a finding. */
const LEFT_BYTES_MAX = 512 * 1024 * 1024
/** Between two looks at the memory of an asynchronous machine. */
const LOOK_MS = 5
/** Longer mutants are cut, since short ones run faster. */
const INPUT_BYTES_MAX = 2048
/** Room for several messages with post-quantum ciphertexts, of 1.1 KB for each recipient. */
const LONG_INPUT_BYTES_MAX = 8192
/** Bound on the kept inputs of a target, seeds not counted. `corpus.test.ts` replays them all. */
const KEPT_MAX = 150
/** For targets that take many milliseconds for an input: looks at the coverage cost little beside them. */
const SLOW = { batch: 10, keptMax: 30 }

type Finding = { readonly input: string; readonly error: string }
/** `batch`: inputs between two looks at the coverage. */
type FuzzOptions = {
  readonly coverage: Coverage
  readonly random: Random
  readonly forMs: number
  readonly batch?: number
  readonly keptMax?: number
}
type Report = {
  readonly runs: number
  readonly reached: number
  readonly findings: readonly Finding[]
  readonly kept: readonly Uint8Array[]
  /** Kept inputs that gave way to others, because there were as many as the bound allows. */
  readonly replaced: number
}

/**
 * Runs mutated inputs for that long, or until a finding. Keeps those that reach new blocks, and of `earlier`, the inputs
 * that earlier runs kept, those that reach more than the seeds and shorter ones.
 */
export async function fuzz(
  target: Target,
  earlier: readonly Uint8Array[],
  {
    coverage,
    random,
    forMs,
    batch = target.isSlow ? SLOW.batch : BATCH,
    keptMax = target.isSlow ? SLOW.keptMax : KEPT_MAX,
  }: FuzzOptions,
): Promise<Report> {
  const reached = new Reached()
  const kept: Uint8Array[] = []
  let replaced = 0
  const findings: Finding[] = []
  let runs = 0
  let baseBytes = await bytesAfterCollection()
  const run = async (input: Uint8Array): Promise<void> => {
    runs++
    const start = process.cpuUsage()
    try {
      let peakBytes = await peakOf(target, input)
      const { user, system } = process.cpuUsage(start)
      if ((user + system) / 1000 > INPUT_MS_MAX) throw new Error(`takes more than ${INPUT_MS_MAX} ms`)
      if (peakBytes <= baseBytes + MEMORY_BYTES_MAX) return
      // Garbage of earlier inputs counts as well, so the input runs again without it.
      baseBytes = await bytesAfterCollection()
      peakBytes = await peakOf(target, input)
      if (peakBytes > baseBytes + MEMORY_BYTES_MAX) throw new Error(`needs more than ${MEMORY_BYTES_MAX} bytes`)
      if (baseBytes > LEFT_BYTES_MAX) throw new Error("the heap grows")
    } catch (error) {
      findings.push({ input: bytesToHex(input), error: error instanceof Error ? (error.stack ?? "") : String(error) })
    }
  }
  for (const input of target.seeds) await run(input)
  reached.add(coverage.take())
  for (const input of earlier.toSorted((one, other) => one.length - other.length)) {
    await run(input)
    if (reached.add(coverage.take()).length > 0) keepOne(input)
  }
  const endMs = performance.now() + forMs
  while (performance.now() < endMs && findings.length === 0) {
    const inputs = Array.from({ length: batch }, () =>
      mutation(random, [...target.seeds, ...kept]).subarray(0, inputBytesMax(target)),
    )
    for (const input of inputs) await run(input)
    const places = reached.add(coverage.take())
    // Ports that a script has closed stay in memory until the event loop turns.
    await setImmediate()
    await keep(inputs, new Set(places))
  }
  return { runs, reached: reached.size, findings, kept, replaced }

  /** At the bound a random one gives way: a full corpus must not end the guidance. */
  function keepOne(input: Uint8Array): void {
    if (kept.length < keptMax) return void kept.push(input)
    kept[random.integer(kept.length)] = input
    replaced++
  }

  /** Runs the inputs again, in halves, to see which of them reach the new places. */
  async function keep(inputs: readonly Uint8Array[], places: Set<Place>): Promise<void> {
    if (places.size === 0) return
    for (const input of inputs) await run(input)
    const ran = coverage.take()
    const own = [...places].filter((place) => hasRun(ran, place))
    if (own.length === 0) return
    if (inputs.length > 1) {
      const middle = Math.ceil(inputs.length / 2)
      await keep(inputs.slice(0, middle), places)
      return keep(inputs.slice(middle), places)
    }
    for (const place of own) places.delete(place)
    keepOne(inputs[0]!)
  }
}

/** The bound on mutants of this target. */
export function inputBytesMax({ isLong }: Target): number {
  return isLong ? LONG_INPUT_BYTES_MAX : INPUT_BYTES_MAX
}

/**
 * The most memory in use during the run. A machine is dropped at its end. So an asynchronous one is looked at while it
 * waits, and each before its memory can be collected.
 */
async function peakOf(target: Target, input: Uint8Array): Promise<number> {
  let peakBytes = 0
  const look = (): void => void (peakBytes = Math.max(peakBytes, bytesUsed()))
  const running = target.run(input.slice())
  if (running) {
    const looks = setInterval(look, LOOK_MS)
    await running.finally(() => clearInterval(looks))
  }
  look()
  return peakBytes
}

/** The heap and, as external memory, the contents of array buffers. Cheaper than `process.memoryUsage()`. */
function bytesUsed(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}

/** Otherwise what no longer counts is included. */
async function bytesAfterCollection(): Promise<number> {
  // Ports that a script has closed stay in memory until the event loop turns.
  await setImmediate()
  setFlagsFromString("--expose-gc")
  runInNewContext("gc")()
  return bytesUsed()
}

/** One to four mutations, one on top of the other. */
function mutation(random: Random, corpus: readonly Uint8Array[]): Uint8Array {
  const samples = corpus.filter(({ length }) => length > 0)
  let input = mutated(random, samples)
  for (let more = random.integer(4); more > 0 && input.length > 0; more--) {
    input = random.chance(0.3) ? longer(random, input) : mutated(random, [input, ...samples])
  }
  return input
}

function longer(random: Random, input: Uint8Array): Uint8Array {
  const at = random.integer(input.length + 1)
  return concatBytes(input.subarray(0, at), random.bytes(1 + random.integer(4)), input.subarray(at))
}
