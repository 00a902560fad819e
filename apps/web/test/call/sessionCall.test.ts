import { KeymootError } from "@keymoot/core"
import { describe, expect, it, vi } from "vitest"
import { ada, ask, getUserMedia, lastTrack, liveTracks, open, settled, useFakeBrowser } from "./fakeCall.ts"

useFakeBrowser()

describe("the own microphone", () => {
  it("goes off when a host mutes it, and names the host until it is on again", async () => {
    const { call, published, emit } = open()
    await call.join()
    await call.toggle("microphone")
    expect([...published.keys()]).toEqual(["microphone"])
    emit("request", "mute", ada)
    expect([published.size, call.own.get().size, call.asked.get()]).toEqual([0, 0, { request: "mute", by: ada }])
    await call.toggle("microphone")
    expect([published.size, call.asked.get()]).toEqual([1, null])
  })

  it("stays off when a host asks to unmute it", async () => {
    const { call, published, emit } = open()
    await call.join()
    emit("request", "unmute", ada)
    expect([published.size, call.asked.get()?.request]).toEqual([0, "unmute"])
  })

  it("is off after a key press that ended before the browser opened it", async () => {
    const { call, published } = open()
    await call.join()
    call.talk(true)
    call.talk(false)
    await vi.waitFor(() => expect(getUserMedia).toHaveBeenCalled())
    await new Promise((resolve) => setTimeout(resolve))
    expect([published.size, call.own.get().size]).toEqual([0, 0])
  })

  it("stays on after a key press if it was on before", async () => {
    const { call, published } = open()
    await call.join()
    await call.toggle("microphone")
    call.talk(true)
    call.talk(false)
    expect(published.size).toBe(1)
  })
})

describe("a device that the system mutes", () => {
  it("is on and silenced until the system unmutes it", async () => {
    const { call, published } = open()
    await call.join()
    for (const use of ["microphone", "camera"] as const) {
      await call.toggle(use)
      lastTrack().mute(true)
      expect([[...call.silenced.get()], call.own.get().has(use), published.has(use)]).toEqual([[use], true, true])
      lastTrack().mute(false)
      expect(call.silenced.get().size).toBe(0)
    }
  })

  it("is silenced only while it is on, by its present track", async () => {
    const { call } = open()
    await call.join()
    await call.toggle("microphone")
    const track = lastTrack()
    track.mute(true)
    await call.toggle("microphone")
    expect(call.silenced.get().size).toBe(0)
    await call.toggle("microphone")
    expect([...call.silenced.get()]).toEqual(["microphone"])
    call.choose("microphone", null)
    await vi.waitFor(() => expect(call.own.get().get("microphone")).not.toBe(track))
    expect(call.silenced.get().size).toBe(0)
    track.mute(true)
    expect(call.silenced.get().size).toBe(0)
  })
})

describe("a device that is being opened again", () => {
  const reopening = async (use: "microphone" | "camera") => {
    const opened = open()
    await opened.call.join()
    await opened.call.toggle(use)
    const allow = ask()
    opened.call.choose(use, null)
    return { ...opened, allow }
  }

  it("stays off when a host mutes it meanwhile, and names the host", async () => {
    const { call, published, emit, allow } = await reopening("microphone")
    emit("request", "mute", ada)
    const track = await allow()
    expect([published.size, call.own.get().size, call.asked.get()?.request]).toEqual([0, 0, "mute"])
    expect(track.enabled && track.readyState === "live").toBe(false)
  })

  it("continues when its owner unmutes it after a host's muting", async () => {
    const { call, published, emit, allow } = await reopening("microphone")
    emit("request", "mute", ada)
    void call.toggle("microphone")
    expect(await allow()).toBe(published.get("microphone"))
    expect(call.asked.get()).toBeNull()
  })

  it("goes off when the key is released meanwhile", async () => {
    const { call, published, allow } = await reopening("microphone")
    await allow()
    await call.toggle("microphone")
    call.talk(true)
    await settled()
    expect([...published.keys()]).toEqual(["microphone"])
    call.choose("microphone", null)
    call.talk(false)
    await allow()
    expect([published.size, call.own.get().size]).toEqual([0, 0])
  })

  it("stays on after a key press meanwhile", async () => {
    const { call, published, allow } = await reopening("microphone")
    call.talk(true)
    call.talk(false)
    expect(await allow()).toBe(published.get("microphone"))
  })

  it("is the last one that the person has chosen", async () => {
    const { call, published, allow } = await reopening("camera")
    await vi.waitFor(() => expect(call.devices.known.get().camera).toHaveLength(2))
    call.choose("camera", "back")
    const former = await allow()
    const track = await allow()
    expect([former.readyState, track.deviceId]).toEqual(["ended", "back"])
    expect(published.get("camera")).toBe(track)
  })
})

