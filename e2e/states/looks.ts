import type { Page } from "@playwright/test"

export const DESKTOP = { width: 1280, height: 800 }
export const PHONE = { width: 390, height: 844 }
export const TOUCH_PX = 44

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

/** Tiles of a call whose note covers the name or does not fit. */
export function coveredTiles(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll(".tile:has(> .tile-note)")].flatMap((tile) => {
      const note = tile.querySelector(".tile-note")!
      const isCovered =
        note.getBoundingClientRect().bottom > tile.querySelector(".tile-name")!.getBoundingClientRect().top
      const isCut = note.scrollHeight > note.clientHeight || note.scrollWidth > note.clientWidth
      if (!isCovered && !isCut) return []
      return [`${tile.ariaLabel}: "${note.textContent}" ${isCovered ? "covers the name" : "is cut"}`]
    }),
  )
}
