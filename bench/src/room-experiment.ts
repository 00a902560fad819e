import type { Experiment } from "./experiment.ts"

export const roomExperiment: Experiment = {
  name: "room",
  about: "Real browsers: cold load, join to secured, stroke to stroke (needs the web app built).",
  takes: {},
  run: async function* ({ runs, quick }) {
    // Loaded when asked for: the others need no browser.
    const { room } = await import("./room.ts")
    yield* await room(runs ?? (quick ? 2 : 5))
  },
}