describe("another camera", () => {
  it("replaces the one that is on, which stops", async () => {
    const { call, published } = open()
    call.preview()
    await vi.waitFor(() => expect(call.devices.known.get().camera).toHaveLength(2))
    await call.join()
    await call.toggle("camera")
    const former = published.get("camera")!
    call.choose("camera", "back")
    await vi.waitFor(() => expect(published.get("camera")?.deviceId).toBe("back"))
    expect(former.readyState).toBe("ended")
    expect(call.devices.chosen("camera")).toBe("back")
  })

  it("is the browser's own when the chosen one is not connected", async () => {
    localStorage.setItem("keymoot devices", JSON.stringify({ camera: "gone" }))
    const { call, published } = open()
    await call.join()
    await call.toggle("camera")
    expect(published.get("camera")?.deviceId).toBeUndefined()
  })
})

describe("a reload", () => {
  it("offers the call again with the devices that were on, and opens none before", async () => {
    const former = open()
    await former.call.join()
    await former.call.toggle("microphone")
    getUserMedia.mockClear()
    const { call, published } = open()
    expect([call.before.get(), call.state.get()]).toEqual([["microphone"], "out"])
    expect(getUserMedia).not.toHaveBeenCalled()
    await call.rejoin()
    expect([[...published.keys()], call.before.get()]).toEqual([["microphone"], null])
  })

  it("comes back with the chosen device before the browser names any", async () => {
    const named = await navigator.mediaDevices.enumerateDevices()
    navigator.mediaDevices.enumerateDevices = async () => (getUserMedia.mock.calls.length === 0 ? [] : named)
    localStorage.setItem("keymoot devices", '{"camera":"back"}')
    sessionStorage.setItem("keymoot call", '{"conference":"conference","toggles":["camera"]}')
    const { call, published } = open()
    await call.rejoin()
    expect(published.get("camera")?.deviceId).toBe("back")
    expect(getUserMedia).toHaveBeenCalledOnce()
  })

  it("says until it is tried again that the microphone failed, though the camera is on", async () => {
    sessionStorage.setItem("keymoot call", '{"conference":"conference","toggles":["microphone","camera"]}')
    const { call, published } = open()
    getUserMedia.mockRejectedValueOnce(new DOMException("no", "NotFoundError"))
    await call.rejoin()
    const problem = { kind: "missing", toggle: "microphone" }
    expect([[...published.keys()], call.problem.get()]).toEqual([["camera"], problem])
    await call.toggle("camera")
    expect(call.problem.get()).toEqual(problem)
    call.retry()
    await vi.waitFor(() => expect([...published.keys()]).toEqual(["microphone"]))
    expect(call.problem.get()).toBeNull()
  })

  it("knows the devices of this computer when it comes back with none of them on", async () => {
    sessionStorage.setItem("keymoot call", '{"conference":"conference","toggles":[]}')
    const { call } = open()
    await call.rejoin()
    expect(call.devices.known.get().camera).toHaveLength(2)
  })

  it("switches nothing on in the next call when left during a question of the browser", async () => {
    sessionStorage.setItem("keymoot call", '{"conference":"conference","toggles":["microphone","camera"]}')
    const { call, published } = open()
    const answer = ask()
    const rejoining = call.rejoin()
    await settled()
    call.leave()
    await call.join()
    await answer()
    await rejoining
    expect([[...published.keys()], liveTracks()]).toEqual([[], []])
  })

  it("stays out of the call, with all devices off, when it is left while it loads", async () => {
    sessionStorage.setItem("keymoot call", '{"conference":"conference","toggles":["microphone"]}')
    const { call, media } = open()
    let loaded = (): void => undefined
    media.enter = () => new Promise((resolve) => (loaded = resolve))
    const rejoining = call.rejoin()
    call.leave()
    loaded()
    await rejoining
    expect([call.state.get(), call.before.get(), liveTracks()]).toEqual(["out", null, []])
  })

  it("leaves a device off that is switched on and off during a question of the browser", async () => {
    sessionStorage.setItem("keymoot call", '{"conference":"conference","toggles":["microphone","camera"]}')
    const { call, published } = open()
    const answer = ask()
    const rejoining = call.rejoin()
    await settled()
    void call.toggle("camera")
    const microphone = await answer()
    await answer()
    await call.toggle("camera")
    await rejoining
    expect([[...published.keys()], liveTracks()]).toEqual([["microphone"], [microphone]])
  })

  it("offers nothing after the call was left, or in another conference", async () => {
    const { call, session } = open()
    await call.join()
    expect(open("another").call.before.get()).toBeNull()
    call.leave()
    session.abort()
    expect(open().call.before.get()).toBeNull()
  })

  it("survives any stored value", () => {
    for (const value of ["{", "7", '{"conference":"conference","toggles":7}']) {
      sessionStorage.setItem("keymoot call", value)
      expect(open().call.before.get()).toBeNull()
    }
    sessionStorage.setItem("keymoot call", '{"conference":"conference","toggles":["screen","camera",{}]}')
    expect(open().call.before.get()).toEqual(["camera"])
  })
})

