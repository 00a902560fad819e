import { expect, test } from "vitest"
import {
  type PathInput,
  type PathOutput,
  PathWatch,
  REPLACE_MS,
  REPORT_MS,
  SILENCE_MS,
  VAIN_MS,
} from "../../../src/media/connection/path-watch.ts"

/** Answers of one watch to these inputs. The peer's microphone is on, and its sound was heard at 1000 ms. */
function answers(...inputs: readonly Partial<PathInput>[]): PathOutput[] {
  const watch = new PathWatch()
  const silent = { silentSinceMs: 1000, expected: true, agreeing: false, linkLostAtMs: -Infinity }
  const all: readonly PathInput[] = [
    { ...silent, nowMs: 1000, silentSinceMs: null },
    ...inputs.map((input) => ({ nowMs: 1000, ...silent, ...input })),
  ]
  return all.map((input) => watch.step(input)).slice(1)
}

const [QUIET, SHORT, LONG] = [1001 + REPORT_MS, 1000 + SILENCE_MS, 1001 + SILENCE_MS]
const LONGER = 1001 + REPLACE_MS

test("reports once that the sound of a peer has stopped, then replaces", () => {
  const inputs = [QUIET - 1, QUIET, LONG, LONGER, 9000].map((nowMs) => ({ nowMs }))
  expect(answers(...inputs)).toEqual([null, "report", null, "replace", "replace"])
})

test("answers once in each second of a long silence", () => {
  const inputs = [LONGER, LONGER + 50, LONGER + REPLACE_MS, LONGER + REPLACE_MS + 1].map((nowMs) => ({ nowMs }))
  expect(answers(...inputs)).toEqual(["replace", "report", null, "replace"])
})

test("reports and replaces once more when the sound came back and stops again", () => {
  const back = { nowMs: 3000, silentSinceMs: null }
  const again = [REPORT_MS, REPLACE_MS].map((ms) => ({ silentSinceMs: 3000, nowMs: 3001 + ms }))
  expect(answers({ nowMs: LONGER }, { nowMs: LONGER + 1 }, back, ...again)).toEqual([
    "replace",
    "report",
    null,
    null,
    "replace",
  ])
})

test("reports later after reports in vain, and as early as before ten seconds later", () => {
  const watch = new PathWatch()
  let nowMs = 0
  let silentSinceMs: number | null = null
  const step = () => watch.step({ nowMs, silentSinceMs, expected: true, agreeing: false, linkLostAtMs: -Infinity })
  /** Time of the report in a silence of 900 ms; null if there is none. */
  const silence = (): number | null => {
    silentSinceMs = null
    step()
    const sinceMs = (silentSinceMs = nowMs)
    let atMs: number | null = null
    for (; nowMs < sinceMs + 900; nowMs += 50) if (step() === "report") atMs = nowMs - sinceMs
    return atMs
  }
  expect([1, 2, 3, 4, 5].map(silence)).toEqual([1, 2, 4, 8, 8].map((times) => times * REPORT_MS + 50))
  silentSinceMs = null
  step()
  nowMs += VAIN_MS + 1
  expect(silence()).toBe(REPORT_MS + 50)
})

test("follows the link when it has left its path since the last sound", () => {
  expect(answers({ nowMs: SHORT, linkLostAtMs: 1100 })).toEqual(["report"])
  const lost = { nowMs: LONG, linkLostAtMs: 1100 }
  const times = [LONG + 1, LONG + SILENCE_MS, LONG + SILENCE_MS + 1]
  expect(answers(lost, ...times.map((nowMs) => ({ ...lost, nowMs })))).toEqual(["follow", "report", null, "follow"])
  expect(answers({ nowMs: LONG }, { nowMs: 1700, linkLostAtMs: 1700 })[1]).toBe("follow")
})

test("keeps a connection when the link left its path before the last sound", () => {
  expect(answers({ nowMs: LONG, linkLostAtMs: 900 })).toEqual(["report"])
  expect(
    answers(
      { nowMs: 1100, silentSinceMs: null, linkLostAtMs: 1050 },
      { nowMs: 1100 + SILENCE_MS, silentSinceMs: 1100, linkLostAtMs: 1050 },
      { nowMs: 1101 + SILENCE_MS, silentSinceMs: 1100, linkLostAtMs: 1050 },
    ),
  ).toEqual([null, "report", null])
})

test("ignores silence until the first sound after the microphone was off", () => {
  const lost = { linkLostAtMs: 1100 }
  expect(answers({ nowMs: 9000, expected: false, ...lost }, { nowMs: 9000 + LONG, ...lost })).toEqual([null, null])
  const watch = new PathWatch()
  const never = { silentSinceMs: Infinity, expected: true, agreeing: false, linkLostAtMs: 100 }
  for (const nowMs of [0, 9000]) expect(watch.step({ nowMs, ...never })).toBeNull()
})

test("counts silence from the key on when the view had none, even without a sound", () => {
  const keyed = { nowMs: 9000, agreeing: true }
  const after = [REPORT_MS, REPORT_MS + 1, REPLACE_MS + 1].map((ms) => ({ nowMs: 9000 + ms }))
  expect(answers({ nowMs: LONGER, agreeing: true }, keyed, ...after)).toEqual([null, null, null, "report", "replace"])
  const off = { expected: false, agreeing: true }
  expect(answers(off, { nowMs: 9000, agreeing: true }, { nowMs: 19_000 })).toEqual([null, null, null])
})

test("follows the link when it has left its path in a view without a key", () => {
  const lost = { agreeing: true, linkLostAtMs: 1100 }
  expect(answers({ nowMs: SHORT, ...lost }, { nowMs: LONG, ...lost })).toEqual(["report", "follow"])
})
