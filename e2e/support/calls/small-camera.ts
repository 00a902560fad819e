/** Cameras with small pictures that move: several pages with large ones take more than two processors. */
import { writeFileSync } from "node:fs"
import type { Person } from "../person.ts"

type Camera = { readonly width: number; readonly height: number; readonly perSecond: number }

/** For six people on two processors. */
export const SMALLEST: Camera = { width: 160, height: 90, perSecond: 5 }
/** For two people whose call is measured. */
export const HALF_SIZE: Camera = { width: 320, height: 180, perSecond: 15 }

const FRAMES = 20

/** The switch that gives a Chromium such a camera. @param path of the file that it writes the pictures to */
export function cameraOfFile(path: string, { width, height, perSecond }: Camera): string {
  const parts = [Buffer.from(`YUV4MPEG2 W${width} H${height} F${perSecond}:1 Ip A1:1 C420\n`)]
  for (let frame = 0; frame < FRAMES; frame++) {
    const planes = Buffer.alloc(1.5 * width * height, 128)
    for (let i = 0; i < width * height; i++) planes[i] = (2 * (i % width) + 12 * frame) & 255
    parts.push(Buffer.from("FRAME\n"), planes)
  }
  writeFileSync(path, Buffer.concat(parts))
  return `--use-file-for-fake-video-capture=${path}`
}

/** Preferences that give Firefox's own fake camera as many pictures a second. No page can change their number. */
export const picturesOf = ({ perSecond }: Camera) => ({ "media.navigator.video.default_fps": perSecond })

/** Has somebody's page open its camera with such a picture, as Firefox's own fake camera needs it. */
export async function shrinkCamera({ page }: Person, { width, height, perSecond }: Camera): Promise<void> {
  await page.context().addInitScript(
    (small) => {
      // A page that is not from a secure origin has none.
      const devices = navigator.mediaDevices as MediaDevices | undefined
      if (!devices) return
      const open = devices.getUserMedia.bind(devices)
      devices.getUserMedia = (asked) => {
        const { video } = asked ?? {}
        return open(video ? { ...asked, video: { ...(video === true ? {} : video), ...small } } : asked)
      }
    },
    { width, height, frameRate: perSecond },
  )
}
