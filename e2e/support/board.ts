import type { Locator, Page } from "@playwright/test"

/** A place on the whiteboard, in CSS pixels from the board's corner. The board is not scrolled in these tests, so a place is the same on all screens. */
export type Place = { readonly x: number; readonly y: number }

type Ink = { readonly pixels: number; readonly left: number; readonly right: number; readonly bottom: number }
const NO_INK: Ink = { pixels: 0, left: 0, right: 0, bottom: 0 }

const STROKE_PX = 80
const POINTER_PX = 24
/** Threshold out of 255, summed over the channels: fainter pixels are not ink. */
const CONTRAST_MIN = 60

/** The whiteboard as hands and eyes use it: drawn on with the mouse, seen as pixels. */
export class Board {
  readonly #page: Page
  readonly #pane: Locator

  constructor(page: Page) {
    this.#page = page
    this.#pane = page.getByRole("region", { name: "Whiteboard" })
  }

  /** A line of the pen, from `start` to the right and down. */
  async draw(start: Place): Promise<void> {
    await this.beginDrawing(start)
    await this.#page.mouse.up()
  }

  /** As `draw`, and the pen stays down. */
  async beginDrawing(start: Place): Promise<void> {
    await this.take("Draw")
    await this.point(start)
    await this.#page.mouse.down()
    for (let px = 10; px <= STROKE_PX; px += 10) await this.point({ x: start.x + px, y: start.y + px / 4 })
  }

  async write(start: Place, text: string): Promise<void> {
    await this.beginWriting(start, text)
    await this.#page.keyboard.press("Escape")
  }

  /** As `write`, and the text stays open. */
  async beginWriting(start: Place, text: string): Promise<void> {
    await this.take("Text")
    await this.point(start)
    await this.#page.mouse.down()
    await this.#page.mouse.up()
    await this.#page.keyboard.type(text)
  }

  async point({ x, y }: Place): Promise<void> {
    const box = await this.#pane.boundingBox()
    if (box === null) throw new Error("The whiteboard is not shown.")
    await this.#page.mouse.move(box.x + x, box.y + y)
  }

  /** Whether a stroke (or text) that begins there is seen. */
  async shows(start: Place): Promise<boolean> {
    return (await this.inkOf(start)) > STROKE_PX / 2
  }

  /** How many pixels of the screen a stroke that begins there covers. */
  async inkOf(start: Place): Promise<number> {
    const area = { x: start.x - 5, y: start.y - 10, width: STROKE_PX + 10, height: STROKE_PX / 4 + 30 }
    return (await this.#inkIn("static", area)).pixels
  }

  /** Whether anything that was drawn is seen. */
  async showsAnything(): Promise<boolean> {
    return (await this.#allInk()).pixels > 0
  }

  /** How broad everything is that is seen, in CSS pixels, and whether it ends before the screen does to the left and below. */
  async showsWhole(): Promise<{ readonly width: number; readonly isWhole: boolean }> {
    const box = await this.#pane.boundingBox()
    const { left, right, bottom } = await this.#allInk()
    return { width: right - left, isWhole: left > 1 && bottom < (box?.height ?? 0) - 2 }
  }

  /** Whether somebody's cursor is seen there. Cursors are drawn on a layer of their own. */
  async showsPointer(at: Place): Promise<boolean> {
    const area = { x: at.x - 4, y: at.y - 4, width: POINTER_PX, height: POINTER_PX }
    return (await this.#inkIn("interactive", area)).pixels > 20
  }

  /** The colour visible there: red, green and blue, 0 to 255 each. */
  async colourAt({ x, y }: Place): Promise<readonly number[]> {
    return this.#pane.locator("canvas.static").evaluate(
      (element, { x, y }) => {
        const canvas = element as HTMLCanvasElement
        const scale = canvas.width / canvas.clientWidth
        const pixel = canvas.getContext("2d")?.getImageData(x * scale, y * scale, 1, 1).data
        return [...(pixel ?? [])].slice(0, 3)
      },
      { x, y },
    )
  }

  /** The middle of what is seen. */
  async middle(): Promise<Place> {
    const box = await this.#pane.boundingBox()
    if (box === null) throw new Error("The whiteboard is not shown.")
    return { x: box.width / 2, y: box.height / 2 }
  }

  /** How far a text that begins there reaches, in CSS pixels; 0 if none is seen. */
  async textWidth(start: Place): Promise<number> {
    return (await this.#inkIn("static", { x: start.x - 5, y: start.y - 10, width: 500, height: 40 })).right
  }

  /** Chooses what the pointer is from now on. */
  async take(tool: "Draw" | "Text"): Promise<void> {
    // The radio button itself is hidden behind its picture.
    await this.#pane
      .locator("label")
      .filter({ has: this.#page.getByRole("radio", { name: tool }) })
      .click()
  }

  async #allInk(): Promise<Ink> {
    const box = await this.#pane.boundingBox()
    return box === null ? NO_INK : this.#inkIn("static", { x: 0, y: 0, width: box.width, height: box.height })
  }

  /** How many pixels are inked, and how far from the area's left and top they reach, in CSS pixels. */
  async #inkIn(layer: "static" | "interactive", area: Place & { width: number; height: number }): Promise<Ink> {
    const canvas = this.#pane.locator(`canvas.${layer}`)
    if ((await canvas.count()) === 0) return NO_INK
    return canvas.evaluate(
      (element, { area, contrastMin, none }) => {
        const canvas = element as HTMLCanvasElement
        const context = canvas.getContext("2d")
        const ink = { ...none }
        if (context === null || canvas.width === 0) return ink
        const scale = canvas.width / canvas.clientWidth
        const paper = context.getImageData(0, 0, 1, 1).data
        const [x = 0, y = 0, right = 0, bottom = 0] = [area.x, area.y, area.x + area.width, area.y + area.height].map(
          (px) => Math.round(px * scale),
        )
        // Beyond the canvas all is transparent, which is not paper either.
        const [width, height] = [Math.min(right, canvas.width) - x, Math.min(bottom, canvas.height) - y]
        if (width <= 0 || height <= 0) return ink
        const pixels = context.getImageData(x, y, width, height).data
        for (let at = 0; at < pixels.length; at += 4) {
          let contrast = 0
          for (let channel = 0; channel < 4; channel++)
            contrast += Math.abs((pixels[at + channel] ?? 0) - (paper[channel] ?? 0))
          if (contrast < contrastMin) continue
          const x = ((at / 4) % width) / scale
          ink.left = ink.pixels === 0 ? x : Math.min(ink.left, x)
          ink.pixels++
          ink.right = Math.max(ink.right, x)
          ink.bottom = Math.floor(at / 4 / width) / scale
        }
        return ink
      },
      { area, contrastMin: CONTRAST_MIN, none: NO_INK },
    )
  }
}
