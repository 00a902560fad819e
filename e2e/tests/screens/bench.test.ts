import { readFile } from "node:fs/promises"
import type { Locator, Page } from "@playwright/test"
import { violationsLightAndDark } from "../../support/axe.ts"
import { expect, test } from "../../support/fixtures.ts"

// It measures: on a busy machine that takes its time.
test.slow()

const TABS_MAX = 40

/** Key by key, in the place of what is there: see `Person.type`. */
async function enter(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true })
  await field.press("ControlOrMeta+a")
  await field.pressSequentially(text)
}

/** On with the key that a person without a mouse has, until that is where one is. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let i = 0; i < TABS_MAX; i++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press("Tab")
  }
  throw new Error(`${TABS_MAX} times Tab have not come to it.`)
}

type Kept = {
  readonly machine: string
  readonly figures: readonly Readonly<Record<"experiment" | "unit", string> & Record<"median", number>>[]
}

/** Opens a picture in the page: how wide it is, and how many colours cover more than a speck of it. */
function drawn(page: Page, type: string, content: string | Buffer): Promise<{ width: number; colours: number }> {
  return page.evaluate(
    async ([type, base64]) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0)!)
      const image = new Image()
      image.src = URL.createObjectURL(new Blob([bytes], { type }))
      await image.decode()
      const { width, height } = image
      const canvas = new OffscreenCanvas(width, height).getContext("2d")!
      canvas.drawImage(image, 0, 0)
      const { data } = canvas.getImageData(0, 0, width, height)
      const counts = new Map<number, number>()
      for (const pixel of new Uint32Array(data.buffer)) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
      return { width, colours: [...counts.values()].filter((count) => count > 20).length }
    },
    [type, Buffer.from(content).toString("base64")] as const,
  )
}

async function saved(page: Page, button: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button, exact: true }).first().click(),
  ])
  return readFile(await download.path())
}

for (const kind of ["chromium", "firefox"] as const) {
  const tag = kind === "firefox" ? "@deep" : []
  const title = `${kind}: runs from the settings to a plot, and loads nothing for a conference`
  test(title, { tag }, async ({ server, people }) => {
    const { page: start } = await people.arrive("Ada", kind)
    const loaded: string[] = []
    start.context().on("request", (request) => loaded.push(new URL(request.url()).pathname))
    await start.goto(server.origin)
    await start.getByRole("button", { name: "Settings" }).click()
    const link = start.getByRole("link", { name: "Performance measurements" })
    await expect(link).toBeVisible()
    const before = new Set(loaded)
    const opening = start.waitForEvent("popup")
    await link.click()
    const page = await opening
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
      page.getByText(new RegExp(`${kind === "firefox" ? "Firefox" : "Chrome"} [\\d.]+, \\d+ cores, version`, "u")),
    ).toBeVisible()
    await page.getByText("All figures").click()
    const medians = await page.getByRole("row", { name: /event to key at every member/u }).allTextContents()
    expect(medians.length).toBeGreaterThan(0)
    for (const row of medians) expect(row).toMatch(/every member\d.*ms/u)
    await expect(page.getByRole("button", { name: "Save this plot as SVG" }).first()).toBeEnabled()
  })
}

for (const kind of ["chromium", "firefox"] as const) {
  const tag = kind === "firefox" ? "@deep" : []
  test(
    `${kind}: three members in one tab connect, are measured and can be stopped`,
    { tag },
    async ({ server, people }) => {
      const { page } = await people.arrive("Ada", kind)
      await page.goto(`${server.origin}/bench`)
      await page.getByLabel("Experiment", { exact: true }).selectOption("tab")
      for (const module of ["str", "bd", "gdh", "ckd", "majority"])
        await page.getByLabel(module, { exact: true }).uncheck()
      await enter(page, "Sizes", "3")
      await page.getByRole("button", { name: "Start", exact: true }).click()
      await expect(page.getByRole("status")).toHaveText("Done: 7 figures.", { timeout: 240_000 })
      await page.getByText("All figures").click()
      const rows = (await page.getByRole("row").allTextContents()).slice(1)
      expect(rows[0]).toMatch(/^n=3 data channels in one tab data channels open3 ?3 – 3 ?count/u)
      // n counts the members before the event: three members are two and a newcomer.
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

      await page.getByLabel("Experiment", { exact: true }).selectOption("peers")
      await enter(page, "Sizes", "4")
      await enter(page, "Runs", "1")
      await page.getByRole("button", { name: "Start", exact: true }).click()
      await expect(page.getByRole("status")).toHaveText("Done: 12 figures.", { timeout: 240_000 })
      await page.getByText("All figures").click()
      const sent = await page.getByRole("row", { name: /messages of 1 KB received by the other/u }).allTextContents()
      expect(sent.map((row) => /^(.*) messages n=2 two ends in one tab/u.exec(row)?.[1])).toEqual([
        "data channel",
        "simple-peer 9.11.1",
        "keymoot, fifo",
        "keymoot, agreed",
      ])
      for (const row of sent) expect(row).toMatch(/other[1-9][\d.]* ?[1-9]/u)
    },
  )
}

