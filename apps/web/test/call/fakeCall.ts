import { type ConferenceHandle, KeymootError, type MediaEvents, type Member } from "@keymoot/core"
import { afterEach, beforeEach, expect, vi } from "vitest"
import { openCall } from "../../src/session/call.ts"

export const ada = { id: "a", name: "Ada" } as unknown as Member
const devices = [
  { kind: "videoinput", deviceId: "front", label: "Front" },
  { kind: "videoinput", deviceId: "back", label: "Back" },
]
const headset = { kind: "audioinput", deviceId: "headset", label: "Headset" }
/** Connects a headset with a microphone, as the system reports it, or takes it out. */
export function connectHeadset(connected: boolean): void {
  navigator.mediaDevices.enumerateDevices = async () => (connected ? [...devices, headset] : devices) as never
  navigator.mediaDevices.dispatchEvent(new Event("devicechange"))
}

export class FakeTrack extends EventTarget {
  readonly kind: string
  readonly deviceId: string | undefined
  readyState = "live"
  enabled = true
  muted = false
  constructor(kind: string, deviceId?: string) {
    super()
    this.kind = kind
    this.deviceId = deviceId
  }
  getSettings(): MediaTrackSettings {
    return this.deviceId === undefined ? {} : { deviceId: this.deviceId }
  }
  stop(): void {
    this.readyState = "ended"
  }
  /** As the system does, or a key of a headset. */
  mute(muted: boolean): void {
    this.muted = muted
    this.dispatchEvent(new Event(muted ? "mute" : "unmute"))
  }
}
const streamOf = (track: FakeTrack) => ({
  getAudioTracks: () => (track.kind === "audio" ? [track] : []),
  getVideoTracks: () => (track.kind === "video" ? [track] : []),
})
const trackFor = ({ audio, video }: MediaStreamConstraints): FakeTrack => {
  const device = ((audio ?? video) as MediaTrackConstraints).deviceId as ConstrainDOMStringParameters | undefined
  const id = (device?.exact ?? devices.find(({ deviceId }) => deviceId === device?.ideal)?.deviceId) as
    string | undefined
  opened.push(new FakeTrack(audio === undefined ? "video" : "audio", id))
  return lastTrack()
}
export const allowed = async (constraints: MediaStreamConstraints) => streamOf(trackFor(constraints))
export const getUserMedia = vi.fn(allowed)
const opened: FakeTrack[] = []
/** Devices that are on, as the system shows them. */
export const liveTracks = (): FakeTrack[] => opened.filter(({ readyState }) => readyState === "live")
export const lastTrack = (): FakeTrack => opened.at(-1)!

function storage() {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  }
}

/** Gives each test of a file a browser with a microphone and two cameras. */
export function useFakeBrowser(): void {
  beforeEach(() => {
    opened.length = 0
    getUserMedia.mockReset().mockImplementation(allowed)
    const enumerateDevices = async () => devices
    const mediaDevices = Object.assign(new EventTarget(), {
      getUserMedia,
      enumerateDevices,
      getSupportedConstraints: () => ({}),
    })
    vi.stubGlobal("navigator", { mediaDevices })
    vi.stubGlobal("screen", { width: 1440, height: 900 })
    vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false }))
    vi.stubGlobal("localStorage", storage())
    vi.stubGlobal("sessionStorage", storage())
  })
  afterEach(() => vi.unstubAllGlobals())
}

/** The call of a conference in which the own person has this role. `copyOnly`: of its copy on this device. */
export function open(id = "conference", role = "editor", copyOnly = false) {
  const listeners = new Map<string, ((...values: never[]) => void)[]>()
  const published = new Map<string, FakeTrack>()
  const sizes: string[] = []
  const media = {
    state: "in",
    participants: [{ member: ada, published: new Set(), tracks: new Map(), speaking: false }],
    published,
    videoReduced: false,
    enter: async () => {},
    leave: () => published.clear(),
    publish: async (purpose: string, track: FakeTrack) => {
      if (view.members[0]!.role === "viewer") throw new KeymootError("not-permitted", "You can listen and watch here.")
      published.set(purpose, track)
    },
    unpublish: async (purpose: string) => void published.delete(purpose),
    subscribe: (_: string, purpose: string, size: string) => sizes.push(`${purpose} ${size}`),
    on: (event: string, listener: () => void) => listeners.set(event, [...(listeners.get(event) ?? []), listener]),
  }
  const emit = <E extends keyof MediaEvents>(event: E, ...values: Parameters<MediaEvents[E]>): void =>
    listeners.get(event)?.forEach((listener) => listener(...(values as never[])))
  const session = new AbortController()
  const view = { members: [{ self: true, role }] }
  const becomeViewer = (): void => {
    view.members[0]!.role = "viewer"
    for (const purpose of published.keys()) emit("ended", purpose as "microphone")
    published.clear()
    listeners.get("status")?.forEach((listener) => listener())
  }
  /** A host has to admit this person again, or has done so. */
  const wait = (waiting: boolean): void =>
    listeners.get("admission")?.forEach((listener) => listener({ waiting } as never))
  const handle = { id, media, copyOnly, view, on: media.on }
  const call = openCall(handle as unknown as ConferenceHandle, session.signal)
  return { call, media, published, emit, sizes, session, becomeViewer, wait }
}

/** The browser waits with each device until the test answers. */
export function ask() {
  const answers: (() => FakeTrack)[] = []
  getUserMedia.mockImplementation(
    (constraints) =>
      new Promise((resolve) => {
        answers.push(() => {
          const track = trackFor(constraints)
          resolve(streamOf(track))
          return track
        })
      }),
  )
  return async (): Promise<FakeTrack> => {
    await vi.waitFor(() => expect(answers).not.toEqual([]))
    const track = answers.shift()!()
    await settled()
    return track
  }
}
export const settled = () => new Promise((resolve) => setTimeout(resolve))
