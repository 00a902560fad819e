/** What measuring computing time needs. */
import { generateKeyPairSync, randomBytes, sign, verify } from "node:crypto"
import type { PrimeOrderGroup } from "@keymoot/gke"
import { figureOf } from "./figure.ts"
import type { Figure } from "./figure.ts"

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

/** What single operations take, again in each run: the measure of how busy the machine is. */
export class Machine {
  readonly samples: Samples = new Map()
  readonly #keys = generateKeyPairSync("ed25519")
  readonly #group: PrimeOrderGroup

  constructor(group: PrimeOrderGroup) {
    this.#group = group
  }

  measure(): Ed25519Times {
    const { privateKey, publicKey } = this.#keys
    // As many bytes as a sponsor's message has.
    const message = new Uint8Array(300)
    const scalar = this.#group.randomScalar(randomBytes(64))
    const element = this.#group.multiplyBase(scalar)
    const signature = sign(null, message, privateKey)
    const signMs = medianTime(() => sign(null, message, privateKey))
    const verifyMs = medianTime(() => verify(null, message, publicKey, signature))
    add(
      this.samples,
      "one multiplication",
      medianTime(() => this.#group.multiply(element, scalar)),
    )
    add(this.samples, "one Ed25519 signature", signMs)
    add(this.samples, "one Ed25519 verification", verifyMs)
    return { signMs, verifyMs }
  }
}

function medianTime(act: () => void): number {
  const times = Array.from({ length: 21 }, () => {
    const start = performance.now()
    act()
    return performance.now() - start
  })
  return median(times)
}