for (const kind of ["chromium", "firefox"] as const)
  test(`${kind} measures the frame encryption of calls in the page`, async ({ server, people }) => {
    const { page } = await people.arrive("Ada", kind)
    await page.goto(`${server.origin}/bench`)
    await page.getByLabel("Experiment", { exact: true }).selectOption("frames")
    await enter(page, "Sizes", "80,3000")
    await page.getByRole("button", { name: "Start", exact: true }).click()
    await expect(page.getByRole("status")).toHaveText("Done: 4 figures.", { timeout: 240_000 })
    await page.getByText("All figures").click()
    const rows = (await page.getByRole("row").allTextContents()).slice(1)
    expect(rows.map((row) => /^frames n=\d+ one frame \w+ed|^n=\d+ one frame \w+ed/u.exec(row)?.[0])).toEqual([
      "n=80 one frame encrypted",
      "n=80 one frame decrypted",
      "n=3000 one frame encrypted",
      "n=3000 one frame decrypted",
    ])
    for (const row of rows) expect(row).not.toMatch(/ed0(?!\.)/u)
  })

test("the bench is run, stopped and saved by keyboard, and passes axe, also on a phone", async ({ server, people }) => {
  // Firefox does not report saved files to the program that drives it.
  const { page } = await people.arrive("Ada")
  await page.goto(`${server.origin}/bench`)
  await tabTo(page, page.getByLabel("Experiment", { exact: true }))
  await page.keyboard.type("cost")
  for (const module of ["bd", "gdh", "ckd", "majority"]) {
    await tabTo(page, page.getByLabel(module, { exact: true }))
    await page.keyboard.press("Space")
  }
  await tabTo(page, page.getByLabel("Sizes", { exact: true }))
  await page.keyboard.type("2,4")
  await page.keyboard.press("Enter")
  await expect(page.getByRole("status")).toHaveText(/^Done/u, { timeout: 240_000 })

  const kept = JSON.parse((await saved(page, "JSON")).toString()) as Kept
  const { figures } = kept
  expect(kept).toMatchObject({ experiment: "cost", quick: true, at: expect.stringMatching(/^\d{4}-/u) })
  expect(kept.machine).toMatch(/^Chrome [\d.]+, \d+ cores, version/u)
  expect(figures.length).toBeGreaterThan(0)
  for (const { unit, median } of figures) expect([["count", "bytes"].includes(unit), median >= 0]).toEqual([true, true])

  // Nothing in these has a comma: a line is its cells.
  const [head, ...rows] = (await saved(page, "CSV")).toString().trimEnd().split("\r\n")
  const columns = head!.split(",") as (keyof Kept["figures"][number])[]
  const cells = (figure: Kept["figures"][number]): string => columns.map((column) => figure[column] ?? "").join(",")
  expect(columns).toContain("median")
  expect(rows).toEqual(figures.map(cells))

  // Both by themselves, as a browser opens them.
  const svg = (await saved(page, "Save this plot as SVG")).toString()
  const png = await saved(page, "Save this plot as PNG")
  const [vector, pixels] = [await drawn(page, "image/svg+xml", svg), await drawn(page, "image/png", png)]
  expect(vector.width).toBeGreaterThan(250)
  expect(pixels.width).toBe(2 * vector.width)
  // Paper, ink, and a colour for each of the two modules.
  for (const { colours } of [vector, pixels]) expect(colours).toBeGreaterThan(3)

  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    expect.soft(await violationsLightAndDark(page), `${width}`).toEqual([])
    const overhang = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    await expect.poll(overhang, { message: `${width}` }).toBeLessThanOrEqual(0)
  }

  await page.getByLabel("Experiment", { exact: true }).selectOption("majority")
  await enter(page, "Sizes", "101")
  await enter(page, "Runs", "1000")
  await page.keyboard.press("Enter")
  await expect(page.getByRole("status")).toHaveText(/^Running: \d+ %, (?:time left not known yet|about \d+ s left)$/u)
  await tabTo(page, page.getByRole("button", { name: "Stop", exact: true }))
  await page.keyboard.press("Enter")
  await expect(page.getByRole("status")).toHaveText(/^Stopped/u)
  await expect(page.getByRole("button", { name: "Start", exact: true })).toBeEnabled()
})
