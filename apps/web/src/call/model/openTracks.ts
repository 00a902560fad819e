import { KeymootError, type MediaPurpose } from "@keymoot/core"

export type CallToggle = "microphone" | "camera" | "screen"
/**
 * - refused: by the person or the browser; system: by the operating system.
 * - ended: the device was on and is gone, as when it is unplugged.
 * - stopped: the call has ended by itself.
 */
export type CallProblem = {
  readonly kind: "refused" | "system" | "missing" | "busy" | "ended" | "unsupported" | "full" | "stopped" | "failed"
  /** The toggle that the person can try again. */
  readonly toggle: CallToggle | null
}

export type Opened = readonly (readonly [MediaPurpose, MediaStreamTrack])[]

const CAMERA: MediaTrackConstraints = { width: { ideal: 640 }, height: { ideal: 360 }, frameRate: { ideal: 30 } }
/** A call sends no larger pictures. Without an ideal size, Chromium would take the maximum. */
const screenVideo = (): MediaTrackConstraints => ({
  width: { ideal: screen.width, max: 5120 },
  height: { ideal: screen.height, max: 2880 },
  frameRate: { ideal: 15, max: 30 },
})
const MICROPHONE: MediaTrackConstraints = { echoCancellation: true, noiseSuppression: true, autoGainControl: true }

/** Options that the types of the browser do not have yet. */
type ScreenOptions = DisplayMediaStreamOptions & {
  readonly audio: MediaTrackConstraints & { readonly restrictOwnAudio: true }
  readonly selfBrowserSurface: "exclude"
  readonly systemAudio?: "exclude"
}

/** The sound of the system has the voices of the call, which their speakers must not get back. */
function screenOptions(devices: MediaDevices): ScreenOptions {
  const { restrictOwnAudio = false } = devices.getSupportedConstraints() as { readonly restrictOwnAudio?: boolean }
  return {
    video: screenVideo(),
    audio: { restrictOwnAudio: true },
    // Nothing takes the voices out of this tab's own sound, and the others have its content themselves.
    selfBrowserSurface: "exclude",
    ...(restrictOwnAudio ? {} : { systemAudio: "exclude" }),
  }
}

/**
 * Asks the browser for a device, or for the screen.
 * @param device null: the browser's default
 * @throws DOMException as `getUserMedia` and `getDisplayMedia` do
 */
export async function openTracks(toggle: CallToggle, device: ConstrainDOMStringParameters | null): Promise<Opened> {
  // Missing where the page is not served over https.
  const devices = navigator.mediaDevices as MediaDevices | undefined
  if (!devices) throw new DOMException("no devices here", "NotFoundError")
  const chosen = device === null ? {} : { deviceId: device }
  if (toggle === "microphone") {
    const stream = await devices.getUserMedia({ audio: { ...MICROPHONE, ...chosen } })
    return stream.getAudioTracks().map((track) => ["microphone", track])
  }
  if (toggle === "camera") {
    const stream = await devices.getUserMedia({ video: { ...CAMERA, ...chosen } })
    return stream.getVideoTracks().map((track) => ["camera", track])
  }
  const stream = await devices.getDisplayMedia(screenOptions(devices))
  // Letters stay readable, at the price of frames.
  for (const track of stream.getVideoTracks()) track.contentHint = "detail"
  return [
    ...stream.getVideoTracks().map((track) => ["screen", track] as const),
    ...stream.getAudioTracks().map((track) => ["screen-audio", track] as const),
  ]
}

/**
 * @param toggle null: the person was joining
 * @returns null if the person closed the browser's list of screens, and nothing is wrong
 */
export function problemOf(error: unknown, toggle: CallToggle | null): CallProblem | null {
  if (error instanceof KeymootError && error.code === "unsupported-browser")
    return { kind: "unsupported", toggle: null }
  if (error instanceof KeymootError && error.code === "call-full") return { kind: "full", toggle: null }
  if (error instanceof KeymootError || toggle === null) return { kind: "failed", toggle: null }
  const { name, message } = error instanceof DOMException ? error : { name: "", message: "" }
  if (name === "NotAllowedError" || name === "SecurityError") {
    if (/by system/iu.test(message)) return { kind: "system", toggle }
    return toggle === "screen" ? null : { kind: "refused", toggle }
  }
  if (name === "NotReadableError" || name === "AbortError") return { kind: "busy", toggle }
  return { kind: toggle === "screen" ? "failed" : "missing", toggle }
}
