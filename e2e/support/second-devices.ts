import type { Person } from "./person.ts"

/**
 * Gives the page a second camera and microphone, for a browser with one fake of each: a moving drawing and a tone. Call it
 * before the page loads.
 */
export function addSecondDevices({ page }: Person): Promise<unknown> {
  return page.addInitScript(() => {
    // An empty page has none.
    const { mediaDevices } = navigator as { readonly mediaDevices?: MediaDevices }
    if (!mediaDevices) return
    const [open, enumerate] = [mediaDevices.getUserMedia, mediaDevices.enumerateDevices]
    const second = (kind: MediaDeviceKind): MediaDeviceInfo =>
      ({ kind, deviceId: `second ${kind}`, groupId: "", label: `Second ${kind}` }) as MediaDeviceInfo
    const drawing = (): MediaStream => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 360 })
      const context = canvas.getContext("2d")!
      let drawn = 0
      setInterval(() => {
        context.fillStyle = `hsl(${drawn++ * 20} 80% 50%)`
        context.fillRect(0, 0, 640, 360)
      }, 50)
      return canvas.captureStream()
    }
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
      const stream = constraints.video ? drawing() : tone()
      for (const track of stream.getTracks()) track.getSettings = () => ({ deviceId: exact, height: 360 })
      return stream
    }
  })
}
