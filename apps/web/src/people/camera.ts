/** The reason why the camera delivers no picture. */
export type CameraProblem = "refused" | "missing" | "busy"

export type Scan = { stop(): void }

/** A code need not be read faster than a hand moves, and reading takes tens of milliseconds. */
const LOOK_EVERY_MS = 150
/** Pixels of the longer side of the decoded picture. */
const PICTURE_SIZE_MAX = 800

/**
 * Shows the camera in `video`, and reports each decoded text until stopped. The decoder is loaded lazily; no picture
 * leaves the page.
 */
export function scanCodes(
  video: HTMLVideoElement,
  onText: (text: string) => void,
  onProblem: (problem: CameraProblem) => void,
): Scan {
  let stopped = false
  let stream: MediaStream | null = null
  let timer: ReturnType<typeof setTimeout> | null = null

  function stop(): void {
    stopped = true
    if (timer !== null) clearTimeout(timer)
    for (const track of stream?.getTracks() ?? []) track.stop()
    video.srcObject = null
  }

  async function start(): Promise<void> {
    // Missing where the page is not served over https.
    const devices = navigator.mediaDevices as MediaDevices | undefined
    if (devices === undefined) return onProblem("missing")
    stream = await devices.getUserMedia({ video: { facingMode: "environment" }, audio: false })
    if (stopped) return stop()
    video.srcObject = stream
    await video.play()
    const { decodeQR } = await import("qr/decode.js")
    const canvas = document.createElement("canvas")
    const look = (): void => {
      if (stopped) return
      const picture = pictureOf(video, canvas)
      const text = picture && readOrNull(() => decodeQR(picture))
      if (text) onText(text)
      timer = setTimeout(look, LOOK_EVERY_MS)
    }
    look()
  }

  start().catch((error: unknown) => {
    if (stopped) return
    stop()
    onProblem(problemOf(error))
  })
  return { stop }
}

function pictureOf(video: HTMLVideoElement, canvas: HTMLCanvasElement): ImageData | null {
  const { videoWidth, videoHeight } = video
  if (videoWidth === 0) return null
  const scale = Math.min(1, PICTURE_SIZE_MAX / Math.max(videoWidth, videoHeight))
  canvas.width = Math.round(videoWidth * scale)
  canvas.height = Math.round(videoHeight * scale)
  const context = canvas.getContext("2d", { willReadFrequently: true })
  context?.drawImage(video, 0, 0, canvas.width, canvas.height)
  return context?.getImageData(0, 0, canvas.width, canvas.height) ?? null
}

/** The decoder throws if there is no code. */
function readOrNull(read: () => string): string | null {
  try {
    return read()
  } catch {
    return null
  }
}

function problemOf(error: unknown): CameraProblem {
  const name = error instanceof DOMException ? error.name : ""
  if (name === "NotAllowedError" || name === "SecurityError") return "refused"
  return name === "NotReadableError" || name === "AbortError" ? "busy" : "missing"
}
