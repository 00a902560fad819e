import { expect, test } from "vitest"
import type { Figure } from "../src/experiment/figure.ts"
import { framesExperiment } from "../src/frames/frames-experiment.ts"
import { expectSound } from "./sound.ts"

test("frames: gives the time of each size, for both directions", async () => {
  const figures: Figure[] = []
  for await (const figure of framesExperiment.run({ quick: true }, () => undefined)) figures.push(figure)
  expectSound("frames", figures)
  expect(figures).toHaveLength(8)
  expect(framesExperiment.shows!.found(figures)).not.toContain("?")
})
