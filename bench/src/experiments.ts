/** Every experiment there is: a line each. */
import type { Experiment } from "./experiment.ts"

const LOADERS: Readonly<Record<string, () => Promise<Experiment>>> = {
  cost: async () => (await import("./cost-experiment.ts")).costExperiment,
  rekey: async () => (await import("./rekey-experiment.ts")).rekeyExperiment,
  groups: async () => (await import("./groups-experiment.ts")).groupsExperiment,
  hybrid: async () => (await import("./hybrid-experiment.ts")).hybridExperiment,
  cpu: async () => (await import("./cpu-experiment.ts")).cpuExperiment,
  majority: async () => (await import("./majority-experiment.ts")).majorityExperiment,
  multicast: async () => (await import("./multicast-experiment.ts")).multicastExperiment,
  forward: async () => (await import("./forward-experiment.ts")).forwardExperiment,
  discovery: async () => (await import("./discovery-experiment.ts")).discoveryExperiment,
  order: async () => (await import("./order-experiment.ts")).orderExperiment,
  frames: async () => (await import("./frames-experiment.ts")).framesExperiment,
  compute: async () => (await import("./compute-experiment.ts")).computeExperiment,
  // These need Node: processes, or browsers that they start themselves. The page has its own `peers` and `tab`.
  peers: async () => (await import("./peers-experiment.ts")).peersExperiment,
  channel: async () => (await import("./channel-experiment.ts")).channelExperiment,
  tab: async () => (await import("./tab-experiment.ts")).tabExperiment,
  room: async () => (await import("./room-experiment.ts")).roomExperiment,
  slow: async () => (await import("./slow-experiment.ts")).slowExperiment,
  files: async () => (await import("./files-experiment.ts")).filesExperiment,
  call: async () => (await import("./call-experiment.ts")).callExperiment,
  lossy: async () => (await import("./lossy-experiment.ts")).lossyExperiment,
  load: async () => (await import("./load-experiment.ts")).loadExperiment,
  idle: async () => (await import("./idle-experiment.ts")).idleExperiment,
  memory: async () => (await import("./memory-experiment.ts")).memoryExperiment,
  wan: async () => (await import("./wan-experiment.ts")).wanExperiment,
}

/** All, or the one of that name alone: what is loaded beside it slows it down (`order` by a seventh). */
export function loadExperiments(name = "all"): Promise<readonly Experiment[]> {
  const one = Object.hasOwn(LOADERS, name) ? LOADERS[name]! : null
  return Promise.all((one ? [one] : Object.values(LOADERS)).map((load) => load()))
}
