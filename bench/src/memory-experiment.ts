import type { Experiment } from "./experiment.ts"
import { memory } from "./memory.ts"

/** Of drawing, however long that takes here. */
const MINUTES = { quick: 0.2, full: 60 }
const MEMBERS = 8

export const memoryExperiment: Experiment = {
  name: "memory",
  about:
    "What an engine of a conference of eight holds while everybody draws for an hour, as fast as this machine lets them.",
  takes: { sizes: { what: "members", least: 2, most: 24 } },
  run: async function* ({ sizes = [MEMBERS], quick = false }, progress) {
    for (const [done, members] of sizes.entries()) {
      progress(done, sizes.length)
      yield* memory(members, MINUTES[quick ? "quick" : "full"])
    }
  },
}
