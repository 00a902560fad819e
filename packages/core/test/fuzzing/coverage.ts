/**
 * V8's block coverage of this process, over the inspector. It needs no instrumentation and no native module, so the
 * fuzzer needs only Node.
 */
import { Session, type Profiler } from "node:inspector"

/** Source of the product. Coverage of libraries would guide towards their insides. */
const PRODUCT = /\/(?:packages\/(?:core|gke|transport)|apps\/(?:signaling|web))\/src\//u

export class Coverage {
  readonly #session = new Session()
  readonly #watched: RegExp

  /** `watched`: URLs of the files that count. */
  constructor(watched = PRODUCT) {
    this.#watched = watched
    this.#session.connect()
    this.#post("Profiler.enable")
    this.#post("Profiler.startPreciseCoverage", { callCount: true, detailed: true })
    this.take()
  }

  /** Code that ran since the last call. */
  take(): Ran {
    const ran = new Map<string, Interval[]>()
    const { result } = this.#post("Profiler.takePreciseCoverage") as Profiler.TakePreciseCoverageReturnType
    for (const { url, functions } of result) {
      if (!this.#watched.test(url)) continue
      for (const { ranges } of functions) {
        const [whole] = ranges
        if (whole && whole.count > 0) ran.set(`${url}:${whole.startOffset}`, intervalsIn(ranges))
      }
    }
    return ran
  }

  end(): void {
    this.#session.disconnect()
  }

  /** The inspector of the own thread answers before `post` returns. */
  #post(method: string, parameters: object = {}): unknown {
    let answer: unknown = null
    this.#session.post(method, parameters, (error, result) => {
      if (error) throw error
      answer = result
    })
    return answer
  }
}

/** Offsets of source text, the second one exclusive. */
type Interval = readonly [from: number, to: number]
/** Per function: what ran of it. */
type Ran = ReadonlyMap<string, readonly Interval[]>

/** V8 gives the function, then the blocks in it whose count differs from that of what is around them. */
function intervalsIn([whole, ...blocks]: readonly Profiler.CoverageRange[]): Interval[] {
  const { startOffset, endOffset } = whole!
  const runs = new Uint8Array(endOffset - startOffset).fill(1)
  for (const block of blocks)
    runs.fill(Math.min(1, block.count), block.startOffset - startOffset, block.endOffset - startOffset)
  const intervals: Interval[] = []
  for (let from = runs.indexOf(1); from >= 0;) {
    const end = runs.indexOf(0, from)
    const to = end < 0 ? runs.length : end
    intervals.push([from, to])
    from = runs.indexOf(1, to)
  }
  return intervals
}

/** Start of code that had not run before. */
export type Place = { readonly of: string; readonly offset: number }

export function hasRun(ran: Ran, { of, offset }: Place): boolean {
  return ran.get(of)?.some(([from, to]) => from <= offset && offset < to) ?? false
}

/** All code that has run. */
export class Reached {
  readonly #offsets = new Map<string, Set<number>>()

  get size(): number {
    return [...this.#offsets.values()].reduce((sum, { size }) => sum + size, 0)
  }

  /** Adds it. Returns the places at which it goes beyond what has run before. */
  add(ran: Ran): Place[] {
    const places: Place[] = []
    for (const [of, intervals] of ran) {
      let known = this.#offsets.get(of)
      if (!known) this.#offsets.set(of, (known = new Set()))
      for (const [from, to] of intervals) {
        for (let offset = from; offset < to; offset++) {
          if (known.has(offset)) continue
          if (offset === from || known.has(offset - 1)) places.push({ of, offset })
          known.add(offset)
        }
      }
    }
    return places
  }
}
