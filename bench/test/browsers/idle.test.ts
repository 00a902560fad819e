import { expect, test } from "vitest"
import { missingChromium } from "../../src/browsers/browser-needed.ts"
import type { Figure } from "../../src/experiment/figure.ts"
import { idleExperiment } from "../../src/idle/idle-experiment.ts"
import { MEMBER, PAGE, RENDERER } from "../../src/idle/metrics.ts"
import { BROWSER_TIMEOUT_MS } from "./browser.ts"
import { expectSound } from "../sound.ts"

const missing = missingChromium()
if (missing !== null) console.log(`Skipped: idle pages. ${missing}`)

test("idle: measures each page, its browser and each member in Node", { timeout: BROWSER_TIMEOUT_MS }, async () => {
  const figures: Figure[] = []
  for await (const figure of idleExperiment.run({ runs: 1, quick: true }, () => undefined)) figures.push(figure)
  expectSound("idle", figures)
  const of = (wanted: string) => figures.filter(({ metric }) => metric === wanted).map(({ n, runs }) => [n, runs])
  expect(of(MEMBER)).toEqual([[2, 2]])
  if (missing !== null) return
  expect(of(PAGE)).toEqual([[2, 1]])
  expect(of(RENDERER)).toEqual([[2, 2]])
})
