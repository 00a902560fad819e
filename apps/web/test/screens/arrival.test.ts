import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { forgetInvitation, takeArrival } from "../../src/arrival.ts"

const LINK = "https://meet.example/c/0a1b#secret-_.hash_"

beforeEach(() => void vi.stubGlobal("sessionStorage", storage()))
afterEach(() => void vi.unstubAllGlobals())

it("reads an invitation from the address", () => {
  expect(arriveAt(LINK)).toEqual({ kind: "invitation", id: "0a1b", url: LINK })
})

it.each([").", ".", ">", ",", '"', "’", "**", ")!", "%3E", "%E2%80%9D."])(
  "drops %j when a mail client has made it part of the link",
  (behind) => expect(arriveAt(LINK + behind)).toEqual({ kind: "invitation", id: "0a1b", url: LINK }),
)

it.each(["/foo", "/c/", "/c/a/b#secret", "/c/a.b"])("knows no page at %j", (path) => {
  expect(arriveAt(`https://meet.example${path}`)).toEqual({ kind: "nowhere" })
})

it.each(["/", "/?utm=1", "/index.html"])("starts at %j", (path) => {
  expect(arriveAt(`https://meet.example${path}`)).toEqual({ kind: "start" })
})

it("keeps a damaged invitation, whose page gives the reason", () => {
  expect(arriveAt("https://meet.example/c/0a1b#sec%ZZret")).toMatchObject({
    url: "https://meet.example/c/0a1b#sec%ZZret",
  })
})

it("finds no secret when punctuation is all that follows the number sign", () => {
  expect(arriveAt("https://meet.example/c/0a1b#).")).toEqual({ kind: "conference", id: "0a1b" })
})

it("cleans the address, and keeps the link in memory, where nothing may be stored", () => {
  vi.stubGlobal("sessionStorage", undefined)
  Object.defineProperty(globalThis, "sessionStorage", {
    configurable: true,
    get: () => {
      throw new DOMException("", "SecurityError")
    },
  })
  expect(arriveAt(LINK)).toEqual({ kind: "invitation", id: "0a1b", url: LINK })
  expect(history.replaceState).toHaveBeenCalledWith(null, "", "/c/0a1b")
  expect(arriveAt("https://meet.example/c/0a1b")).toEqual({ kind: "invitation", id: "0a1b", url: LINK })
  forgetInvitation("0a1b")
  expect(arriveAt("https://meet.example/c/0a1b")).toEqual({ kind: "conference", id: "0a1b" })
})

function arriveAt(address: string): ReturnType<typeof takeArrival> {
  // Not in a frame.
  for (const name of ["window", "parent"]) vi.stubGlobal(name, globalThis)
  vi.stubGlobal("location", new URL(address))
  vi.stubGlobal("history", { replaceState: vi.fn() })
  return takeArrival()
}

function storage(): Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  const kept = new Map<string, string>()
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
}
