import { execFileSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { AxeBuilder } from "@axe-core/playwright"
import type { Page } from "@playwright/test"
import { expect, test } from "../support/fixtures.ts"
import { serveFolder } from "../support/static-server.ts"
import type { StaticServer } from "../support/static-server.ts"

const APP = fileURLToPath(new URL("../../apps/web", import.meta.url))
const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
const TOUCH_PX = 44
/** What each of them says. */
const SAYS: Readonly<Record<string, string>> = {
  alone: "Only you are here.",
  entering: "Not verified: the name is what that person typed.",
  "entering, verified": "Verified by you",
  "entering, another key": "Careful: this is not the",
  "entering, unknown yet": "Looking at the invitation…",
  "not open yet": "This conference opens at Wednesday 15 January 2031 at 09:30.",
  joining: "Joining…",
  connecting: "What you do meanwhile is kept and will be shared.",
  agreeing: "Agreeing on a key…",
  secured: "Encrypted. 3 people can read this.",
  unreachable: "Eve cannot be reached. You and 1 other are here.",
  partitioned: "You and 2 others are here. What you do is kept and will be merged.",
  merged: "Together again with Grace, Linus and Margaret.",
  "server unreachable": "Server unreachable. The conference goes on",
  "storage full": "This device could not keep a copy of the conference.",
  "board not sent": "Not sent: the whiteboard has grown too large.",
  certified: "Certified by Acme Ltd",
  relayed: "Connected through the server, which can read nothing of it.",
  crowd: "60 people in the conference",
  "everything at once": "A new version of Keymoot is here.",
  "conference over": "This conference is over.",
  "removed by a host": "A host has removed you from this conference.",
  "wrong link": "This link is damaged.",
  "unknown conference": "The server does not know this conference.",
  "expired link": "This conference is over.",
  "link for another browser profile": "This link lacks its secret part",
  "not on the list": "You are not on the list of this conference",
  "no storage": "The browser lets this page store nothing",
}
const AT_PEOPLE = new Set(["relayed", "crowd", "certified"])
/** The rest of the screens are walked through in `accessibility.test.ts`. */
const FOR_AXE = new Set(["secured", "everything at once", "not open yet", "board not sent", "certified"])

let stories: StaticServer
let directory: string

test.beforeAll(async () => {
  test.setTimeout(300_000)
  directory = await mkdtemp(join(tmpdir(), "keymoot-states-"))
  const build = ["vite", "build", "--config", "stories/vite.config.ts", "--outDir", directory]
  execFileSync("npx", build, { cwd: APP, stdio: ["ignore", "ignore", "inherit"] })
  stories = await serveFolder(directory)
})
test.afterAll(async () => {
  stories.close()
  await rm(directory, { recursive: true })
})

/** What reaches out of the page sideways, or is too small for a finger. Excalidraw's inside is not ours. */
function flaws(page: Page, touchPx: number): Promise<string[]> {
  return page.evaluate((touch) => {
    const found: string[] = []
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth - clientWidth} px too wide`)
    for (const scroller of document.querySelectorAll(".messages, .people, .card, .popover, .modal"))
      if (scroller.scrollWidth > scroller.clientWidth) found.push(`.${scroller.className} is too wide`)
    for (const control of document.querySelectorAll("button, summary, select, textarea, .check")) {
      const { width, height } = control.getBoundingClientRect()
      if (width === 0 || control.closest(".excalidraw, [hidden]") !== null) continue
      // Some are drawn small and reach further than that.
      const reach = Number.parseFloat(getComputedStyle(control, "::after").height) || 0
      if (Math.max(height, reach) < touch - 0.5 || Math.max(width, reach) < touch - 0.5)
        found.push(`${control.className || control.tagName} "${control.textContent}" is ${width} × ${height} px`)
    }
    return [...new Set(found)]
  }, touchPx)
}

async function violations(page: Page): Promise<string[]> {
  // Its own copy of Playwright's types differs in ways that do not matter here.
  const axe = new AxeBuilder({ page: page as ConstructorParameters<typeof AxeBuilder>[0]["page"] })
  const { violations } = await axe.exclude(".excalidraw").analyze()
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`))
}

test("every state can be reached, and stays within the screen, light, dark and on a phone", async ({
  people,
}, info) => {
  test.slow()
  const { page } = await people.arrive("Ada")
  await page.goto(stories.origin + "/")
  const states = JSON.parse((await page.locator("body").textContent()) ?? "") as string[]
  expect(states.toSorted()).toEqual(Object.keys(SAYS).toSorted())
  for (const state of states) {
    await page.setViewportSize(DESKTOP)
    await page.emulateMedia({ colorScheme: "light" })
    await page.goto(`${stories.origin}/?state=${encodeURIComponent(state)}`)
    await expect(page.locator("main")).toBeVisible()
    if ((await page.locator(".board").count()) > 0) await expect(page.locator(".excalidraw").first()).toBeVisible()
    const shoot = async (look: string) =>
      void (await page.screenshot({ path: info.outputPath(`${state} ${look}.png`), animations: "disabled" }))
    if (AT_PEOPLE.has(state)) {
      await shoot("chat")
      await page.getByRole("tab", { name: "People" }).click()
    }
    await expect.soft(page.getByText(SAYS[state] ?? "").first(), state).toBeVisible()
    await shoot("light")
    if (FOR_AXE.has(state)) expect.soft(await violations(page), `${state}, light`).toEqual([])
    expect.soft(await flaws(page, 0), `${state} on a desktop`).toEqual([])
    await page.emulateMedia({ colorScheme: "dark" })
    await shoot("dark")
    if (FOR_AXE.has(state)) expect.soft(await violations(page), `${state}, dark`).toEqual([])
    await page.setViewportSize(PHONE)
    await shoot("phone")
    expect.soft(await flaws(page, TOUCH_PX), `${state} on a phone`).toEqual([])
  }
})
