/** How long strokes take from one page to another, as their people see it: from the pen's movement to the ink on the other's screen. */
import type { Page } from "@playwright/test"
import type { Place } from "../board.ts"

const INTERVAL_MS = 120
/** Threshold out of 255, summed over the channels. */
const CONTRAST_MIN = 60
/** The strokes' places, row by row, in CSS pixels from the board's corner. Nobody else draws there. */
const [LEFT, TOP, ACROSS, STEP_X, STEP_Y] = [300, 140, 20, 14, 8]
const LENGTH_PX = 8

export const strokePlace = (index: number): Place => ({
  x: LEFT + (index % ACROSS) * STEP_X,
  y: TOP + Math.floor(index / ACROSS) * STEP_Y,
})

/** Draws strokes at these places, one after the other. Gives when each had two points, and so could be sent: milliseconds since 1970. */
export function drawStrokes(page: Page, places: readonly Place[]): Promise<number[]> {
  return page.evaluate(
    async ([places, length, intervalMs]) => {
      const canvas = document.querySelector<HTMLCanvasElement>("canvas.interactive")!
      const { left, top } = canvas.getBoundingClientRect()
      // The mouse's id, which a canvas can capture: 0 in Firefox and 1 elsewhere.
      const pointerId = navigator.userAgent.includes("Firefox") ? 0 : 1
      const fire = (type: string, x: number, y: number): void => {
        const at = { clientX: left + x, clientY: top + y, pointerId, pointerType: "mouse", isPrimary: true }
        const buttons = type === "pointerup" ? 0 : 1
        canvas.dispatchEvent(new PointerEvent(type, { ...at, buttons, button: 0, bubbles: true, cancelable: true }))
      }
      const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))
      const drawn: number[] = []
      for (const { x, y } of places) {
        fire("pointerdown", x, y)
        await pause(10)
        drawn.push(Date.now())
        fire("pointermove", x + length, y)
        await pause(10)
        fire("pointermove", x + length, y + 1)
        fire("pointerup", x + length, y + 1)
        // Not in step with the display, nor with anything else.
        await pause(intervalMs * (0.75 + Math.random() / 2))
      }
      return drawn
    },
    [places, LENGTH_PX, INTERVAL_MS] as const,
  )
}

/** When ink was first seen at each of the places, which are drawn on in this order. Begin before they are. */
export function seeStrokes(page: Page, places: readonly Place[]): Promise<number[]> {
  return page.evaluate(
    ([places, length, contrastMin]) =>
      new Promise<number[]>((done) => {
        const seen: number[] = []
        const look = (): void => {
          const canvas = document.querySelector<HTMLCanvasElement>("canvas.static")!
          const scale = canvas.width / canvas.clientWidth
          const context = canvas.getContext("2d")!
          const paper = context.getImageData(0, 0, 1, 1).data
          for (let place = places[seen.length]; place; place = places[seen.length]) {
            const [x, y] = [(place.x + 1) * scale, (place.y - 2) * scale]
            const { data } = context.getImageData(x, y, (length - 2) * scale, 4 * scale)
            let contrast = 0
            for (let at = 0; at < data.length; at += 4)
              contrast = Math.max(
                contrast,
                [0, 1, 2].reduce((sum, i) => sum + Math.abs(data[at + i]! - paper[i]!), 0),
              )
            if (contrast < contrastMin) break
            seen.push(Date.now())
          }
          if (seen.length < places.length) requestAnimationFrame(look)
          else done(seen)
        }
        look()
      }),
    [places, LENGTH_PX, CONTRAST_MIN] as const,
  )
}
