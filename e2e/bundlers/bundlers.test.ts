/** Production builds with the packed packages, each by the tool's own defaults: nothing here configures Keymoot. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { freePort, PackedPackages, type Project } from "@keymoot/tools"
import { meet, talk } from "../support/packages/example-chat.ts"
import { test } from "../support/fixtures.ts"
import { installProject } from "../support/packages/installed-project.ts"
import { runScript, start } from "../support/packages/projects.ts"
import { serveFolder, type StaticServer } from "../support/packages/static-server.ts"

type Bundler = {
  readonly name: string
  readonly folder: string
  readonly script: string
  /** Serves what was built, at the port; null for any host of static files, and the folder `dist`. */
  readonly serve: ((port: string) => readonly [string, ...string[]]) | null
}

const onHost = (port: string): string[] => ["--host", "127.0.0.1", "--port", port]
const next = (port: string) => ["next", "start", "--hostname", "127.0.0.1", "--port", port] as const

const BUNDLERS: readonly Bundler[] = [
  { name: "esbuild", folder: "esbuild", script: "build", serve: null },
  { name: "Next.js with Turbopack", folder: "next", script: "build", serve: next },
  { name: "Next.js with webpack", folder: "next", script: "build:webpack", serve: next },
  { name: "SvelteKit", folder: "sveltekit", script: "build", serve: (port) => ["vite", "preview", ...onHost(port)] },
  { name: "Astro", folder: "astro", script: "build", serve: (port) => ["astro", "preview", ...onHost(port)] },
  {
    name: "React Router",
    folder: "react-router",
    script: "build",
    serve: () => ["react-router-serve", "build/server/index.js"],
  },
]

let packed: PackedPackages
test.beforeAll(() => void (packed = new PackedPackages()))
test.afterAll(() => packed.dispose())

for (const { name, folder, script, serve } of BUNDLERS) {
  test(`${name}: Chromium and Firefox meet and talk`, async ({ server, people }) => {
    const here = import.meta.dirname
    const project = installProject(packed, [join(here, folder), join(here, "shared")])
    runScript(project, script)
    const pages = await serveBuilt(project, serve)
    try {
      await talk(...(await meet(people, `${pages.origin}/?server=${server.origin}`, { bob: "firefox" })))
    } finally {
      pages.close()
      rmSync(project.directory, { recursive: true })
    }
  })
}

async function serveBuilt(project: Project, serve: Bundler["serve"]): Promise<StaticServer> {
  if (serve === null) return serveFolder(join(project.directory, "dist"))
  const port = String(await freePort())
  const { match, stop } = await start(project, serve(port), new RegExp(`(http://[\\w.]+:${port})\\b`, "u"), {
    PORT: port,
  })
  return { origin: match[1]!, close: stop }
}
