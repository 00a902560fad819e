import { expect, test } from "vitest"
import { mainThreadOf, type TraceEvent } from "../../src/room/trace.ts"

const event = (name: string, fromMs: number, ms: number, more: Partial<TraceEvent> = {}): TraceEvent => ({
  name,
  ph: "X",
  pid: 1,
  tid: 1,
  ts: fromMs * 1000,
  dur: ms * 1000,
  ...more,
})
const url = { args: { data: { url: "http://a.example/app.js" } } }

test("counts the page's thread only: calls to the script, the rest to the browser", () => {
  const events = [
    event("thread_name", 0, 0, { ph: "M", args: { name: "CrRendererMain" } }),
    event("thread_name", 0, 0, { ph: "M", tid: 2, args: { name: "DedicatedWorker thread" } }),
    event("FunctionCall", 1, 300, { tid: 2, ...url }),
    event("FunctionCall", 105, 1),
    event("RunTask", 100, 20),
    event("FireAnimationFrame", 101, 8),
    event("FunctionCall", 102, 6, url),
    event("RunMicrotasks", 103, 2),
    event("FireAnimationFrame", 110, 3),
    event("FunctionCall", 110, 3),
    event("RunTask", 200, 90),
    event("RunTask", 300, 30, { tdur: 12_000 }),
    event("FunctionCall", 301, 20, { tdur: 5000 }),
    event("RunTask", 400, 500, { tid: 2 }),
    event("FunctionCall", 401, 400, { tid: 2 }),
  ]
  expect(mainThreadOf(events, "http://a.example")).toEqual({ longestTaskMs: 20, scriptMs: 6 + 3 + 5, frames: 1 })
  expect(() => mainThreadOf(events, "http://b.example")).toThrow("no script of the page")
})
