/** Rules of calls, each with the edits that break it and the unit test that must fail then. */
import { callMutants } from "./call-mutants.ts"
import { descriptionMutants } from "./description-mutants.ts"
import { frameMutants } from "./frame-mutants.ts"
import type { MediaMutant } from "./mutant.ts"
import { refusalMutants } from "./refusal-mutants.ts"

export const mediaMutants: readonly MediaMutant[] = [
  ...frameMutants,
  ...refusalMutants,
  ...descriptionMutants,
  ...callMutants,
]
