/** The alerts and the dashboard of deploy/ must ask for metrics that the server has: Prometheus accepts any name. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { parse } from "yaml"
import { findService, howToInstall } from "../index.ts"

const root = join(import.meta.dirname, "../..")
const RULES = join(root, "deploy/prometheus/keymoot.rules.yml")
const TOKEN = "a-token-of-a-test"

/** Series that Prometheus itself adds to each scrape. */
const OF_PROMETHEUS = ["up"]
/** A histogram `x` is queried as `x_bucket`, `x_sum` and `x_count`. */
const HISTOGRAM_SUFFIXES = ["_bucket", "_sum", "_count"]

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[]
}
interface Dashboard {
  readonly panels: readonly {
    readonly id: number
    readonly title: string
    readonly type: string
    readonly datasource?: { readonly type: string }
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
    readonly targets: readonly { readonly expr: string }[]
  }[]
}
/** Width of Grafana's grid. */
const GRID_COLUMNS = 24

const alerts = (parse(readFileSync(RULES, "utf8")) as Rules).groups.flatMap(({ rules }) => rules)
const dashboard = JSON.parse(readFileSync(join(root, "deploy/grafana/keymoot.json"), "utf8")) as Dashboard
const queries = [
  ...alerts.map(({ alert, expr }) => ({ where: alert, expr })),
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: title, expr }))),
]

/** Metrics by name with their labels, as the running server reports them. */
async function reportedMetrics(): Promise<{ readonly names: ReadonlySet<string>; readonly report: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), "keymoot-monitoring-"))
  const env = { PATH: process.env["PATH"], PORT: "0", DATA_DIR: dataDir, WEB_DIR: "none", METRICS_TOKEN: TOKEN }
  const child = spawn(process.execPath, ["--conditions=keymoot-source", "apps/signaling/main.mjs"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "ignore"],
  })
  onTestFinished(async () => {
    child.kill("SIGTERM")
    await once(child, "exit")
    rmSync(dataDir, { recursive: true })
  })
  const [line] = (await once(child.stdout, "data")) as [Buffer]
  const url = /http\S+/u.exec(line.toString())?.[0] ?? ""
  const response = await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } })
  const report = await response.text()
  const types = [...report.matchAll(/^# TYPE (\S+) (\S+)$/gmu)]
  const names = types.flatMap(([, name = "", type]) =>
    type === "histogram" ? HISTOGRAM_SUFFIXES.map((suffix) => name + suffix) : [name],
  )
  return { names: new Set([...names, ...OF_PROMETHEUS]), report }
}

/** Identifiers of a PromQL expression that are followed by labels, a range or an operator: the metrics. */
function metricsIn(expr: string): string[] {
  const bare = expr.replaceAll(/\{[^}]*\}|"[^"]*"|\[[^\]]*\]|\b(?:by|without|on|ignoring)\s*\([^)]*\)/gu, " ")
  return [...bare.matchAll(/\b[a-z_]\w*\b(?!\s*\()/gu)].map(([name]) => name).filter((name) => !AGGREGATIONS.has(name))
}
const AGGREGATIONS = new Set(["sum", "max", "min", "avg", "count", "and", "or", "unless"])

test("alerts and dashboard ask for metrics that the server reports", async () => {
  const { names } = await reportedMetrics()
  expect(names).toContain("keymoot_request_seconds_bucket")
  expect(queries.length).toBeGreaterThan(20)
  for (const { where, expr } of queries) {
    const asked = metricsIn(expr)
    expect([where, asked.length > 0]).toEqual([where, true])
    for (const name of asked) expect([where, name, names.has(name)]).toEqual([where, name, true])
  }
})

test("the dashboard shows every metric of the server's own", async () => {
  const { names } = await reportedMetrics()
  const shown = new Set(dashboard.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr))))
  const own = [...names].filter((name) => name.startsWith("keymoot_") && !/_(?:sum|count)$/u.test(name))
  expect(own.filter((name) => !shown.has(name))).toEqual([])
})

test("series with a reason count from 0, so that an alert sees the first event", async () => {
  const { report } = await reportedMetrics()
  const series = queries.flatMap(({ expr }) => expr.match(/\b\w+_total\{why="[^"]*"\}/gu) ?? [])
  expect(series).toContain('keymoot_connections_refused_total{why="full"}')
  const others = ['keymoot_goodbyes_total{why="flooding"}', 'keymoot_stun_requests_total{outcome="refused"}']
  for (const one of [...series, ...others]) expect(report.split("\n")).toContain(`${one} 0`)
})

const withoutPromtool = findService("promtool") === null
if (withoutPromtool) console.log(`Skipped: the alerts' syntax. ${howToInstall("promtool")}.`)

test.skipIf(withoutPromtool)("Prometheus accepts the alerts", () => {
  const said = execFileSync(findService("promtool")!, ["check", "rules", RULES], { encoding: "utf8", stdio: "pipe" })
  expect(said).toContain(`SUCCESS: ${alerts.length} rules found`)
})

test.skipIf(withoutPromtool)("Prometheus can parse every query of the dashboard", () => {
  const directory = mkdtempSync(join(tmpdir(), "keymoot-rules-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, "dashboard.yml")
  const checked = dashboard.panels.flatMap(({ targets }) => targets)
  // Grafana fills in the interval.
  const rules = checked.map(({ expr }, index) => ({
    record: `dashboard:query_${index}`,
    expr: expr.replaceAll("$__rate_interval", "5m"),
  }))
  writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules }] }))
  const said = execFileSync(findService("promtool")!, ["check", "rules", file], { encoding: "utf8", stdio: "pipe" })
  expect(said).toContain(`SUCCESS: ${checked.length} rules found`)
})

test("the dashboard has one place, one number and one source for each panel", () => {
  const { panels } = dashboard
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  for (const { title, type, datasource, gridPos } of panels) {
    expect([title, typeof type, datasource?.type]).toEqual([title, "string", "prometheus"])
    const { x, y, w, h } = gridPos
    expect([title, x >= 0, x + w <= GRID_COLUMNS, h > 0]).toEqual([title, true, true, true])
    const covered = panels.filter(({ gridPos: other }) => {
      return x < other.x + other.w && other.x < x + w && y < other.y + other.h && other.y < y + h
    })
    expect(covered.map((panel) => panel.title)).toEqual([title])
  }
})
