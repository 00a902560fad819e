import { readFile } from "node:fs/promises"
import { AxeBuilder } from "@axe-core/playwright"
import type { Page } from "@playwright/test"
import { expect, test } from "../support/fixtures.ts"

// It measures: on a busy machine that takes its time.
test.slow()

async function violations(page: Page): Promise<string[]> {
  // Its own copy of Playwright's types differs in ways that do not matter here.
  const own = page as ConstructorParameters<typeof AxeBuilder>[0]["page"]
  const { violations } = await new AxeBuilder({ page: own }).analyze()
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`))
}

/** Key by key, in the place of what is there: see `Person.type`. */
async function enter(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true })
  await field.press("ControlOrMeta+a")
  await field.pressSequentially(text)
}

async function saved(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button, exact: true }).first().click(),
  ])
  return readFile(await download.path(), "utf8")
}

for (const kind of ["chromium", "firefox"] as const) {
  test(`${kind}: from the footer to a plot and its figures; nothing of it is loaded for a conference`, async ({
    server,
    people,
  }) => {
    const { page } = await people.arrive("Ada", kind)
    const loaded: string[] = []
    page.on("request", (request) => loaded.push(new URL(request.url()).pathname))
    await page.goto(server.origin)
    const link = page.getByRole("link", { name: "What it costs, measured" })
    await expect(link).toBeVisible()
    const before = new Set(loaded)
    await link.click()
    await expect(page.getByRole("heading", { name: "What it costs" })).toBeVisible()
    const own = loaded.filter((path) => !before.has(path) && path.startsWith("/assets/benchmark-"))
    expect(own.length, "the benchmark has files of its own").toBeGreaterThan(0)

    await page.getByLabel("Experiment", { exact: true }).selectOption("rekey")
    for (const module of ["str", "bd", "gdh", "ckd"]) await page.getByLabel(module, { exact: true }).uncheck()
    await enter(page, "Sizes", "2,one")
    await page.getByRole("button", { name: "Start", exact: true }).click()
    await expect(page.getByRole("alert")).toHaveText(/not whole numbers from 2 to 300: 2,one/u)
    await enter(page, "Sizes", "2,4")
    await page.getByLabel("Network").selectOption("lan")
    await page.getByRole("button", { name: "Start", exact: true }).click()
    await expect(page.getByRole("status")).toHaveText(/^Done: \d+ figures\.$/u, { timeout: 240_000 })

    await expect(page.getByRole("img", { name: /^join, lan: from the view/u })).toBeVisible()
    await expect(
      page.getByText(new RegExp(`${kind === "firefox" ? "Firefox" : "Chrome"} [\\d.]+, \\d+ cores, commit`, "u")),
    ).toBeVisible()
    await page.getByText("All figures").click()
    const medians = await page.getByRole("row", { name: /event to key at every member/u }).allTextContents()
    expect(medians.length).toBeGreaterThan(0)
    for (const row of medians) expect(row).toMatch(/every member\d.*ms/u)
    await expect(page.getByRole("button", { name: "Save this plot as SVG" }).first()).toBeEnabled()
  })
}

for (const kind of ["chromium", "firefox"] as const) {
  test(`${kind}: three whole members in one tab have three data channels between them, and what they do is measured; it can be stopped`, async ({
    server,
    people,
  }) => {
    const { page } = await people.arrive("Ada", kind)
    await page.goto(`${server.origin}/bench`)
    await page.getByLabel("Experiment", { exact: true }).selectOption("tab")
    for (const module of ["str", "bd", "gdh", "ckd"]) await page.getByLabel(module, { exact: true }).uncheck()
    await enter(page, "Sizes", "3")
    await page.getByRole("button", { name: "Start", exact: true }).click()
    await expect(page.getByRole("status")).toHaveText("Done: 7 figures.", { timeout: 240_000 })
    await page.getByText("All figures").click()
    const rows = (await page.getByRole("row").allTextContents()).slice(1)
    expect(rows[0]).toMatch(/^n=3 data channels in one tab data channels open3 ?3 – 3 ?count/u)
    // What is measured at n is measured before the event: three are two and one who joins.
    const kinds = rows.map((row) =>
      /^(.*?)[\d.]+ ?[\d.]+ – [\d.]+ ?(ms|per second|count)\d+$/u.exec(row)?.slice(1).join(", "),
    )
    expect(kinds.map((row) => row?.replace("data channels in one tab ", ""))).toEqual([
      "n=3 data channels open, count",
      "agreed n=3 one message of 1 KB to the last member, ms",
      "safe n=3 one message of 1 KB to the last member, ms",
      "agreed n=3 agreed messages of 1 KB delivered by every member, per second",
      "n=3 messages of 1 KB over one bare data channel of the same tab, per second",
      "tgdh leave n=3 leave to one secured view at all who stay, ms",
      "tgdh join n=2 join to one secured view at every member, ms",
    ])
    for (const row of rows) expect(row).not.toMatch(/[^\d.]0 – /u)

    await enter(page, "Sizes", "16")
    await page.getByRole("button", { name: "Start", exact: true }).click()
    await expect(page.getByRole("status")).toHaveText(/^Running/u)
    await page.getByRole("button", { name: "Stop", exact: true }).click()
    await expect(page.getByRole("status")).toHaveText(/^Stopped/u)
  })
}

test("what was measured can be saved as CSV, JSON, SVG and PNG", async ({ server, people }) => {
  // Firefox tells whoever drives it nothing about what it saves.
  const { page } = await people.arrive("Ada")
  await page.goto(`${server.origin}/bench`)
  for (const module of ["bd", "gdh", "ckd", "majority"]) await page.getByLabel(module, { exact: true }).uncheck()
  await enter(page, "Sizes", "2,4")
  await page.getByRole("button", { name: "Start", exact: true }).click()
  await expect(page.getByRole("status")).toHaveText(/^Done/u, { timeout: 240_000 })
  const { figures } = JSON.parse(await saved(page, "JSON")) as { figures: { unit: string; median: number }[] }
  expect(figures.length).toBeGreaterThan(0)
  for (const { unit, median } of figures) expect([["count", "bytes"].includes(unit), median >= 0]).toEqual([true, true])
  expect((await saved(page, "CSV")).trimEnd().split("\r\n")).toHaveLength(figures.length + 1)
  expect(await saved(page, "Save this plot as SVG")).toContain("<svg")
  expect((await saved(page, "Save this plot as PNG")).slice(1, 4)).toBe("PNG")
})

test("axe finds nothing to object to, light or dark, on a phone too, where nothing hangs over the edge; what runs can be stopped", async ({
  server,
  people,
}) => {
  const { page } = await people.arrive("Ada")
  await page.goto(`${server.origin}/bench`)
  await page.getByLabel("Experiment", { exact: true }).selectOption("cost")
  for (const module of ["bd", "gdh", "ckd", "majority"]) await page.getByLabel(module, { exact: true }).uncheck()
  await enter(page, "Sizes", "2,4")
  await page.getByRole("button", { name: "Start", exact: true }).click()
  await expect(page.getByRole("status")).toHaveText(/^Done/u, { timeout: 240_000 })
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1280, 390]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 844 })
      expect.soft(await violations(page), `${colorScheme}, ${width}`).toEqual([])
      const overhang = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      await expect.poll(overhang, { message: `${colorScheme}, ${width}` }).toBeLessThanOrEqual(0)
    }
  }

  await page.getByLabel("Experiment", { exact: true }).selectOption("majority")
  await enter(page, "Sizes", "101")
  await enter(page, "Runs", "1000")
  await page.getByRole("button", { name: "Start", exact: true }).click()
  await expect(page.getByRole("status")).toHaveText(/^Running/u)
  await page.getByRole("button", { name: "Stop", exact: true }).click()
  await expect(page.getByRole("status")).toHaveText(/^Stopped/u)
  await expect(page.getByRole("button", { name: "Start", exact: true })).toBeEnabled()
})
