import type { ConferenceMedia, MediaPurpose } from "@keymoot/core"
import { type Readable, store } from "../../store.ts"
import { openCallProblems } from "./callProblems.ts"
import type { CallDevices } from "./devices.ts"
import { type CallProblem, type CallToggle, type Opened, openTracks, problemOf } from "./openTracks.ts"
import { watchSilenced } from "./silenced.ts"

export type OwnTracks = {
  /** Tracks that are on. In the call they are sent. */
  readonly own: Readable<ReadonlyMap<MediaPurpose, MediaStreamTrack>>
  /** Devices that are on and carry nothing. */
  readonly silenced: Readable<ReadonlySet<MediaPurpose>>
  /** As in `CallProblems`. */
  readonly problem: Readable<CallProblem | null>
  hideProblem(): void
  /** Switches a device on or off. A second call while the browser still asks opens nothing twice. */
  toggle(toggle: CallToggle): Promise<void>
  /** Tries the device of the shown problem again. */
  retry(): void
  /** While it is true the microphone is on. A microphone that was on before stays on. */
  talk(talking: boolean): void
}

type Inside = {
  /** The only problem from now on; null for none. */
  setProblem(problem: CallProblem | null): void
  /** One after another, since browsers ask for one device at a time. A press or the end of the call takes one out. */
  onAll(toggles: readonly CallToggle[]): Promise<void>
  off(purpose: MediaPurpose): void
  /** Sends all tracks that are on. */
  publishAll(): Promise<void>
  /** Opens the device again that the person has chosen. */
  reopen(toggle: "microphone" | "camera"): Promise<void>
  /** Gives all devices back to the system, also those that are being opened. */
  release(): void
}

type Config = {
  readonly media: ConferenceMedia
  readonly devices: CallDevices
  /** out: nothing may be on. in: what is on is sent. */
  readonly state: Readable<"out" | "preview" | "entering" | "in">
  /** Viewers have no device on, also in the preview. */
  readonly isViewer: () => boolean
  readonly signal: AbortSignal
}

/** `error`: why the chosen device is not among the opened ones; null if it is. */
type Outcome = { readonly opened: Opened; readonly error: unknown }

function outcomeOf(opening: Promise<Opened>): Promise<Outcome> {
  return opening.then(
    (opened) => ({ opened, error: null }),
    (error: unknown) => ({ opened: [], error }),
  )
}

