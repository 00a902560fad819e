/** What the page can run: what runs anywhere, in a worker, and what needs a page. */
import type { Experiment } from "../src/experiment.ts"
import { experimentsAnywhere } from "../src/experiments-anywhere.ts"
import { tabExperiment } from "./tab/tab-experiment.ts"

export const experimentsOfPage: readonly Experiment[] = [...experimentsAnywhere, tabExperiment]

export function needsPage(experiment: Experiment): boolean {
  return experiment === tabExperiment
}
