import { expect } from "@playwright/test"
import type { Place } from "../support/board.ts"
import { WebDriverPage } from "./web-driver.ts"

const STROKE_PX = 80
/** As `Board` counts ink, for one colour of paper. */
const CONTRAST_MIN = 60

/** Somebody in front of WebKit. It does a part of what a `Person` does. */
export class WebKitPerson {
  readonly name: string
  readonly page: WebDriverPage

  private constructor(name: string, page: WebDriverPage) {
    this.name = name
    this.page = page
  }

  static async arrive(name: string): Promise<WebKitPerson> {
    return new WebKitPerson(name, await WebDriverPage.open())
  }

  async join(link: string): Promise<void> {
    await this.page.goto(link)
    await this.#until(() => this.page.type("//label[contains(., 'Your name')]//input | //input[@id = //label[contains(., 'Your name')]/@for]", this.name)) // prettier-ignore
    await this.press("Join")
  }

  /** The button with this text or label. */
  async press(name: string): Promise<void> {
    await this.#until(() => this.page.click(`//button[@aria-label = '${name}' or normalize-space() = '${name}']`))
  }

  async seesLock(text: string): Promise<void> {
    const read = () => this.page.evaluate(() => document.querySelector(".lock")?.textContent ?? "")
    await expect.poll(read, { message: `the lock of ${this.name}` }).toBe(text)
  }

  async say(text: string): Promise<void> {
    await this.page.type("//*[@aria-label = 'Message']", `${text}\uE007`)
  }

  /** Messages of the chat, in displayed order. */
  texts(): Promise<string[]> {
    return this.page.evaluate(() => {
      const articles = document.querySelectorAll("[role=log] article:not([data-pending])")
      return [...articles].map((article) => article.querySelector("p")?.textContent ?? "")
    })
  }

  /** A line of the pen, from `start` to the right and down. */
  async draw(start: Place): Promise<void> {
    await this.page.click("//label[.//input[@type = 'radio' and @aria-label = 'Draw']]")
    const { x, y } = await this.#board()
    const steps = Array.from({ length: 1 + STROKE_PX / 10 }, (_, index) => 10 * index)
    await this.page.drag(steps.map((px) => ({ x: x + start.x + px, y: y + start.y + px / 4 })))
  }

  /** Whether a stroke that begins there is seen. */
  async shows(start: Place): Promise<boolean> {
    const pixels = await this.page.evaluate(
      (start: Place, width: number, contrastMin: number) => {
        const canvas = document.querySelector<HTMLCanvasElement>("canvas.static")
        const context = canvas?.getContext("2d")
        if (!canvas || !context) return 0
        const scale = canvas.width / canvas.clientWidth
        const area = [start.x - 5, start.y - 10, width + 10, width / 4 + 30].map((px) => Math.round(px * scale))
        const [left = 0, top = 0, right = 0, bottom = 0] = area
        const paper = context.getImageData(0, 0, 1, 1).data
        const { data } = context.getImageData(left, top, right, bottom)
        let count = 0
        for (let at = 0; at < data.length; at += 4) {
          const contrast = [0, 1, 2].reduce(
            (sum, each) => sum + Math.abs((data[at + each] ?? 0) - (paper[each] ?? 0)),
            0,
          )
          if (contrast >= contrastMin) count++
        }
        return count
      },
      start,
      STROKE_PX,
      CONTRAST_MIN,
    )
    return pixels > STROKE_PX / 2
  }

  /** The text of the open dialog. */
  dialog(): Promise<string> {
    return this.page.evaluate(() => document.querySelector("[role=dialog]")?.textContent ?? "")
  }

  leave(): Promise<void> {
    return this.page.close()
  }

  #board(): Promise<Place> {
    return this.page.evaluate(() => {
      const { x, y } = document.querySelector("canvas.static")!.getBoundingClientRect()
      return { x, y }
    })
  }

  /** Repeats what needs an element until that is there. */
  async #until(task: () => Promise<void>): Promise<void> {
    await expect(task).toPass({ timeout: 30_000 })
  }
}
