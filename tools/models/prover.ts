import type { Model } from "./model.ts"

/** `unknown`: the prover gave up. */
export type Verdict = "holds" | "fails" | "unknown"

/** A run includes the wait for a processor that others use. */
export const RUN_MS_MAX = 900_000

export type Prover = {
  /** The models that it reads. */
  readonly extension: string
  /** Null if it can run here, or the reason why not. */
  missing(): string | null
  /** Name and version, if it is not missing. */
  version(): string
  /**
   * Verdicts by lemma, for this variant of the model's text: at least for the lemmas that are asked for. A run that does
   * not end well throws.
   */
  run(model: Model, text: string, asked: readonly string[]): ReadonlyMap<string, Verdict>
}
