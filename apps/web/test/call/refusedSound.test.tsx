// @vitest-environment jsdom
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest"
import { RefusedSoundNote } from "../../src/call/notes/RefusedSoundNote.tsx"
import { TrackAudio, TrackVideo } from "../../src/call/TrackVideo.tsx"
import { startI18n } from "../../src/i18n/index.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const root = createRoot(document.body.appendChild(document.createElement("div")))
const tracks = ["ada", "bob"].map((id) => ({ id }) as MediaStreamTrack)
const play = vi.fn<HTMLMediaElement["play"]>()

beforeEach(() => {
  vi.stubGlobal("MediaStream", EventTarget)
  play.mockReset()
  HTMLMediaElement.prototype.play = play
  Object.defineProperty(HTMLMediaElement.prototype, "srcObject", { value: null, writable: true, configurable: true })
})
afterEach(async () => {
  await act(async () => root.render(null))
  vi.unstubAllGlobals()
})

const refuse = (name: string) => play.mockRejectedValue(new DOMException("no", name))
const show = (count: number) =>
  act(async () =>
    root.render(
      <>
        <RefusedSoundNote />
        <TrackVideo track={tracks[0]!} label="Ada" />
        {tracks.slice(0, count).map((track) => (
          <TrackAudio key={track.id} track={track} speaker={null} />
        ))}
      </>,
    ),
  )
const button = () => document.querySelector("button")

it("offers to play the sound of all when the browser refuses it", async () => {
  refuse("NotAllowedError")
  await show(2)
  expect(document.body.textContent).toContain("Your browser holds back the sound of this call")
  play.mockReset().mockResolvedValue()
  await act(async () => button()!.click())
  expect(play.mock.contexts).toEqual([...document.querySelectorAll("audio")])
  expect(button()).toBeNull()
})

it("offers it again when the browser refuses again", async () => {
  refuse("NotAllowedError")
  await show(1)
  await act(async () => button()!.click())
  expect(button()?.textContent).toBe("Play sound")
})

it("offers nothing when the people have left, or the browser plays them by itself", async () => {
  refuse("NotAllowedError")
  await show(1)
  expect(button()).not.toBeNull()
  await show(0)
  expect(button()).toBeNull()
  await show(1)
  await act(async () => document.querySelector("audio")!.dispatchEvent(new Event("playing")))
  expect(button()).toBeNull()
})

it("offers nothing when the browser refuses somebody who has left meanwhile", async () => {
  let refuseLater = (): void => undefined
  play.mockImplementation(
    () => new Promise((_, reject) => (refuseLater = () => reject(new DOMException("no", "NotAllowedError")))),
  )
  await show(1)
  const refuseAda = refuseLater
  await show(0)
  await act(async () => refuseAda())
  expect(button()).toBeNull()
})

it("offers nothing when a track is replaced before it plays", async () => {
  refuse("AbortError")
  await show(1)
  expect(button()).toBeNull()
})
