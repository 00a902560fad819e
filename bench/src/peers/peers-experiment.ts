import { missingChromium } from "../browsers/browser-needed.ts"
import type { Experiment } from "../experiment/experiment.ts"
import { CONTESTANTS } from "./contestants.ts"
import { MESSAGES, PEERS, REMOVALS, showsOf, SIZES, takes } from "./description.ts"
import { missingOpenMls, openMlsPeers } from "./openmls.ts"
import { removals } from "./removals.ts"

export const peersExperiment: Experiment = {
  name: PEERS,
  about:
    "A removal beside ts-mls and OpenMLS; messages of 1 KB beside the bare data channel, simple-peer, Trystero and y-webrtc, in real browsers.",
  needs: "Chromium for the messages, and npm run bench:openmls for OpenMLS; missing parts are skipped and named",
  takes,
  run: async function* ({ sizes, runs, quick = false }, progress) {
    const size = quick ? "quick" : "full"
    for (const missing of [missingOpenMls(), missingChromium()]) if (missing !== null) console.error(missing)
    // Half of the time goes to either.
    yield* removals(sizes ?? SIZES[size], runs ?? REMOVALS[size], (done, of) => progress(done, 2 * of), openMlsPeers)
    if (missingChromium() === null) {
      const { messages } = await import("./messages.ts")
      const wanted = MESSAGES[size]
      yield* messages({ ...wanted, runs: runs ?? wanted.runs }, (done, of) => progress(of + done, 2 * of))
    }
    progress(1, 1)
  },
  shows: showsOf(CONTESTANTS),
}
