import type { ConferenceMedia, MediaParticipant, MediaPurpose } from "@keymoot/core"
import { KeymootError } from "@keymoot/core"
import type { Readable } from "../store.ts"
import { store } from "../store.ts"

export type CallToggle = "microphone" | "camera" | "screen"
export type CallProblem = "refused" | "missing" | "busy" | "unsupported" | "failed"
export type OwnTracks = ReadonlyMap<MediaPurpose, MediaStreamTrack>

/** This person's part in the call: its devices, and the others in it. */
export type SessionCall = {
  /** False if this browser has no WebRTC or cannot encrypt its media. */
  readonly supported: boolean
  /** preview: the person looks at the own camera, and nothing is sent. */
  readonly state: Readable<"out" | "preview" | "entering" | "in">
  readonly participants: Readable<readonly MediaParticipant[]>
  /** Tracks that are on. In the call they are sent. */
  readonly own: Readable<OwnTracks>
  readonly problem: Readable<CallProblem | null>
  preview(): void
  /** Ends the preview. */
  cancel(): void
  join(): Promise<void>
  leave(): void
  toggle(purpose: CallToggle): Promise<void>
}

const CAMERA: MediaTrackConstraints = { width: { ideal: 640 }, height: { ideal: 360 }, frameRate: { ideal: 30 } }
const MICROPHONE: MediaTrackConstraints = { echoCancellation: true, noiseSuppression: true, autoGainControl: true }

export function openCall(media: ConferenceMedia, signal: AbortSignal): SessionCall {
  const state = store<ReturnType<SessionCall["state"]["get"]>>("out")
  const participants = store(media.participants)
  const own = store<OwnTracks>(new Map())
  const problem = store<CallProblem | null>(null)
  /** Kept while muted: some browsers would ask for the microphone again each time. */
  let mutedMicrophone: MediaStreamTrack | null = null
  /** Devices that are being opened, so that a second press does not open them twice. */
  const opening = new Set<CallToggle>()

  const set = (purpose: MediaPurpose, track: MediaStreamTrack | null): void => {
    const next = new Map(own.get())
    if (track) next.set(purpose, track)
    else next.delete(purpose)
    own.set(next)
  }
  const publish = async (purpose: MediaPurpose, track: MediaStreamTrack): Promise<void> => {
    if (state.get() === "in") await media.publish(purpose, track)
  }
  const off = (purpose: MediaPurpose): void => {
    const track = own.get().get(purpose)
    if (!track) return
    set(purpose, null)
    void media.unpublish(purpose)
    if (purpose === "microphone" && track.readyState === "live") {
      track.enabled = false
      mutedMicrophone = track
    } else track.stop()
    if (purpose === "screen") off("screen-audio")
  }
  const on = async (purpose: CallToggle): Promise<void> => {
    for (const [use, track] of await openTracks(purpose, mutedMicrophone)) {
      // The person may have left while the browser asked.
      if (state.get() === "out" || signal.aborted) {
        track.stop()
        continue
      }
      if (use === "microphone") mutedMicrophone = null
      track.addEventListener("ended", () => {
        if (own.get().get(use) === track) off(use)
      })
      set(use, track)
      await publish(use, track)
    }
  }
  const release = (): void => {
    for (const track of own.get().values()) track.stop()
    mutedMicrophone?.stop()
    mutedMicrophone = null
    own.set(new Map())
  }
  const leave = (): void => {
    state.set("out")
    media.leave()
    release()
    problem.set(null)
  }

  media.on(
    "change",
    () => {
      participants.set(media.participants)
      if (state.get() === "in" && media.state === "out") leave()
    },
    { signal },
  )
  signal.addEventListener("abort", leave, { once: true })

  return {
    supported: typeof RTCPeerConnection !== "undefined" && typeof RTCRtpScriptTransform !== "undefined",
    state,
    participants,
    own,
    problem,
    preview: () => state.set("preview"),
    cancel: leave,
    leave,
    async join() {
      state.set("entering")
      problem.set(null)
      try {
        await media.enter()
        if (state.get() !== "entering") return media.leave()
        state.set("in")
        for (const [purpose, track] of own.get()) await publish(purpose, track)
      } catch (error) {
        leave()
        problem.set(problemOf(error))
      }
    },
    async toggle(purpose) {
      if (opening.has(purpose)) return
      problem.set(null)
      if (own.get().has(purpose)) return off(purpose)
      opening.add(purpose)
      try {
        await on(purpose)
      } catch (error) {
        problem.set(problemOf(error))
      } finally {
        opening.delete(purpose)
      }
    },
  }
}

async function openTracks(
  purpose: CallToggle,
  muted: MediaStreamTrack | null,
): Promise<readonly (readonly [MediaPurpose, MediaStreamTrack])[]> {
  if (purpose === "microphone" && muted?.readyState === "live") {
    muted.enabled = true
    return [["microphone", muted]]
  }
  // Missing where the page is not served over https.
  const devices = navigator.mediaDevices as MediaDevices | undefined
  if (!devices) throw new DOMException("no devices here", "NotFoundError")
  if (purpose === "microphone") {
    const stream = await devices.getUserMedia({ audio: MICROPHONE })
    return stream.getAudioTracks().map((track) => ["microphone", track])
  }
  if (purpose === "camera") {
    const stream = await devices.getUserMedia({ video: CAMERA })
    return stream.getVideoTracks().map((track) => ["camera", track])
  }
  const stream = await devices.getDisplayMedia({ video: true, audio: true })
  for (const track of stream.getVideoTracks()) track.contentHint = "detail"
  return [
    ...stream.getVideoTracks().map((track) => ["screen", track] as const),
    ...stream.getAudioTracks().map((track) => ["screen-audio", track] as const),
  ]
}

function problemOf(error: unknown): CallProblem {
  if (error instanceof KeymootError) return error.code === "unsupported-browser" ? "unsupported" : "failed"
  const name = error instanceof DOMException ? error.name : ""
  if (name === "NotAllowedError" || name === "SecurityError") return "refused"
  return name === "NotReadableError" || name === "AbortError" ? "busy" : "missing"
}
