/**
 * The checks of `npm run verify` before the tests: types, lint and format. Prettier keeps one processor busy for as
 * long as all the others take together, so it runs beside them.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"

async function passes(script: string): Promise<boolean> {
  const child = spawn("npm", ["run", script], { stdio: "inherit", shell: process.platform === "win32" })
  const [code] = (await once(child, "exit")) as [number | null]
  return code === 0
}

const format = passes("format:check")
const others = (await passes("typecheck")) && (await passes("lint"))
// Reports badly formatted files even if another check fails.
if (!(await format) || !others) process.exitCode = 1
