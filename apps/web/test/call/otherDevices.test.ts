import { describe, expect, it, vi } from "vitest"
import {
  ada,
  allowed,
  ask,
  connectHeadset,
  getUserMedia,
  lastTrack,
  liveTracks,
  open,
  settled,
  useFakeBrowser,
} from "./fakeCall.ts"

useFakeBrowser()

/** A call in which the first camera is on, and the person chooses the second one. */
async function chooseBack() {
  const opened = open()
  const { call, published } = opened
  call.preview()
  await vi.waitFor(() => expect(call.devices.known.get().camera).toHaveLength(2))
  call.choose("camera", "front")
  await call.join()
  await call.toggle("camera")
  const former = published.get("camera")!
  return { ...opened, former, choose: () => call.choose("camera", "back") }
}
const isBack = ({ video }: MediaStreamConstraints): boolean =>
  ((video as MediaTrackConstraints).deviceId as ConstrainDOMStringParameters | undefined)?.exact === "back"
const busy = (): never => {
  throw new DOMException("Could not start video source", "NotReadableError")
}

describe("a camera that is on", () => {
  it.each([
    ["NotAllowedError", "refused"],
    ["NotFoundError", "missing"],
    ["OverconstrainedError", "missing"],
  ])("stays on when another one cannot be opened: %s", async (name, kind) => {
    const { call, published, former, choose } = await chooseBack()
    getUserMedia.mockRejectedValueOnce(new DOMException("no", name))
    choose()
    await vi.waitFor(() => expect(call.problem.get()).toEqual({ kind, toggle: "camera" }))
    expect([call.own.get().get("camera"), published.get("camera"), liveTracks()]).toEqual([former, former, [former]])
    call.retry()
    await vi.waitFor(() => expect(published.get("camera")?.deviceId).toBe("back"))
    expect([call.problem.get(), former.readyState, liveTracks().length]).toEqual([null, "ended", 1])
  })

  it("returns when another one is busy", async () => {
    const { call, published, choose } = await chooseBack()
    getUserMedia.mockImplementation((constraints) => (isBack(constraints) ? busy() : allowed(constraints)))
    choose()
    await vi.waitFor(() => expect(call.problem.get()).toEqual({ kind: "busy", toggle: "camera" }))
    const track = published.get("camera")!
    expect([track.deviceId, call.own.get().get("camera"), liveTracks()]).toEqual(["front", track, [track]])
  })

  it("makes way for another one on a phone, which has one at a time", async () => {
    const { call, published, choose } = await chooseBack()
    getUserMedia.mockImplementation((constraints) => (liveTracks().length > 0 ? busy() : allowed(constraints)))
    choose()
    await vi.waitFor(() => expect(published.get("camera")?.deviceId).toBe("back"))
    expect([call.problem.get(), liveTracks().length]).toEqual([null, 1])
  })

  it("goes off, and says so, when it cannot return either", async () => {
    const { call, published, choose } = await chooseBack()
    getUserMedia.mockImplementation(busy)
    choose()
    await vi.waitFor(() => expect(call.problem.get()).toEqual({ kind: "busy", toggle: "camera" }))
    expect([published.size, call.own.get().size, liveTracks()]).toEqual([0, 0, []])
  })

  it("stays off when it was switched off before another one failed", async () => {
    const { call, published, choose } = await chooseBack()
    let fail: (reason: unknown) => void = () => undefined
    getUserMedia.mockImplementation(() => new Promise((_, reject) => (fail = reject)))
    choose()
    await vi.waitFor(() => expect(getUserMedia).toHaveBeenCalledTimes(2))
    await call.toggle("camera")
    fail(new DOMException("Could not start video source", "NotReadableError"))
    await settled()
    expect([published.size, call.own.get().size, liveTracks()]).toEqual([0, 0, []])
    expect(getUserMedia).toHaveBeenCalledTimes(2)
  })
})

describe("a microphone that is on", () => {
  it("is sent until another one is there", async () => {
    const { call, published } = open()
    await call.join()
    await call.toggle("microphone")
    const former = published.get("microphone")!
    const allow = ask()
    call.choose("microphone", null)
    await settled()
    expect([call.own.get().get("microphone"), former.readyState]).toEqual([former, "live"])
    const track = await allow()
    expect([published.get("microphone"), liveTracks()]).toEqual([track, [track]])
  })

  it.each(["stays off", "comes back"])(
    "leaves one device open when a host mutes it meanwhile and it %s",
    async (then) => {
      const { call, published, emit } = open()
      await call.join()
      await call.toggle("microphone")
      const allow = ask()
      call.choose("microphone", null)
      emit("request", "mute", ada)
      expect([published.size, call.own.get().size]).toEqual([0, 0])
      if (then === "comes back") void call.toggle("microphone")
      const track = await allow()
      expect([liveTracks(), track.enabled]).toEqual([[track], then === "comes back"])
    },
  )
})

