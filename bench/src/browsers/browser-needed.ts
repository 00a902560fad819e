/** For experiments that start browsers. */
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { BrowserError, findBrowser } from "@keymoot/e2e"
import { Unavailable } from "../experiment/experiment.ts"

const ROOT = join(import.meta.dirname, "../../..")
export const WEB_APP = join(ROOT, "apps/web/dist")
const SOURCES = ["apps/web/src", "packages/core/src", "packages/gke/src", "packages/transport/src"]

/** Null if there is a Chromium to measure with; else what to do. */
export function missingChromium(): string | null {
  try {
    return findBrowser("chromium") ? null : `There is no Chromium here: "node e2e/ensure-browsers.ts" installs one.`
  } catch (error) {
    // One that the environment names, and that cannot be used.
    if (error instanceof BrowserError) return error.message
    throw error
  }
}

/** @throws Unavailable if there is none */
export function needChromium(): void {
  const missing = missingChromium()
  if (missing !== null) throw new Unavailable(missing)
}

/** @throws Unavailable if there is no Chromium, or no app of the present sources to open in it */
export function needWebApp(): void {
  const built = statSync(join(WEB_APP, "index.html"), { throwIfNoEntry: false })
  if (!built) throw new Unavailable("This needs the web app: npm run build:web.")
  // It may speak another protocol than the members that an experiment makes beside it.
  if (built.mtimeMs < newestSourceMs())
    throw new Unavailable("The web app was built before the sources were last changed: npm run build:web.")
  needChromium()
}

function newestSourceMs(): number {
  const files = SOURCES.flatMap((directory) =>
    readdirSync(join(ROOT, directory), { recursive: true, encoding: "utf8" }).map((file) =>
      join(ROOT, directory, file),
    ),
  )
  return Math.max(...files.map((file) => statSync(file).mtimeMs))
}
