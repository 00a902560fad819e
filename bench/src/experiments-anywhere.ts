/** Experiments that run in Node and in a browser's worker alike: nothing that they import may need Node. A line each. */
import { computeExperiment } from "./compute/compute-experiment.ts"
import { costExperiment } from "./cost/cost-experiment.ts"
import { cpuExperiment } from "./cpu/cpu-experiment.ts"
import { discoveryExperiment } from "./discovery/discovery-experiment.ts"
import type { Experiment } from "./experiment/experiment.ts"
import { forwardExperiment } from "./forward/forward-experiment.ts"
import { framesExperiment } from "./frames/frames-experiment.ts"
import { groupsExperiment } from "./groups/groups-experiment.ts"
import { hybridExperiment } from "./hybrid/hybrid-experiment.ts"
import { majorityExperiment } from "./majority/majority-experiment.ts"
import { multicastExperiment } from "./multicast/multicast-experiment.ts"
import { orderExperiment } from "./order/order-experiment.ts"
import { rekeyExperiment } from "./rekey/rekey-experiment.ts"

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
