/** The page's experiments: some run anywhere, here in a worker; the others need a page. */
import type { Experiment } from "../src/experiment/experiment.ts"
import { experimentsAnywhere } from "../src/experiments-anywhere.ts"
import { peersExperiment } from "./peers/peers-experiment.ts"
import { tabExperiment } from "./tab/tab-experiment.ts"

const inPage: readonly Experiment[] = [peersExperiment, tabExperiment]

export const experimentsOfPage: readonly Experiment[] = [...experimentsAnywhere, ...inPage]

export function needsPage(experiment: Experiment): boolean {
  return inPage.includes(experiment)
}
