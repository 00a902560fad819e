import type { Model } from "./model.ts"

/** `unknown`: the prover gave up. */
export type Verdict = "holds" | "fails" | "unknown"

export type Prover = {
  /** The models that it reads. */
  readonly extension: string
  /** Null if it can run here, or the reason why not. */
  missing(): string | null
  /**
   * Verdicts by lemma, for this variant of the model's text: at least for the lemmas that are asked for. A run that does
   * not end well throws.
   */
  run(model: Model, text: string, asked: readonly string[]): ReadonlyMap<string, Verdict>
}