describe("a chosen headset that is connected again", () => {
  /** A call in which another microphone is on, since the chosen headset is out. */
  async function withoutHeadset() {
    localStorage.setItem("keymoot devices", JSON.stringify({ microphone: "headset" }))
    connectHeadset(false)
    const opened = open()
    await opened.call.join()
    await opened.call.toggle("microphone")
    expect([lastTrack().deviceId, opened.call.devices.chosen("microphone")]).toEqual([undefined, null])
    return opened
  }
  const isNamed = (call: ReturnType<typeof open>["call"]) =>
    vi.waitFor(() => expect(call.devices.chosen("microphone")).toBe("headset"))

  it("is the one that is sent, as the menu says", async () => {
    const { call, published } = await withoutHeadset()
    connectHeadset(true)
    await isNamed(call)
    await vi.waitFor(() => expect(published.get("microphone")?.deviceId).toBe("headset"))
    expect(liveTracks()).toEqual([published.get("microphone")])
  })

  it("is the one that a muted microphone comes back with", async () => {
    const { call, published } = await withoutHeadset()
    await call.toggle("microphone")
    getUserMedia.mockClear()
    connectHeadset(true)
    await isNamed(call)
    expect([getUserMedia.mock.calls.length, liveTracks()]).toEqual([0, []])
    await call.toggle("microphone")
    expect(published.get("microphone")?.deviceId).toBe("headset")
  })

  it("is opened once when it was on already", async () => {
    const { call } = await withoutHeadset()
    connectHeadset(true)
    await vi.waitFor(() => expect(lastTrack().deviceId).toBe("headset"))
    await settled()
    getUserMedia.mockClear()
    connectHeadset(false)
    await vi.waitFor(() => expect(call.devices.chosen("microphone")).toBeNull())
    connectHeadset(true)
    await isNamed(call)
    await settled()
    expect(getUserMedia).not.toHaveBeenCalled()
  })
})

describe("the problems of several devices", () => {
  const microphone = { kind: "missing", toggle: "microphone" }
  const camera = { kind: "busy", toggle: "camera" }
  /** A call in which neither the microphone nor the camera could be opened. */
  async function failing() {
    const { call } = open()
    await call.join()
    getUserMedia.mockRejectedValueOnce(new DOMException("no", "NotFoundError"))
    await call.toggle("microphone")
    getUserMedia.mockRejectedValueOnce(new DOMException("no", "NotReadableError"))
    await call.toggle("camera")
    expect(call.problem.get()).toEqual(camera)
    return call
  }

  it("shows the microphone's again when the camera is on", async () => {
    const call = await failing()
    call.retry()
    await vi.waitFor(() => expect(call.problem.get()).toEqual(microphone))
  })

  it("shows the microphone's on when the person picks no screen", async () => {
    const { call } = open()
    await call.join()
    getUserMedia.mockRejectedValueOnce(new DOMException("no", "NotFoundError"))
    await call.toggle("microphone")
    const getDisplayMedia = () => Promise.reject(new DOMException("no", "NotAllowedError"))
    Object.assign(navigator.mediaDevices, { getDisplayMedia })
    await call.toggle("screen")
    expect(call.problem.get()).toEqual(microphone)
  })

  it("hides one after the other when the person asks to", async () => {
    const call = await failing()
    call.hideProblem()
    expect(call.problem.get()).toEqual(microphone)
    call.hideProblem()
    expect(call.problem.get()).toBeNull()
  })

  it("forgets all of them when the call ends", async () => {
    const call = await failing()
    call.leave()
    expect(call.problem.get()).toBeNull()
    call.hideProblem()
    expect(call.problem.get()).toBeNull()
  })
})

describe("a shared screen", () => {
  /** Returns what the page asks of a browser that knows these constraints. */
  async function asked(supported: Readonly<Record<string, boolean>>): Promise<unknown> {
    const getDisplayMedia = vi.fn(async () => ({ getVideoTracks: () => [], getAudioTracks: () => [] }))
    Object.assign(navigator.mediaDevices, { getDisplayMedia, getSupportedConstraints: () => supported })
    const { call } = open()
    await call.join()
    await call.toggle("screen")
    return (getDisplayMedia.mock.lastCall as unknown as [unknown] | undefined)?.[0]
  }

  it("has the points of the own screen, and no more than a call sends", async () => {
    const [width, height] = [
      { ideal: 1440, max: 5120 },
      { ideal: 900, max: 2880 },
    ]
    expect(await asked({})).toMatchObject({ video: { width, height } })
  })

  it("has a sound without the voices of the call, and never this tab's", async () => {
    const options = await asked({ restrictOwnAudio: true })
    expect(options).toMatchObject({ audio: { restrictOwnAudio: true }, selfBrowserSurface: "exclude" })
    expect(options).not.toHaveProperty("systemAudio")
  })

  it("has no sound of the system when the browser cannot take out the voices", async () => {
    expect(await asked({})).toMatchObject({ systemAudio: "exclude", selfBrowserSurface: "exclude" })
  })
})
