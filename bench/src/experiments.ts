/** Every experiment there is: a line each. */
import { channelExperiment } from "./channel-experiment.ts"
import type { Experiment } from "./experiment.ts"
import { experimentsAnywhere } from "./experiments-anywhere.ts"
import { filesExperiment } from "./files-experiment.ts"
import { forwardExperiment } from "./forward-experiment.ts"
import { loadExperiment } from "./load-experiment.ts"
import { orderExperiment } from "./order-experiment.ts"
import { memoryExperiment } from "./memory-experiment.ts"
import { peersExperiment } from "./peers-experiment.ts"
import { roomExperiment } from "./room-experiment.ts"
import { tabExperiment } from "./tab-experiment.ts"
import { wanExperiment } from "./wan-experiment.ts"

/** These need Node: processes, sockets, or browsers that they start themselves. The page does not see them. */
const experimentsInNode: readonly Experiment[] = [
  orderExperiment,
  forwardExperiment,
  channelExperiment,
  peersExperiment,
  tabExperiment,
  roomExperiment,
  filesExperiment,
  loadExperiment,
  memoryExperiment,
  wanExperiment,
]

export const experiments: readonly Experiment[] = [...experimentsAnywhere, ...experimentsInNode]
