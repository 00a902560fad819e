/** DEFLATE (RFC 1951) by the platform's streams. Snapshots of text and drawings shrink to a fraction. */
import { concatBytes } from "@noble/hashes/utils.js"
import { bufferSource } from "./bytes.ts"

/**
 * Compressed bytes per write to the platform. It inflates a whole write before it can be stopped, up to 1032 times as
 * much. So it exceeds the bound by at most a few megabytes.
 */
const STEP_BYTES = 4096
/** Bound on compressed bytes that wait. A transfer beyond it is refused. */
export const INFLATE_WAITING_BYTES_MAX = 64 * 1024 * 1024

export async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bufferSource(bytes)]).stream().pipeThrough(new CompressionStream("deflate-raw"))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** Common budget of the inflated bytes of several streams. */
export class InflationBudget {
  readonly #bytesMax: number
  left: number

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
    this.left = bytesMax
  }

  renew(): void {
    this.left = this.#bytesMax
  }
}

/** Inflates one stream at a time, so that many concurrent compression bombs need no more memory than one. */
export class Inflater {
  #last: Promise<unknown> = Promise.resolve()
  #waitingBytes = 0
  #inflatedBytes = 0

  /** All inflated bytes so far, of refused streams too. */
  get inflatedBytes(): number {
    return this.#inflatedBytes
  }

  /**
   * Returns null if the stream is invalid, inflates to more than `bytesMax` or the rest of the budget, or finds the
   * queue full.
   */
  inflate(bytes: Uint8Array, bytesMax: number, budget = new InflationBudget(bytesMax)): Promise<Uint8Array | null> {
    if (this.#waitingBytes + bytes.length > INFLATE_WAITING_BYTES_MAX) return Promise.resolve(null)
    this.#waitingBytes += bytes.length
    const inflated = this.#last.then(() => {
      this.#waitingBytes -= bytes.length
      return this.#run(bytes, Math.min(bytesMax, budget.left), budget)
    })
    this.#last = inflated
    return inflated
  }

  async #run(bytes: Uint8Array, bytesMax: number, budget: InflationBudget): Promise<Uint8Array | null> {
    const reader = stepwise(bytes).pipeThrough(new DecompressionStream("deflate-raw")).getReader()
    const parts: Uint8Array[] = []
    let total = 0
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        total += part.value.length
        this.#inflatedBytes += part.value.length
        budget.left = Math.max(0, budget.left - part.value.length)
        if (total > bytesMax) {
          await reader.cancel()
          return null
        }
        parts.push(part.value)
      }
    } catch {
      return null
    }
    return concatBytes(...parts)
  }
}

/** The only one of its thread, for all conferences, because they share memory. */
export const inflater = new Inflater()

/** Writes a step only when the one before has been read. */
function stepwise(bytes: Uint8Array): ReadableStream<BufferSource> {
  let at = 0
  return new ReadableStream<BufferSource>(
    {
      pull(controller) {
        if (at >= bytes.length) return controller.close()
        controller.enqueue(bufferSource(bytes.subarray(at, (at += STEP_BYTES))))
      },
    },
    { highWaterMark: 0 },
  )
}
