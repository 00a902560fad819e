import { execFileSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { serveFolder } from "../support/packages/static-server.ts"

const APP = fileURLToPath(new URL("../../apps/web", import.meta.url))

/** Builds the screens with invented people in them once for all tests, and serves them. Takes a minute. */
export default async function buildStories(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), "keymoot-states-"))
  const build = ["vite", "build", "--config", "stories/vite.config.ts", "--outDir", directory]
  execFileSync("npx", build, { cwd: APP, stdio: ["ignore", "ignore", "inherit"] })
  const server = await serveFolder(directory)
  process.env["STORIES"] = server.origin
  return async () => {
    server.close()
    await rm(directory, { recursive: true })
  }
}
