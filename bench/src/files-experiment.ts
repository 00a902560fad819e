import type { Experiment } from "./experiment.ts"

const MB = 1_000_000

export const filesExperiment: Experiment = {
  name: "files",
  about:
    "Real browsers: a file of 500 MB (quick: 50) between two, and their memory, beside the raw data channel (needs the web app built, and Linux).",
  takes: {},
  run: async function* ({ runs, quick }) {
    // Loaded when asked for: the others need no browser.
    const { files } = await import("./files.ts")
    yield* await files(runs ?? (quick ? 1 : 3), (quick ? 50 : 500) * MB)
  },
}
