import type { Experiment, Plot } from "../experiment/experiment.ts"
import { load, QUICK, WHOLE } from "./load.ts"
import { ifMeasured, medianOf } from "../experiment/story.ts"

const plots: readonly Plot[] = (
  [
    ["MB", "The server's memory"],
    ["ms", "Waiting times at the server"],
  ] as const
).map(([unit, title]) => ({
  title,
  of: (figure) => figure.unit === unit,
  bar: ({ metric }) => metric,
  scale: "linear",
}))

export const loadExperiment: Experiment = {
  name: "load",
  about: "The server: start, memory with 5,000 clients in 500 rooms, 2,000 signals a second.",
  needs: "Linux",
  takes: {},
  run: async function* ({ runs, quick }) {
    yield* await load(runs ?? (quick ? 1 : 3), quick ? QUICK : WHOLE)
  },
  shows: {
    plots,
    paper: "The papers do not load their servers: SecChat's directory is described, not measured.",
    found: (figures) => {
      const at = (metric: string) => medianOf(figures, { metric })
      const cold = ifMeasured(
        "The first start after an update",
        `The first start after an update compiles, and takes ${at("start without a compile cache")}.`,
      )
      return `The server is ready after ${at("start with a compile cache")}. ${cold} At rest the server takes ${at("resident memory, idle")}. Clients connect and enter their rooms at ${at("clients connected and in their rooms")}. With ${WHOLE.clients} clients in ${WHOLE.rooms} rooms it takes ${at(`resident memory, in ${WHOLE.rooms} rooms`)}. It forwards signals at ${at("signals")}, with ${at("processor, of one core")} of a core. A signal arrives within ${at("signal sent to signal there, median")} (median), and 99 of 100 within ${at("signal sent to signal there, 99 %")}.`
    },
    why: "It keeps a socket and a few hundred bytes for each client and passes signals on unread. Most of the memory is Node's own and that of the sockets. The simulated clients share the machine with it.",
  },
}
