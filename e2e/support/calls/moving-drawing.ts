import type { Page } from "@playwright/test"

declare global {
  /** A moving picture in place of a camera or a screen. */
  var movingDrawing: () => MediaStream
}

/** Defines `movingDrawing` in a page, as an init script before those that use it. */
export function defineMovingDrawing(): void {
  globalThis.movingDrawing = () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 360 })
    const context = canvas.getContext("2d")!
    let drawn = 0
    setInterval(() => {
      context.fillStyle = `hsl(${drawn++ * 20} 80% 50%)`
      context.fillRect(0, 0, 640, 360)
    }, 50)
    return canvas.captureStream()
  }
}

/** A moving picture stands for the screen: browsers without a display may capture none. */
export async function shareDrawing(page: Page): Promise<void> {
  await page.addInitScript(defineMovingDrawing)
  await page.addInitScript(() => {
    // The empty page before the first one has no devices.
    const devices = navigator.mediaDevices as MediaDevices | undefined
    if (devices) devices.getDisplayMedia = async () => movingDrawing()
  })
}
