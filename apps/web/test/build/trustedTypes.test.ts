import { beforeAll, describe, expect, test, vi } from "vitest"
import type { checkHtml as CheckHtml, checkScriptUrl as CheckScriptUrl } from "../../src/trustedTypes.ts"

let checkHtml: typeof CheckHtml
let checkScriptUrl: typeof CheckScriptUrl
beforeAll(async () => {
  vi.stubGlobal("location", new URL("https://meet.example/c/abc"))
  const policy = await import("../../src/trustedTypes.ts")
  checkHtml = policy.checkHtml
  checkScriptUrl = policy.checkScriptUrl
})

const worker = (url: string) => checkScriptUrl(url, "TrustedScriptURL", "Worker constructor")

describe("the page's policy", () => {
  test("lets workers of this origin start", () => {
    for (const url of [
      "https://meet.example/assets/worker-CkHdXbET.js",
      "/assets/benchmark-worker-1_a-b.js",
      "/sw.js",
    ]) {
      expect(worker(url)).toBe(url)
    }
  })

  test("refuses a worker from anywhere else", () => {
    for (const url of [
      "https://evil.example/assets/worker.js",
      "//evil.example/sw.js",
      "data:text/javascript,alert(1)",
      "blob:https://meet.example/0f",
      "javascript:alert(1)",
      "/signaling/v1/?x=.js",
      "/assets/excalidraw/x.js",
      "http://meet.example/sw.js",
      "http://[",
    ]) {
      expect([url, worker(url)]).toEqual([url, null])
    }
  })

  test("refuses every address for a script element", () => {
    expect(checkScriptUrl("/sw.js", "TrustedScriptURL", "HTMLScriptElement src")).toBe(null)
  })

  test("refuses markup in the page and lets an inert document be parsed", () => {
    const markup = "<img src=x onerror=alert(1)>"
    expect(checkHtml(markup, "TrustedHTML", "Element innerHTML")).toBe(null)
    expect(checkHtml("", "TrustedHTML", "Element innerHTML")).toBe("")
    expect(checkHtml(markup, "TrustedHTML", "DOMParser parseFromString")).toBe(markup)
  })
})
