import { KeymootError, type LinkPath, type Member } from "@keymoot/core"
import { renderToStaticMarkup } from "react-dom/server"
import { beforeAll, describe, expect, it, vi } from "vitest"
import { openSound } from "../../src/call/model/sound.ts"
import { CallProblemNote } from "../../src/call/notes/CallProblemNote.tsx"
import { RejoinCard } from "../../src/call/RejoinCard.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import { store } from "../../src/store.ts"
import { getUserMedia, liveTracks, open, settled, useFakeBrowser } from "./fakeCall.ts"

useFakeBrowser()
beforeAll(() => void startI18n(["en-GB"]))

const links = store<ReadonlyMap<Member["id"], LinkPath>>(new Map())

/** A call whose code loads until the test says how that ends. */
function loading() {
  const opened = open()
  const entries: { readonly resolve: () => void; readonly reject: (reason: Error) => void }[] = []
  let left = 0
  opened.media.enter = async () => new Promise<void>((resolve, reject) => entries.push({ resolve, reject }))
  opened.media.leave = () => void left++
  return { ...opened, entries, timesLeft: () => left }
}

describe("a second joining while the first one waits", () => {
  const twice = () => {
    const loaded = loading()
    void loaded.call.join()
    loaded.call.cancel()
    loaded.call.preview()
    void loaded.call.join()
    return { ...loaded, leftBefore: loaded.timesLeft() }
  }

  it("stays in the call when both are through", async () => {
    const { call, entries, timesLeft, leftBefore } = twice()
    for (const { resolve } of entries) resolve()
    await settled()
    expect([call.state.get(), timesLeft() - leftBefore]).toEqual(["in", 0])
  })

  it("is not ended by the failure of the first one", async () => {
    const { call, entries } = twice()
    entries[0]!.reject(new Error("not loaded"))
    await settled()
    expect([call.state.get(), call.problem.get()]).toEqual(["entering", null])
  })
})

it("leaves a call that was loaded after the person had closed the preview", async () => {
  const { call, entries, timesLeft } = loading()
  void call.join()
  call.cancel()
  call.preview()
  const before = timesLeft()
  entries[0]!.resolve()
  await settled()
  expect([call.state.get(), timesLeft() - before]).toEqual(["preview", 1])
})

it("returns to the preview with the reason when joining fails", async () => {
  const { call, entries } = loading()
  call.preview()
  void call.join()
  entries[0]!.reject(new Error("not loaded"))
  await settled()
  expect([call.state.get(), call.problem.get()?.toggle]).toEqual(["preview", null])
})

it("says at once that the call is full", async () => {
  const { call, entries } = loading()
  call.preview()
  void call.join()
  entries[0]!.reject(new KeymootError("call-full", "The call is full."))
  await settled()
  expect(call.state.get()).toBe("preview")
  expect(renderToStaticMarkup(<CallProblemNote call={call} />)).toContain("The call is full: 24 people are in it.")
})

it("returns to the preview when others have entered a full call at the same time", async () => {
  const { call, media, emit } = open()
  await call.join()
  media.state = "out"
  emit("change")
  emit("full")
  expect([call.state.get(), call.problem.get()?.kind]).toEqual(["preview", "full"])
})

describe("a person that has to wait for a host again", () => {
  it("leaves the call, and is in none when a host admits them", async () => {
    const { call, published, wait } = open()
    await call.join()
    await call.toggle("microphone")
    wait(true)
    expect([call.state.get(), published.size, liveTracks()]).toEqual(["out", 0, []])
    wait(false)
    expect([call.state.get(), call.before.get()]).toEqual(["out", null])
  })

  it("switches off the camera of the preview", async () => {
    const { call, wait } = open()
    call.preview()
    await call.toggle("camera")
    wait(true)
    expect([call.state.get(), liveTracks()]).toEqual(["out", []])
  })

  it("can still rejoin the call of before a reload when it was in none meanwhile", () => {
    sessionStorage.setItem("keymoot call", '{"conference":"conference","toggles":["microphone"]}')
    const { call, wait } = open()
    for (const waiting of [true, false]) wait(waiting)
    expect(call.before.get()).toEqual(["microphone"])
  })
})

describe("the offer to rejoin", () => {
  it("stays when the copy of the conference was open first", () => {
    sessionStorage.setItem("keymoot call", '{"conference":"conference","toggles":["microphone"]}')
    const copy = open("conference", "viewer", true)
    expect(copy.call.before.get()).toBeNull()
    // As when the person enters the conference of the copy.
    copy.call.leave()
    copy.session.abort()
    expect(open().call.before.get()).toEqual(["microphone"])
  })

  it("stays when the conference has closed by itself", async () => {
    const { call, media, emit, session } = open()
    await call.join()
    await call.toggle("microphone")
    media.state = "out"
    emit("change")
    session.abort()
    expect([call.state.get(), liveTracks()]).toEqual(["out", []])
    expect(open().call.before.get()).toEqual(["microphone"])
  })
})

it("says nothing of a device that is refused after the person has left", async () => {
  const { call } = open()
  await call.join()
  let refuse = (): void => {}
  getUserMedia.mockImplementation(
    async () => new Promise((_, reject) => (refuse = () => reject(new DOMException("", "NotAllowedError")))),
  )
  const pressed = call.toggle("camera")
  call.leave()
  refuse()
  await pressed
  expect([call.state.get(), call.problem.get()]).toEqual(["out", null])
})

it("says on the card why joining again failed", async () => {
  sessionStorage.setItem("keymoot call", '{"conference":"conference","toggles":[]}')
  const { call, entries } = loading()
  void call.rejoin()
  entries[0]!.reject(new Error("not loaded"))
  await settled()
  const card = renderToStaticMarkup(
    <RejoinCard session={{ call, links }} toggles={call.before.get()!} viewer={false} />,
  )
  expect(card).toContain("Check your connection, then try again.")
})

it("announces no device to a viewer that comes back", () => {
  const card = renderToStaticMarkup(
    <RejoinCard session={{ call: open().call, links }} toggles={["microphone"]} viewer />,
  )
  expect(card).toContain("with the microphone and the camera off")
})

it("says on the card that some people cannot be heard", () => {
  links.set(new Map([["bob" as Member["id"], "relayed-by-member"]]))
  const card = renderToStaticMarkup(<RejoinCard session={{ call: open().call, links }} toggles={[]} viewer={false} />)
  expect(card).toContain("Some people here have no direct connection to you.")
})

it("has no meter in a browser without sound", () => {
  expect(openSound()).toBeNull()
  vi.stubGlobal("AudioContext", EventTarget)
  expect(openSound()).toBeInstanceOf(EventTarget)
})
