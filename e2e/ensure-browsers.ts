import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { join, dirname } from "node:path"
import { installWithApt } from "@keymoot/tools"
import { BrowserError, type BrowserKind, findBrowser } from "./browsers.ts"

/** Sees to it that both browsers are there, by the least that achieves it, and says which ones the tests will use. */
const KINDS = ["chromium", "firefox"] as const
const PLAYWRIGHT = join(dirname(createRequire(import.meta.url).resolve("@playwright/test/package.json")), "cli.js")

const isRoot = process.getuid?.() === 0

try {
  if (missing().length > 0 && isRoot && existsSync("/usr/bin/apt-get")) {
    installWithApt(missing().map((kind) => (kind === "firefox" ? "firefox-esr" : kind)))
  }
  if (missing().length > 0) installWithPlaywright()
  console.log(describe())
} catch (error) {
  if (!(error instanceof BrowserError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

/** @throws BrowserError when some are still missing */
function describe(): string {
  if (missing().length > 0) {
    throw new BrowserError(
      `The tests need ${missing().join(" and ")}, and installing failed (see above). Install a current Chromium or ` +
        "Chrome and a current Firefox, or name their executables in KEYMOOT_CHROMIUM and KEYMOOT_FIREFOX.",
    )
  }
  const chosen = KINDS.map((kind) => {
    const found = findBrowser(kind)
    return `${kind} ${found?.version} (${found?.path})`
  })
  return `Testing with ${chosen.join(" and ")}.`
}

function missing(): BrowserKind[] {
  return KINDS.filter((kind) => findBrowser(kind) === null)
}

function installWithPlaywright(): void {
  const dependencies = isRoot && process.platform === "linux" ? ["--with-deps"] : []
  console.log(`Downloading ${missing().join(" and ")} with Playwright.`)
  spawnSync(process.execPath, [PLAYWRIGHT, "install", ...dependencies, ...missing()], { stdio: "inherit" })
}
