/** `tab` from a terminal: the benchmark's own page in a real Chromium, which gets the arguments. */
import { readFile } from "node:fs/promises"
import { launch } from "@keymoot/e2e"
import { startServer } from "@keymoot/signaling"
import type { Page } from "@playwright/test"
import { needWebApp, WEB_APP } from "../browsers/browser-needed.ts"
import { MODULE_NAMES, type Experiment, type Options, type Progress } from "../experiment/experiment.ts"
import type { Figure } from "../experiment/figure.ts"
import { tabDescription } from "./description.ts"

const LOOK_MS = 500
/** Modules of a run without a choice. */
const MODULES: NonNullable<Options["modules"]> = MODULE_NAMES
const QUICK_MODULES: typeof MODULES = ["tgdh"]
/** Six modules, and a tab that rests after each member. */
const MINUTES_MAX = 60

async function* run(options: Options, progress: Progress): AsyncGenerator<Figure> {
  needWebApp()
  const server = await startServer({ webDir: WEB_APP })
  const browser = await launch("chromium")
  try {
    const page = await browser.newPage({ locale: "en-GB" })
    await page.goto(`${server.url}/bench`)
    await choose(page, options)
    await page.getByRole("button", { name: "Start", exact: true }).click()
    const problem = await ended(page, progress)
    const save = page.getByRole("button", { name: "JSON", exact: true })
    if (problem !== null && !(await save.isVisible())) throw new Error(problem)
    // The figures measured before the problem stay valid.
    if (problem !== null) console.error(problem)
    const [download] = await Promise.all([page.waitForEvent("download"), save.click()])
    yield* (JSON.parse(await readFile(await download.path(), "utf8")) as { figures: Figure[] }).figures
  } finally {
    await browser.close()
    await server.close()
  }
}

async function choose(page: Page, { modules, sizes, runs, quick = false }: Options) {
  const wanted = modules ?? (quick ? QUICK_MODULES : MODULES)
  await page.getByLabel("Experiment", { exact: true }).selectOption(tabDescription.name)
  for (const module of tabDescription.takes.modules!)
    await page.getByLabel(module, { exact: true }).setChecked(wanted.includes(module))
  if (sizes) await page.getByLabel("Sizes", { exact: true }).fill(sizes.join(","))
  if (runs !== undefined) await page.getByLabel("Runs", { exact: true }).fill(`${runs}`)
  await page.getByLabel("Quick: fewer sizes and runs").setChecked(quick)
}

/** Resolves when it is over, with what the page says if it could not go on. */
async function ended(page: Page, progress: Progress): Promise<string | null> {
  for (;;) {
    const said = await page.getByRole("status").innerText()
    if (said.startsWith("Done")) {
      progress(1, 1)
      return null
    }
    const percent = /^Running: (\d+) %/u.exec(said)?.[1]
    if (percent === undefined && said !== "") return said
    progress(Number(percent ?? 0), 100)
    await page.waitForTimeout(LOOK_MS)
  }
}

export const tabExperiment: Experiment = {
  ...tabDescription,
  needs: "Chromium and npm run build:web",
  minutesMax: MINUTES_MAX,
  run,
}
