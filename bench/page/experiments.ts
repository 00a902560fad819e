import type { Experiment } from "../src/experiment.ts"
import { experimentsAnywhere } from "../src/experiments-anywhere.ts"
import { experimentsOnPage } from "../src/experiments-on-page.ts"

/** All that this page can run. */
export const experiments: readonly Experiment[] = [...experimentsAnywhere, ...experimentsOnPage]
