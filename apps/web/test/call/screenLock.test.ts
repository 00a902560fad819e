import { afterEach, expect, it, vi } from "vitest"
import { keepScreenOn } from "../../src/call/model/screenLock.ts"
import { store } from "../../src/store.ts"

afterEach(() => void vi.unstubAllGlobals())

function phone() {
  const document = Object.assign(new EventTarget(), { hidden: false })
  let [requested, held] = [0, 0]
  const request = async () => {
    requested++
    held++
    return { release: async () => void held-- }
  }
  vi.stubGlobal("document", document)
  vi.stubGlobal("navigator", { wakeLock: { request } })
  const state = store("out")
  const ended = new AbortController()
  keepScreenOn(state, ended.signal)
  const locks = async () => {
    await new Promise((done) => setTimeout(done))
    return [requested, held]
  }
  const show = (hidden: boolean) => {
    document.hidden = hidden
    document.dispatchEvent(new Event("visibilitychange"))
  }
  return { state, locks, show, end: () => ended.abort() }
}

it("keeps the screen on during a call, and not before or after it", async () => {
  const { state, locks } = phone()
  state.set("preview")
  expect(await locks()).toEqual([0, 0])
  state.set("in")
  expect(await locks()).toEqual([1, 1])
  state.set("out")
  expect(await locks()).toEqual([1, 0])
})

it("keeps the screen on again when the page is shown again", async () => {
  const { state, locks, show } = phone()
  state.set("in")
  show(true)
  expect(await locks()).toEqual([1, 0])
  show(false)
  expect(await locks()).toEqual([2, 1])
})

it("lets the screen go when the conference ends", async () => {
  const { state, locks, end } = phone()
  state.set("in")
  end()
  expect(await locks()).toEqual([1, 0])
})

it.each([
  ["refuses it", { request: async () => Promise.reject(new Error("low battery")) }],
  ["has no locks", undefined],
])("continues the call if the browser %s", async (_, wakeLock) => {
  const { state, locks } = phone()
  vi.stubGlobal("navigator", { wakeLock })
  state.set("in")
  state.set("out")
  expect(await locks()).toEqual([0, 0])
})
