import { readFileSync, readdirSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { expect, it, onTestFinished, vi } from "vitest"
import { withCursorColours } from "../../build/cursorColours.ts"
import { withoutPolyfill, withoutThirdParties } from "../../build/excalidrawOffline.ts"
import { withRestingLasers } from "../../build/restingLasers.ts"

const distribution = dirname(createRequire(import.meta.url).resolve("@excalidraw/excalidraw"))
const codeOf = (kind: string) => scriptsIn(join(distribution, "..", kind))

it.each(["prod", "dev"])("the whiteboard (%s) requests no fonts, pictures or help from third parties", (kind) => {
  const rewritten = codeOf(kind).map(withoutThirdParties).join("\n")
  expect(rewritten).toContain('new URL("/assets/excalidraw/",window.location.origin).href'.replace(",", ", "))
  expect(rewritten).not.toMatch(/esm\.sh|cloudfunctions\.net|oss-ai|oss-collab|json\.excalidraw\.com|firebaseio/)
})

it.each(["prod", "dev"])("the whiteboard (%s) starts no worker to cut fonts, which would need eval", (kind) => {
  expect(codeOf(kind).map(withoutThirdParties).join("\n")).not.toMatch(/typeof Worker\s*[<!=]/)
})

it.each(["prod", "dev"])("loads no polyfill after the first picture of the board (%s)", (kind) => {
  const code = codeOf(kind)
  expect(code.filter((text) => withoutPolyfill(text) !== text)).toHaveLength(1)
  expect(code.map((text) => withoutPolyfill(text)).join("\n")).not.toContain("canvas-roundrect-polyfill")
})

it.each(["prod", "dev"])("paints cursors in the members' colours and names in white (%s)", (kind) => {
  const painted = codeOf(kind).map(withCursorColours).join("\n")
  expect(
    painted.match(/collaborator\?\.color\) return collaborator\.color\.background|\?\.color\?\.background\?\?`hsl/g),
  ).toHaveLength(1)
  expect(painted.match(/fillStyle\s*=\s*"#ffffff"[,;]\s*\w+\.fillText\(/g)).toHaveLength(1)
})

it.each(["prod", "dev"])("the installed whiteboard (%s) rests while nobody holds a laser pointer", (kind) => {
  const code = codeOf(kind)
  const rested = code.map(withRestingLasers).filter((text, index) => text !== code[index])
  expect(rested).toHaveLength(1)
  // The replacement relies on this.
  expect(rested[0]).toMatch(/this\.targets\.set\(\w+,\s*\{\s*callback\b[^}]*\bstopped:/)
})

it("asks for no frames on a resting board until somebody holds a laser pointer", () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  type Trails = { onFrame(): boolean }
  const code = withRestingLasers("return class { updateCollabTrails() {} onFrame() { this.updateCollabTrails(); } }")
  const trails = new (new Function(code)() as new () => Trails)()
  const collaborators = new Map([["bob", { pointer: { tool: "pointer" } }]])
  const target = { stopped: false }
  const start = vi.fn()
  Object.assign(trails, { app: { state: { collaborators } } })
  Object.assign(trails, { animationFrameHandler: { start, targets: new Map([[trails, target]]) } })

  // Begun twice, as by a board that is taken away and shown again: it looks only once.
  for (let i = 0; i < 2; i++) expect(trails.onFrame()).toBe(true)
  vi.advanceTimersByTime(10_000)
  expect(start).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(1)

  collaborators.set("bob", { pointer: { tool: "laser" } })
  vi.advanceTimersByTime(100)
  expect(start).toHaveBeenCalledExactlyOnceWith(trails)
  expect(trails.onFrame()).toBe(false)

  collaborators.set("bob", { pointer: { tool: "pointer" } })
  expect(trails.onFrame()).toBe(true)
  target.stopped = true
  vi.advanceTimersByTime(100)
  expect(vi.getTimerCount()).toBe(0)
})

/** The code of all scripts of a folder. */
function scriptsIn(folder: string): string[] {
  const files = readdirSync(folder, { encoding: "utf8", recursive: true }).filter((file) => file.endsWith(".js"))
  return files.map((file) => readFileSync(join(folder, file), "utf8"))
}
