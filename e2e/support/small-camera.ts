/** A camera with a small picture that moves: six pages with large ones take more than two processors. */
import { writeFileSync } from "node:fs"
import type { Person } from "./person.ts"

const [WIDTH, HEIGHT, FRAMES, PER_SECOND] = [160, 90, 20, 5]

/** The switch that gives a Chromium this camera. @param path of the file that it writes the pictures to */
export function smallCamera(path: string): string {
  const parts = [Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F${PER_SECOND}:1 Ip A1:1 C420\n`)]
  for (let frame = 0; frame < FRAMES; frame++) {
    const planes = Buffer.alloc(1.5 * WIDTH * HEIGHT, 128)
    for (let i = 0; i < WIDTH * HEIGHT; i++) planes[i] = (2 * (i % WIDTH) + 12 * frame) & 255
    parts.push(Buffer.from("FRAME\n"), planes)
  }
  writeFileSync(path, Buffer.concat(parts))
  return `--use-file-for-fake-video-capture=${path}`
}

/** Preferences that give Firefox's own fake camera as few pictures a second. No page can change their number. */
export const FEW_PICTURES = { "media.navigator.video.default_fps": PER_SECOND }

/** Has somebody's page open its camera with such a picture, as Firefox's own fake camera needs it. */
export async function shrinkCamera({ page }: Person): Promise<void> {
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
    { width: WIDTH, height: HEIGHT, frameRate: PER_SECOND },
  )
}