it("shows the preview, and why, when the call has ended by itself", async () => {
  const { call, media, published, emit } = open()
  await call.join()
  await call.toggle("microphone")
  const track = call.own.get().get("microphone")!
  media.state = "out"
  emit("change")
  emit("failed", new KeymootError("internal", "The part that encrypts the call stopped."))
  expect([call.state.get(), call.problem.get()]).toEqual(["preview", { kind: "stopped", toggle: null }])
  expect([call.own.get().size, track.readyState]).toEqual([0, "ended"])
  media.state = "in"
  await call.join()
  expect([call.state.get(), call.problem.get(), published.size]).toEqual(["in", null, 0])
})

it("says that this device is busy for as long as less video is sent", async () => {
  const { call, media, emit } = open()
  await call.join()
  for (const videoReduced of [true, false]) {
    media.videoReduced = videoReduced
    emit("change")
    expect(call.reduced.get()).toBe(videoReduced)
  }
})

it("wants no pictures while the tab is hidden, and all of them again later", async () => {
  const { call, emit, sizes } = open()
  await call.join()
  emit("change")
  Object.assign(document, { hidden: true })
  document.dispatchEvent(new Event("visibilitychange"))
  expect(sizes.slice(-2)).toEqual(["camera none", "screen none"])
  Object.assign(document, { hidden: false })
  document.dispatchEvent(new Event("visibilitychange"))
  expect(sizes.slice(-2)).toEqual(["camera small", "screen small"])
  call.setVisible({ member: ada.id, purpose: "camera" }, false)
  expect(sizes.slice(-2)).toEqual(["camera none", "screen small"])
  call.toggleStage({ member: ada.id, purpose: "camera" })
  call.setVisible({ member: ada.id, purpose: "camera" }, true)
  expect(sizes.slice(-2)).toEqual(["camera large", "screen small"])
})
