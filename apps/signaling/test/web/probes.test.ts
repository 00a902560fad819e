import type { IncomingMessage } from "node:http"
import { expect, test } from "vitest"
import { noMetrics } from "../../src/web/metrics.ts"
import { openProbes } from "../../src/web/probes.ts"

test("strangers without the token do not make the server write a report", async () => {
  let reports = 0
  const report = () => {
    reports += 1
    return Promise.resolve({ text: "", contentType: "text/plain" })
  }
  const metrics = { ...noMetrics, report }
  const probes = openProbes({ needs: {}, metrics, metricsToken: "token", isDraining: () => false })
  const ask = async (authorization: string) =>
    (await probes["/metrics"]!({ headers: { authorization } } as IncomingMessage)).status
  expect([await ask("Bearer other"), reports]).toEqual([401, 0])
  expect([await ask("Bearer token"), reports]).toEqual([200, 1])
})
