import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, test } from "vitest"

const ROOT = join(import.meta.dirname, "../..")
const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> }
const run = promisify(execFile)

/** Returns the exit code and all output of the root's npm script. */
async function outcomeOf(script: string, ...options: string[]): Promise<{ code: number; output: string }> {
  const [, ...args] = scripts[script]!.split(" ")
  try {
    const { stdout, stderr } = await run(process.execPath, [...args, ...options], { cwd: ROOT })
    return { code: 0, output: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, output: stdout + stderr }
  }
}

describe.each(["fuzz", "joins", "large", "mesh-sizes", "model", "nat", "night", "release"])("npm run %s", (script) => {
  test("says with --help how it is used", async () => {
    const { code, output } = await outcomeOf(script, "--help")
    expect(output).toMatch(new RegExp(`^npm run ${script} -- `, "u"))
    expect(code).toBe(0)
  })

  test("refuses an unknown option, says which, and how it is used", async () => {
    const { code, output } = await outcomeOf(script, "--unknown")
    expect(output).toContain("--unknown")
    expect(output).toContain(`\nnpm run ${script} -- `)
    expect(output).not.toContain("    at ")
    expect(code).toBe(2)
  })
})

test.each([
  ["fuzz", ["10m"], "SECONDS is no number above 0: 10m"],
  ["fuzz", ["0"], "SECONDS is no number above 0: 0"],
  ["fuzz", ["60", "nowhere"], "There is no target nowhere: choose of "],
  ["night", ["--only", "fuzzing", "--fuzz", "10m"], "--fuzz is no number above 0: 10m"],
  ["night", ["--only", "simulation", "--events", "1e5x"], "--events is no number above 0: 1e5x"],
])("npm run %s refuses %j, and runs nothing", async (script, options, reason) => {
  const { code, output } = await outcomeOf(script, ...options)
  expect(output.startsWith(reason)).toBe(true)
  expect(code).toBe(2)
})
