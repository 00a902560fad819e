/**
 * Decides when the browser should probe a line for more video. Without a probe its estimate grows by about 8 % a second.
 * So a line that becomes ten times wider stays unused for half a minute.
 */

/** An estimate that grows so much between two looks: then no packets wait for the line. */
const GROWTH = 1.02

type ProbeInput = {
  /** The browser's estimate in bits a second; null if it has none. */
  readonly estimate: number | null
  /** Bits a second that all pictures may take. */
  readonly wanted: number
}

export class BandwidthProbes {
  #former = Infinity
  #isNarrow = false

  /** Whether the line carries less than pictures may take. */
  get isNarrow(): boolean {
    return this.#isNarrow
  }

  /** Takes the state at a look, and returns whether to probe. A probe of a full line would delay its sound. */
  step({ estimate, wanted }: ProbeInput): boolean {
    const isGrowing = estimate !== null && estimate > GROWTH * this.#former
    this.#former = estimate ?? Infinity
    this.#isNarrow = estimate !== null && estimate < wanted
    return isGrowing && this.#isNarrow
  }
}

/** The browser's estimate of what the line in use carries, from its statistics; null if it reports none. */
export function estimateOf(statistics: Iterable<object>): number | null {
  for (const each of statistics as Iterable<Readonly<Record<string, unknown>>>) {
    const isUsed = each["type"] === "candidate-pair" && each["nominated"] === true && each["state"] === "succeeded"
    if (isUsed && typeof each["availableOutgoingBitrate"] === "number") return each["availableOutgoingBitrate"]
  }
  return null
}
