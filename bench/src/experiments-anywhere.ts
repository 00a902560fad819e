/** Experiments that run in Node and in a browser's worker alike: nothing that they import may need Node. A line each. */
import { computeExperiment } from "./compute-experiment.ts"
import { costExperiment } from "./cost-experiment.ts"
import { cpuExperiment } from "./cpu-experiment.ts"
import { discoveryExperiment } from "./discovery-experiment.ts"
import type { Experiment } from "./experiment.ts"
import { forwardExperiment } from "./forward-experiment.ts"
import { framesExperiment } from "./frames-experiment.ts"
import { groupsExperiment } from "./groups-experiment.ts"
import { hybridExperiment } from "./hybrid-experiment.ts"
import { majorityExperiment } from "./majority-experiment.ts"
import { multicastExperiment } from "./multicast-experiment.ts"
import { orderExperiment } from "./order-experiment.ts"
import { rekeyExperiment } from "./rekey-experiment.ts"

export const experimentsAnywhere: readonly Experiment[] = [
  costExperiment,
  rekeyExperiment,
  groupsExperiment,
  hybridExperiment,
  cpuExperiment,
  majorityExperiment,
  multicastExperiment,
  forwardExperiment,
  discoveryExperiment,
  orderExperiment,
  framesExperiment,
  computeExperiment,
]
