import type { ConferenceHandle, ConferenceMedia, MediaParticipant, MediaRequest, Member } from "@keymoot/core"
import { type CallDevices, type DeviceUse, openDevices } from "../call/model/devices.ts"
import { type CallNotice, openCallNotice } from "../call/model/callNotice.ts"
import { callBefore, rememberCall } from "../call/model/memory.ts"
import { type CallProblem, type CallToggle, problemOf } from "../call/model/openTracks.ts"
import { openOwnTracks, type OwnTracks } from "../call/model/ownTracks.ts"
import { keepScreenOn } from "../call/model/screenLock.ts"
import { openShownSizes, type ShownSizes } from "../call/model/shownSizes.ts"
import { type CallStage, openStage } from "../call/model/stage.ts"
import { type Readable, store } from "../store.ts"

export type Asked = { readonly request: MediaRequest; readonly by: Member }

/** This person's part in the call: its devices, and the others in it. */
export type SessionCall = OwnTracks &
  ShownSizes &
  CallStage &
  CallNotice & {
    /** False if this browser has no WebRTC or cannot encrypt its media. */
    readonly supported: boolean
    /** preview: the person looks at the own camera, and nothing is sent. */
    readonly state: Readable<"out" | "preview" | "entering" | "in">
    readonly participants: Readable<readonly MediaParticipant[]>
    /** Whether less of this person's video is sent, because this device is busy. */
    readonly reduced: Readable<boolean>
    readonly devices: Pick<CallDevices, "known" | "chosen" | "changed">
    /** Devices that were on in the call when the page was reloaded; null if it was in none. */
    readonly before: Readable<readonly CallToggle[] | null>
    /** The last request of a host, until the person has answered it. */
    readonly asked: Readable<Asked | null>
    preview(): void
    /** Ends the preview. */
    cancel(): void
    join(): Promise<void>
    /** Joins again after a reload, with the devices that were on. */
    rejoin(): Promise<void>
    /** Leaves the call, also while joining, and does not offer again to rejoin it. */
    leave(): void
    dismissRequest(): void
    choose(use: DeviceUse, deviceId: string | null): void
    /** As a host. */
    ask: ConferenceMedia["request"]
  }

export function openCall(handle: ConferenceHandle, signal: AbortSignal): SessionCall {
  const { id, media, copyOnly } = handle
  const state = store<ReturnType<SessionCall["state"]["get"]>>("out")
  const participants = store(media.participants)
  const reduced = store(false)
  const before = store(copyOnly ? null : callBefore(id))
  const asked = store<Asked | null>(null)
  const stage = openStage({ state, participants }, () => performance.now())
  const devices = openDevices(signal)
  const isViewer = (): boolean => handle.view.members.find(({ self }) => self)?.role === "viewer"
  const tracks = openOwnTracks({ media, devices, state, isViewer, signal })
  const { own } = tracks
  keepScreenOn(state, signal)
  /** Number of the last joining. The person has left or joined again since an older one. */
  let lastJoin = 0

  const end = (): void => {
    lastJoin++
    state.set("out")
    media.leave()
    tracks.release()
    tracks.setProblem(null)
    asked.set(null)
  }
  const forget = (): void => {
    before.set(null)
    rememberCall(id, null)
    tracks.setProblem(null)
  }
  const leave = (): void => {
    // A copy is in no call. Back in the conference, the person can still rejoin.
    if (!copyOnly) forget()
    end()
  }
  const fail = (problem: CallProblem | null): void => {
    end()
    if (before.get() === null) state.set("preview")
    tracks.setProblem(problem)
  }
  /** @returns false if it failed, or if the person has left meanwhile */
  const join = async (): Promise<boolean> => {
    const number = ++lastJoin
    state.set("entering")
    tracks.setProblem(null)
    try {
      await media.enter()
      if (number !== lastJoin) {
        // A later joining that still waits needs the call.
        if (state.get() === "out" || state.get() === "preview") media.leave()
        return false
      }
      state.set("in")
      participants.set(media.participants)
      before.set(null)
      remember()
      await tracks.publishAll()
      return number === lastJoin
    } catch (error) {
      if (number !== lastJoin) return false
      fail(problemOf(error, null))
      return false
    }
  }
  const remember = (): void => {
    if (state.get() === "in") rememberCall(id, [...own.get().keys()] as CallToggle[])
  }

  own.subscribe(() => {
    remember()
    if (own.get().has("microphone")) asked.set(null)
  })
  handle.on(
    "status",
    () => {
      if (!isViewer()) return
      tracks.release()
      asked.set(null)
    },
    { signal },
  )
  // The screen of a waiting person shows no call. Admitted again, they must not be on air without having joined.
  handle.on("admission", ({ waiting }) => waiting && state.get() !== "out" && leave(), { signal })
  media.on(
    "change",
    () => {
      participants.set(media.participants)
      reduced.set(media.videoReduced)
      if (state.get() === "in" && media.state === "out") end()
    },
    { signal },
  )
  media.on("full", () => fail({ kind: "full", toggle: null }), { signal })
  media.on("failed", () => fail({ kind: "stopped", toggle: null }), { signal })
  media.on(
    "request",
    (request, by) => {
      if (request === "mute") tracks.off("microphone")
      asked.set({ request, by })
    },
    { signal },
  )
  // A person that leaves the conference has left the call before. One that its end or a failure took out can rejoin.
  signal.addEventListener("abort", end, { once: true })

  return {
    ...tracks,
    ...openShownSizes(media, participants, stage.stage, signal),
    ...stage,
    ...openCallNotice({ state, before, participants }, () => performance.now()),
    supported: typeof RTCPeerConnection !== "undefined" && typeof RTCRtpScriptTransform !== "undefined",
    state,
    participants,
    reduced,
    devices,
    before,
    asked,
    preview() {
      if (state.get() !== "out") return
      state.set("preview")
      void devices.look()
    },
    cancel: leave,
    leave,
    join: async () => void (await join()),
    async rejoin() {
      const toggles = before.get() ?? []
      // The choice of a speaker is of use only once the devices are known.
      void devices.look()
      if (await join()) await tracks.onAll(toggles)
    },
    dismissRequest: () => asked.set(null),
    choose(use, deviceId) {
      devices.choose(use, deviceId)
      if (use !== "speaker") void tracks.reopen(use)
    },
    ask: (member, request) => media.request(member, request),
  }
}
