import { writeFile } from "node:fs/promises"
import type { Locator } from "@playwright/test"

const SIZE = 480
const FRAMES = 5

/**
 * Arguments of a Chromium whose camera shows this film: grey planes as Y4M, which it reads when the camera is opened.
 */
export function cameraArguments(film: string): string[] {
  return ["--use-fake-device-for-media-stream", `--use-file-for-fake-video-capture=${film}`]
}

/** The image of a camera that looks at this drawing on another person's screen. */
export async function filmOf(drawing: Locator, film: string): Promise<void> {
  const luma = await drawing.evaluate(async (svg, size) => {
    const image = new Image()
    const copy = svg.cloneNode(true) as SVGElement
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg")
    copy.setAttribute("width", `${size}`)
    copy.setAttribute("height", `${size}`)
    // The page's policy forbids pictures from anywhere else.
    image.src = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }))
    await image.decode()
    const canvas = document.createElement("canvas")
    canvas.width = canvas.height = size
    const context = canvas.getContext("2d")!
    context.drawImage(image, 0, 0, size, size)
    return Array.from(context.getImageData(0, 0, size, size).data).filter((_, i) => i % 4 === 0)
  }, SIZE)
  const frame = Buffer.concat([Buffer.from("FRAME\n"), Buffer.from(luma), Buffer.alloc(SIZE * SIZE * 0.5, 128)])
  const head = Buffer.from(`YUV4MPEG2 W${SIZE} H${SIZE} F10:1 Ip A1:1 C420jpeg\n`)
  await writeFile(film, Buffer.concat([head, ...Array.from({ length: FRAMES }, () => frame)]))
}
