/** `peers` in the page: a removal beside ts-mls in a worker; messages between two ends in this tab, over real data channels. */
import type { Experiment, Options, Progress } from "../../src/experiment/experiment.ts"
import type { Figure } from "../../src/experiment/figure.ts"
import { CONTESTANTS, type Contestant } from "../../src/peers/contestants.ts"
import { MESSAGES, PEERS, showsOf, takes } from "../../src/peers/description.ts"
import { Samples } from "../../src/peers/message-figures.ts"
import { inWorker } from "../in-worker.ts"
import { MEET } from "./pair.ts"

const NETWORK = "two ends in one tab"

type Here = Contestant & { readonly name: keyof typeof MEET }
const contestants = CONTESTANTS.filter((one): one is Here => Object.hasOwn(MEET, one.name))

async function* run(options: Options, progress: Progress): AsyncGenerator<Figure> {
  // Half of the time goes to either.
  yield* inWorker(PEERS)(options, (done, of) => progress(done, 2 * of))
  const { runs: wanted, ...size } = MESSAGES[options.quick ? "quick" : "full"]
  const runs = options.runs ?? wanted
  const samples = new Samples(contestants)
  for (let run = 0; run < runs; run++) {
    for (const [i, { name }] of contestants.entries()) {
      const done = (run + i / contestants.length) / runs
      const look = (): void => progress(1 + done, 2)
      look()
      const { measured, close } = await MEET[name](look)
      try {
        await samples.take(name, measured, size)
      } finally {
        await close()
      }
    }
  }
  yield* samples.figures(NETWORK)
  progress(1, 1)
}

export const peersExperiment: Experiment = {
  name: PEERS,
  about:
    "A removal beside ts-mls; messages of 1 KB in one tab beside the bare data channel and simple-peer. Only from a terminal: OpenMLS, which is built from its crates, and Trystero and y-webrtc, of which a page can be one end only.",
  takes,
  run,
  shows: showsOf(contestants),
}
