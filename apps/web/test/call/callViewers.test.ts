import { KeymootError } from "@keymoot/core"
import { describe, expect, it } from "vitest"
import { ada, ask, FakeTrack, getUserMedia, lastTrack, open, useFakeBrowser } from "./fakeCall.ts"

useFakeBrowser()

describe("a person who becomes a viewer", () => {
  it("gives back the microphone, also a muted one", async () => {
    for (const presses of [1, 2]) {
      const { call, becomeViewer } = open()
      await call.join()
      for (let press = 0; press < presses; press++) await call.toggle("microphone")
      becomeViewer()
      expect([lastTrack().readyState, call.own.get().size]).toEqual(["ended", 0])
    }
  })

  it("gives back a microphone that the browser allows later", async () => {
    const { call, becomeViewer } = open()
    await call.join()
    const allow = ask()
    void call.toggle("microphone")
    becomeViewer()
    expect((await allow()).readyState).toBe("ended")
    expect([call.own.get().size, call.problem.get()]).toEqual([0, null])
  })

  it("gives back the screen and its sound if they can't be sent", async () => {
    const { call, media } = open()
    const tracks = [new FakeTrack("video"), new FakeTrack("audio")]
    const getDisplayMedia = async () => ({ getVideoTracks: () => [tracks[0]], getAudioTracks: () => [tracks[1]] })
    Object.assign(navigator.mediaDevices, { getDisplayMedia })
    await call.join()
    media.publish = async () => Promise.reject(new KeymootError("not-permitted", "You can listen and watch here."))
    await call.toggle("screen")
    expect(tracks.map(({ readyState }) => readyState)).toEqual(["ended", "ended"])
    expect(call.own.get().size).toBe(0)
  })

  it("gives back the camera of the preview, and joins without it", async () => {
    const { call, becomeViewer } = open()
    call.preview()
    await call.toggle("camera")
    becomeViewer()
    expect([lastTrack().readyState, call.own.get().size]).toEqual(["ended", 0])
    await call.join()
    expect([call.state.get(), call.problem.get()]).toEqual(["in", null])
  })

  it("opens no device, also after a request to unmute and a reload", async () => {
    sessionStorage.setItem("keymoot call", '{"conference":"conference","toggles":["camera"]}')
    const { call, emit } = open("conference", "viewer")
    await call.rejoin()
    emit("request", "unmute", ada)
    await call.toggle("microphone")
    call.talk(true)
    expect(getUserMedia).not.toHaveBeenCalled()
  })
})
