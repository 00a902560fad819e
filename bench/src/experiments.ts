/** Every experiment there is: a line each. */
import type { Experiment } from "./experiment/experiment.ts"

const LOADERS: Readonly<Record<string, () => Promise<Experiment>>> = {
  cost: async () => (await import("./cost/cost-experiment.ts")).costExperiment,
  rekey: async () => (await import("./rekey/rekey-experiment.ts")).rekeyExperiment,
  groups: async () => (await import("./groups/groups-experiment.ts")).groupsExperiment,
  hybrid: async () => (await import("./hybrid/hybrid-experiment.ts")).hybridExperiment,
  cpu: async () => (await import("./cpu/cpu-experiment.ts")).cpuExperiment,
  majority: async () => (await import("./majority/majority-experiment.ts")).majorityExperiment,
  multicast: async () => (await import("./multicast/multicast-experiment.ts")).multicastExperiment,
  forward: async () => (await import("./forward/forward-experiment.ts")).forwardExperiment,
  discovery: async () => (await import("./discovery/discovery-experiment.ts")).discoveryExperiment,
  order: async () => (await import("./order/order-experiment.ts")).orderExperiment,
  frames: async () => (await import("./frames/frames-experiment.ts")).framesExperiment,
  compute: async () => (await import("./compute/compute-experiment.ts")).computeExperiment,
  // These need Node: processes, or browsers that they start themselves. The page has its own `peers` and `tab`.
  peers: async () => (await import("./peers/peers-experiment.ts")).peersExperiment,
  channel: async () => (await import("./channel/channel-experiment.ts")).channelExperiment,
  tab: async () => (await import("./tab/tab-experiment.ts")).tabExperiment,
  room: async () => (await import("./room/room-experiment.ts")).roomExperiment,
  slow: async () => (await import("./slow/slow-experiment.ts")).slowExperiment,
  files: async () => (await import("./files/files-experiment.ts")).filesExperiment,
  call: async () => (await import("./call/call-experiment.ts")).callExperiment,
  lossy: async () => (await import("./lossy/lossy-experiment.ts")).lossyExperiment,
  load: async () => (await import("./load/load-experiment.ts")).loadExperiment,
  idle: async () => (await import("./idle/idle-experiment.ts")).idleExperiment,
  crowded: async () => (await import("./crowded/crowded-experiment.ts")).crowdedExperiment,
  memory: async () => (await import("./memory/memory-experiment.ts")).memoryExperiment,
  wan: async () => (await import("./wan/wan-experiment.ts")).wanExperiment,
}

/** All, or the one of that name alone: what is loaded beside it slows it down (`order` by a seventh). */
export function loadExperiments(name = "all"): Promise<readonly Experiment[]> {
  const one = Object.hasOwn(LOADERS, name) ? LOADERS[name]! : null
  return Promise.all((one ? [one] : Object.values(LOADERS)).map((load) => load()))
}