/** The own microphone, camera and screen. */
export function openOwnTracks({ media, devices, state, isViewer, signal }: Config): OwnTracks & Inside {
  const own = store<ReadonlyMap<MediaPurpose, MediaStreamTrack>>(new Map())
  const problems = openCallProblems()
  /** Kept while muted: some browsers would ask for the microphone again each time. */
  let mutedMicrophone: MediaStreamTrack | null = null
  /** Whether a device that is being opened is still wanted. The last press or a host's muting decides. */
  const opening = new Map<MediaPurpose, boolean>()
  /** See `onAll`. */
  const waiting = new Set<MediaPurpose>()
  /** Counts how often everything was switched off. A device that was being opened then is not kept. */
  let releases = 0
  let isPushed = false

  const set = (purpose: MediaPurpose, track: MediaStreamTrack | null): void => {
    const next = new Map(own.get())
    if (track) next.set(purpose, track)
    else next.delete(purpose)
    own.set(next)
  }
  /** The person may leave or become a viewer while the browser asks. */
  const mayBeOn = (): boolean => state.get() !== "out" && !signal.aborted && !isViewer()
  const publish = async (purpose: MediaPurpose, track: MediaStreamTrack): Promise<void> => {
    if (state.get() === "in") await media.publish(purpose, track)
  }
  const forgetMuted = (): void => {
    mutedMicrophone?.stop()
    mutedMicrophone = null
  }
  /** A microphone stays open, without sound. */
  const putAway = (purpose: MediaPurpose, track: MediaStreamTrack): void => {
    if (purpose === "microphone" && track.readyState === "live" && mayBeOn()) {
      forgetMuted()
      track.enabled = false
      mutedMicrophone = track
    } else track.stop()
  }
  const off = (purpose: MediaPurpose): void => {
    waiting.delete(purpose)
    if (opening.has(purpose)) opening.set(purpose, false)
    void media.unpublish(purpose)
    const track = own.get().get(purpose)
    if (!track) return
    set(purpose, null)
    putAway(purpose, track)
    if (purpose === "screen") off("screen-audio")
  }
  const onEnded = ({ target }: Event): void => {
    const use = [...own.get()].find(([, track]) => track === target)?.[0]
    if (!use) return
    off(use)
    // A screen is stopped by the person, in the browser's own bar.
    if (use === "microphone" || use === "camera") problems.add({ kind: "ended", toggle: use })
  }
  const take = async (use: MediaPurpose, track: MediaStreamTrack): Promise<void> => {
    track.addEventListener("ended", onEnded)
    if (use === "microphone") forgetMuted()
    set(use, track)
    await publish(use, track)
  }
  /** Opens the device that is chosen when the browser answers: the person may have moved on to another one. */
  const openChosen = async (toggle: CallToggle): Promise<Opened> => {
    if (toggle === "microphone" && mutedMicrophone?.readyState === "live") {
      const track = mutedMicrophone
      mutedMicrophone = null
      track.enabled = true
      return [["microphone", track]]
    }
    const chosen = (): string | null => (toggle === "screen" ? null : devices.chosenEver(toggle))
    const device = chosen()
    const { opened, error } = await outcomeOf(openTracks(toggle, toggle === "screen" ? null : devices.wish(toggle)))
    if (device !== chosen()) {
      for (const [, track] of opened) track.stop()
      return opening.get(toggle) ? openChosen(toggle) : []
    }
    if (error !== null) throw error
    return opened
  }
  /**
   * Opens the chosen device while a former one is on. Phones have one camera at a time: there the former one stops first,
   * and is opened again if the other one fails.
   */
  const openBeside = async (toggle: CallToggle, former: MediaStreamTrack | undefined): Promise<Outcome> => {
    const first = await outcomeOf(openChosen(toggle))
    const isBusy = first.error !== null && problemOf(first.error, toggle)?.kind === "busy"
    if (!former || !isBusy || !opening.get(toggle)) return first
    const { deviceId = null } = former.getSettings()
    former.stop()
    const second = await outcomeOf(openChosen(toggle))
    if (second.error === null) return second
    return {
      ...(await outcomeOf(openTracks(toggle, deviceId === null ? null : { exact: deviceId }))),
      error: second.error,
    }
  }
  /** Opens the chosen device, in place of a former one. That stays on if it fails. */
  const open = async (toggle: CallToggle): Promise<void> => {
    if (!mayBeOn()) return
    const isOpening = opening.has(toggle)
    opening.set(toggle, true)
    if (isOpening) return
    problems.solved(toggle)
    const former = own.get().get(toggle)
    const before = releases
    const { opened, error } = await openBeside(toggle, former)
    const failed = (reason: unknown): void => {
      if (own.get().get(toggle)?.readyState !== "live") off(toggle)
      const problem = problemOf(reason, toggle)
      if (problem && state.get() !== "out") problems.add(problem)
    }
    const isWanted = opening.get(toggle) && mayBeOn()
    opening.delete(toggle)
    void devices.look()
    try {
      for (const [use, track] of opened) {
        if (isWanted) await take(use, track)
        else if (before === releases) putAway(use, track)
        else track.stop()
      }
      if (opened.length > 0) former?.stop()
      if (error !== null) failed(error)
    } catch (reason) {
      for (const [, track] of opened) track.stop()
      former?.stop()
      failed(reason)
    }
  }
  const on = async (toggle: CallToggle): Promise<void> => {
    if (!own.get().has(toggle)) await open(toggle)
  }
  const reopen = async (toggle: "microphone" | "camera"): Promise<void> => {
    if (toggle === "microphone") forgetMuted()
    // A device that is being opened notices the choice itself.
    if (own.get().has(toggle)) await open(toggle)
  }
  let known = devices.known.get()
  /** Takes a chosen device that is connected again in place of another one, which the browser gave meanwhile. */
  const followConnected = (): void => {
    const former = known
    known = devices.known.get()
    for (const use of ["microphone", "camera"] as const) {
      const chosen = devices.chosen(use)
      const isNew = chosen !== null && !former[use].some(({ deviceId }) => deviceId === chosen)
      const present = own.get().get(use) ?? (use === "microphone" ? mutedMicrophone : null)
      if (isNew && present?.getSettings().deviceId !== chosen) void reopen(use)
    }
  }
  devices.known.subscribe(followConnected)

  // The browser has ended a track, or a host has made this person a viewer.
  media.on("ended", off, { signal })

  return {
    own,
    silenced: watchSilenced(own),
    problem: problems.shown,
    hideProblem: problems.hide,
    setProblem: problems.replace,
    off,
    async onAll(toggles) {
      for (const toggle of toggles) waiting.add(toggle)
      for (const toggle of toggles) if (waiting.delete(toggle)) await on(toggle)
    },
    async toggle(toggle) {
      isPushed = false
      waiting.delete(toggle)
      if (!own.get().has(toggle)) return on(toggle)
      problems.solved(toggle)
      off(toggle)
    },
    retry() {
      const toggle = problems.shown.get()?.toggle
      if (toggle) void open(toggle)
    },
    talk(talking) {
      if (!talking) {
        if (isPushed) off("microphone")
        isPushed = false
        return
      }
      if (isPushed || own.get().has("microphone") || opening.get("microphone")) return
      isPushed = true
      void on("microphone")
    },
    async publishAll() {
      for (const [purpose, track] of own.get()) await publish(purpose, track)
    },
    reopen,
    release() {
      releases++
      waiting.clear()
      for (const track of own.get().values()) track.stop()
      for (const purpose of opening.keys()) opening.set(purpose, false)
      forgetMuted()
      isPushed = false
      if (own.get().size > 0) own.set(new Map())
    },
  }
}
