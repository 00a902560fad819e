import { execFileSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { AxeBuilder } from "@axe-core/playwright"
import type { Page } from "@playwright/test"
import { serveFolder } from "../support/static-server.ts"

const APP = fileURLToPath(new URL("../../apps/web", import.meta.url))
export const DESKTOP = { width: 1280, height: 800 }
export const PHONE = { width: 390, height: 844 }
export const TOUCH_PX = 44

export type Stories = { readonly origin: string; readonly close: () => Promise<void> }

/** The screens of the app with invented people in them, built and served. Takes a minute. */
export async function openStories(): Promise<Stories> {
  const directory = await mkdtemp(join(tmpdir(), "keymoot-states-"))
  const build = ["vite", "build", "--config", "stories/vite.config.ts", "--outDir", directory]
  execFileSync("npx", build, { cwd: APP, stdio: ["ignore", "ignore", "inherit"] })
  const server = await serveFolder(directory)
  const close = async (): Promise<void> => {
    server.close()
    await rm(directory, { recursive: true })
  }
  return { origin: server.origin, close }
}

/** Elements that overflow the page sideways, or are too small for a finger. Excalidraw's own elements are excluded. */
export function flaws(page: Page, touchPx: number): Promise<string[]> {
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

/** Findings of axe, without those inside Excalidraw. */
export async function violations(page: Page): Promise<string[]> {
  // Its own copy of Playwright's types differs in ways that do not matter here.
  const axe = new AxeBuilder({ page: page as ConstructorParameters<typeof AxeBuilder>[0]["page"] })
  const { violations } = await axe.exclude(".excalidraw").analyze()
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`))
}
