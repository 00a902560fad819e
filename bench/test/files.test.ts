import { expect, test } from "vitest"
import { filesExperiment } from "../src/files/files-experiment.ts"
import { figuresOf } from "../src/files/figures.ts"

const run = { raw: 10, rawProcessorMs: 1, processorMs: 2, prepared: 50, fetched: 9, sender: 90, receiver: 50 }
const runs = [run, { ...run, raw: 20, fetched: 8 }, { ...run, raw: 40, fetched: 7 }]
const { found } = filesExperiment.shows!

test("files: the sentence states lengths and ranges, since runs differ", () => {
  const text = found(figuresOf(runs, 500_000_000))
  expect(text).toContain("A file of 500 MB arrives at 8 MB/s (7 to 9, 3 runs).")
  expect(text).toContain("carries 500 MB at 20 MB/s (10 to 40, 3 runs).")
  expect(text).toContain("ratio of a run is 0.4 times (0.175 to 0.9, 3 runs).")
})

test("files: results with two lengths do not compare the file with the bare channel", () => {
  const [raw, ...others] = figuresOf(runs, 500_000_000)
  const older = { ...raw!, metric: "raw data channel between the same pages, 16 KiB a message" }
  expect(found([older, ...others])).toContain("so they do not compare the two")
  expect(found([raw!, ...others])).not.toContain("compare")
})
