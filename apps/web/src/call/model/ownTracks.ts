import type { ConferenceMedia, MediaPurpose } from "@keymoot/core"
import type { Readable } from "../../store.ts"
import { store } from "../../store.ts"
import type { CallDevices } from "./devices.ts"
import { openTracks, problemOf } from "./openTracks.ts"
import type { CallProblem, CallToggle } from "./openTracks.ts"

export type OwnTracks = {
  /** Tracks that are on. In the call they are sent. */
  readonly own: Readable<ReadonlyMap<MediaPurpose, MediaStreamTrack>>
  readonly problem: Readable<CallProblem | null>
  /** Switches a device on or off. A second call while the browser still asks does nothing. */
  toggle(toggle: CallToggle): Promise<void>
  /** Tries the device of the last problem again. */
  retry(): void
  /** While it is true the microphone is on. A microphone that was on before stays on. */
  talk(talking: boolean): void
}

type Inside = {
  setProblem(problem: CallProblem | null): void
  on(toggle: CallToggle): Promise<void>
  off(purpose: MediaPurpose): void
  /** Sends all tracks that are on. */
  publishAll(): Promise<void>
  /** Opens the device again that the person has chosen. */
  reopen(toggle: "microphone" | "camera"): Promise<void>
  release(): void
}

type Config = {
  readonly media: ConferenceMedia
  readonly devices: CallDevices
  /** out: nothing may be on. in: what is on is sent. */
  readonly state: Readable<"out" | "preview" | "entering" | "in">
  readonly signal: AbortSignal
}

/** The own microphone, camera and screen. */
export function openOwnTracks({ media, devices, state, signal }: Config): OwnTracks & Inside {
  const own = store<ReadonlyMap<MediaPurpose, MediaStreamTrack>>(new Map())
  const problem = store<CallProblem | null>(null)
  /** Kept while muted: some browsers would ask for the microphone again each time. */
  let mutedMicrophone: MediaStreamTrack | null = null
  /** Devices that are being opened, so that a second press does not open them twice. */
  const opening = new Set<CallToggle>()
  let isPushed = false

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
  const take = async (use: MediaPurpose, track: MediaStreamTrack): Promise<void> => {
    track.addEventListener("ended", () => {
      if (own.get().get(use) !== track) return
      off(use)
      // A screen is stopped by the person, in the browser's own bar.
      if (use === "microphone" || use === "camera") problem.set({ kind: "ended", toggle: use })
    })
    set(use, track)
    await publish(use, track)
  }
  const open = async (toggle: CallToggle): Promise<void> => {
    if (toggle === "microphone" && mutedMicrophone?.readyState === "live") {
      const track = mutedMicrophone
      mutedMicrophone = null
      track.enabled = true
      set("microphone", track)
      return publish("microphone", track)
    }
    const tracks = await openTracks(toggle, toggle === "screen" ? null : devices.chosen(toggle))
    void devices.look()
    for (const [use, track] of tracks) {
      // The person may have left while the browser asked.
      if (state.get() === "out" || signal.aborted) track.stop()
      else await take(use, track)
    }
  }
  const on = async (toggle: CallToggle): Promise<void> => {
    if (opening.has(toggle) || own.get().has(toggle)) return
    opening.add(toggle)
    problem.set(null)
    try {
      await open(toggle)
    } catch (error) {
      off(toggle)
      problem.set(problemOf(error, toggle))
    } finally {
      opening.delete(toggle)
    }
  }
  const forgetMuted = (): void => {
    mutedMicrophone?.stop()
    mutedMicrophone = null
  }

  // The browser has ended a track, or a host has made this person a viewer.
  media.on(
    "ended",
    (purpose) => {
      off(purpose)
      if (purpose === "microphone") forgetMuted()
    },
    { signal },
  )

  return {
    own,
    problem,
    setProblem: problem.set,
    on,
    off,
    async toggle(toggle) {
      isPushed = false
      if (opening.has(toggle) || !own.get().has(toggle)) return on(toggle)
      problem.set(null)
      off(toggle)
    },
    retry() {
      const toggle = problem.get()?.toggle
      if (toggle) void on(toggle)
    },
    talk(talking) {
      if (!talking) {
        if (isPushed) off("microphone")
        isPushed = false
        return
      }
      if (isPushed || own.get().has("microphone")) return
      isPushed = true
      // The key may be up again before the browser has opened the microphone.
      void on("microphone").then(() => {
        if (!isPushed && !opening.has("microphone")) off("microphone")
      })
    },
    async publishAll() {
      for (const [purpose, track] of own.get()) await publish(purpose, track)
    },
    async reopen(toggle) {
      if (toggle === "microphone") forgetMuted()
      const track = own.get().get(toggle)
      if (!track) return
      // First, since a phone has one camera at a time.
      set(toggle, null)
      track.stop()
      await on(toggle)
      if (!own.get().has(toggle)) void media.unpublish(toggle)
    },
    release() {
      for (const track of own.get().values()) track.stop()
      forgetMuted()
      isPushed = false
      own.set(new Map())
    },
  }
}
