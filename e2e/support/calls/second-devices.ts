import { defineMovingDrawing } from "./moving-drawing.ts"
import type { Person } from "../person.ts"

/**
 * Gives the page a second camera and microphone, for a browser with one fake of each: a moving drawing and a tone. Call it
 * before the page loads.
 */
export async function addSecondDevices({ page }: Person): Promise<void> {
  await page.addInitScript(defineMovingDrawing)
  await page.addInitScript(() => {
    // An empty page has none.
    const { mediaDevices } = navigator as { readonly mediaDevices?: MediaDevices }
    if (!mediaDevices) return
    const [open, enumerate] = [mediaDevices.getUserMedia, mediaDevices.enumerateDevices]
    const second = (kind: MediaDeviceKind): MediaDeviceInfo =>
      ({ kind, deviceId: `second ${kind}`, groupId: "", label: `Second ${kind}` }) as MediaDeviceInfo
    const tone = (): MediaStream => {
      const context = new AudioContext()
      const [source, end] = [new OscillatorNode(context), context.createMediaStreamDestination()]
      source.connect(end)
      source.start()
      return end.stream
    }
    mediaDevices.enumerateDevices = async () => [
      ...(await enumerate.call(mediaDevices)),
      second("videoinput"),
      second("audioinput"),
    ]
    mediaDevices.getUserMedia = async (constraints = {}) => {
      const { deviceId } = (constraints.video ?? constraints.audio) as MediaTrackConstraints
      const { exact } = (deviceId ?? {}) as { readonly exact?: string }
      if (!exact?.startsWith("second ")) return open.call(mediaDevices, constraints)
      const stream = constraints.video ? movingDrawing() : tone()
      for (const track of stream.getTracks()) track.getSettings = () => ({ deviceId: exact, height: 360 })
      return stream
    }
  })
}
