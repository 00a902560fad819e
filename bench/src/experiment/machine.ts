/** Helpers to measure computing time. */
import type { PrimeOrderGroup } from "@keymoot/gke"
import { type Figure, figureOf } from "./figure.ts"

/** By metric. */
export type Samples = Map<string, number[]>

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

export function add(samples: Samples, metric: string, value: number): void {
  samples.set(metric, [...(samples.get(metric) ?? []), value])
}

export function figuresOf(samples: Samples, what: { module?: string; event?: string; n: number }): Figure[] {
  return [...samples].map(([metric, values]) =>
    figureOf({ experiment: "compute", ...what, metric, unit: metric.startsWith("times ") ? "ratio" : "ms" }, values),
  )
}

export type Ed25519Times = { readonly signMs: number; readonly verifyMs: number }

/** Times of single operations, measured again in each run. They show the machine's load. */
export class Machine {
  readonly samples: Samples = new Map()
  readonly #group: PrimeOrderGroup

  constructor(group: PrimeOrderGroup) {
    this.#group = group
  }

  async measure(): Promise<Ed25519Times> {
    const { subtle } = crypto
    const { privateKey, publicKey } = (await subtle.generateKey("Ed25519", false, ["sign", "verify"])) as CryptoKeyPair
    // As many bytes as a sponsor's message has.
    const message = new Uint8Array(300)
    const scalar = this.#group.randomScalar(crypto.getRandomValues(new Uint8Array(64)))
    const element = this.#group.multiplyBase(scalar)
    const signature = await subtle.sign("Ed25519", privateKey, message)
    const signMs = await medianTime(() => subtle.sign("Ed25519", privateKey, message))
    const verifyMs = await medianTime(() => subtle.verify("Ed25519", publicKey, signature, message))
    const multiplyMs = await medianTime(() => this.#group.multiply(element, scalar))
    add(this.samples, "one multiplication", multiplyMs)
    add(this.samples, "one Ed25519 signature", signMs)
    add(this.samples, "one Ed25519 verification", verifyMs)
    return { signMs, verifyMs }
  }
}

/** Ten operations are timed together, because a browser's clock is coarse. */
const AT_ONCE = 10

async function medianTime(act: () => unknown): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 9; i++) {
    const start = performance.now()
    for (let j = 0; j < AT_ONCE; j++) await act()
    times.push((performance.now() - start) / AT_ONCE)
  }
  return median(times)
}
