/** The runner as it is typed. */
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, expect, test, vi } from "vitest"
import { channelExperiment } from "../src/channel/channel-experiment.ts"
import type { Experiment } from "../src/experiment/experiment.ts"
import { figureOf } from "../src/experiment/figure.ts"
import { keep, readResult, resultOf } from "../src/run/result.ts"
import { runAll } from "../src/run/run-all.ts"
import { runOne } from "../src/run/run-one.ts"

const ROOT = join(import.meta.dirname, "../..")
const directory = mkdtempSync(join(tmpdir(), "keymoot-bench-"))
afterAll(() => rmSync(directory, { recursive: true }))

type Said = { readonly code: number; readonly out: string; readonly err: string }

/** The program of `npm run bench`, with all that the script gives it. */
const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: { bench: string } }
const [, ...typed] = scripts.bench.split(" ")

async function bench(...args: string[]): Promise<Said> {
  type Failed = { readonly code: number; readonly stdout: string; readonly stderr: string }
  const { code, stdout, stderr } = await promisify(execFile)(process.execPath, [...typed, ...args], { cwd: ROOT }).then(
    (said) => ({ code: 0, ...said }),
    (failed: Failed) => failed,
  )
  return { code, out: stdout, err: stderr }
}

test("compare prints ratios, flags moves beyond the spread, and warns of nothing else", async () => {
  const kept = (name: string, values: readonly number[]): string => {
    const slower = figureOf({ experiment: "compute", metric: "slower", unit: "ms" }, values)
    const same = figureOf({ experiment: "compute", metric: "same", unit: "ms" }, [1, 2, 3])
    return keep(join(directory, name), resultOf("compute", false, [slower, same]))
  }
  const { code, out, err } = await bench("compare", kept("before", [1, 2, 3]), kept("after", [4, 5, 6]))
  expect([code, err]).toEqual([0, ""])
  expect(out).toMatch(/^MOVED +×2\.50 +2 to 5 ms +compute: slower$/mu)
  expect(out).toMatch(/^ +×1\.00 +2 to 2 ms +compute: same$/mu)
  expect(out).toContain("2 figures compared, 1 moved")
})

test("a line of --json is an object, and what is typed wrong is named", async () => {
  const [counted, wrong] = await Promise.all([
    bench("cost", "--module", "tgdh", "--sizes", "2", "--quick", "--json"),
    bench("cost", "--module", "rsa"),
  ])
  expect([counted.code, counted.err]).toEqual([0, ""])
  for (const line of counted.out.trim().split("\n"))
    expect(JSON.parse(line)).toMatchObject({ experiment: "cost", module: "tgdh", n: 2, runs: 2 })
  expect([wrong.code, wrong.out]).toEqual([2, ""])
  expect(wrong.err).toContain('cost has no module "rsa"')
})

test("`all` lists unavailable experiments with the reason at the end, not as failures", async () => {
  vi.stubEnv("KEYMOOT_CHROMIUM", join(directory, "none"))
  const said: string[] = []
  const error = vi.spyOn(console, "error").mockImplementation((text: string) => void said.push(text))
  try {
    expect(await runAll([channelExperiment], { quick: true }, { json: false })).toBe(true)
    expect(said.at(-1)).toMatch(/^\nDone: none\.\nSkipped: channel\. KEYMOOT_CHROMIUM must be the path of a chromium/u)
  } finally {
    error.mockRestore()
    vi.unstubAllEnvs()
  }
})

test("keeps the figures of a run when the experiment ends early", async () => {
  const log = vi.spyOn(console, "log").mockReturnValue()
  const figure = figureOf({ experiment: "channel", metric: "kept", unit: "ms" }, [1, 2, 3])
  const broken: Experiment = {
    ...channelExperiment,
    run: async function* () {
      yield figure
      throw new Error("no link")
    },
  }
  const out = join(directory, "early")
  const request = { command: "run", experiment: broken, options: {}, json: true, out } as const
  await expect(runOne(request)).rejects.toMatchObject({
    message: "channel ended early. Figures kept: 1.",
    cause: { message: "no link" },
  })
  expect(readResult(join(out, "channel.json")).figures).toEqual([figure])
  log.mockRestore()
})
