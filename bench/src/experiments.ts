/** Every experiment there is: a line each. */
import { channelExperiment } from "./channel-experiment.ts"
import type { Experiment } from "./experiment.ts"
import { experimentsAnywhere } from "./experiments-anywhere.ts"
import { filesExperiment } from "./files-experiment.ts"
import { loadExperiment } from "./load-experiment.ts"
import { memoryExperiment } from "./memory-experiment.ts"
import { peersExperiment } from "./peers-experiment.ts"
import { roomExperiment } from "./room-experiment.ts"
import { tabExperiment } from "./tab-experiment.ts"
import { wanExperiment } from "./wan-experiment.ts"

/** These need Node: processes, or browsers that they start themselves. Of `peers` and `tab` the page has its own. */
const experimentsInNode: readonly Experiment[] = [
  peersExperiment,
  channelExperiment,
  tabExperiment,
  roomExperiment,
  filesExperiment,
  loadExperiment,
  memoryExperiment,
  wanExperiment,
]

export const experiments: readonly Experiment[] = [...experimentsAnywhere, ...experimentsInNode]
