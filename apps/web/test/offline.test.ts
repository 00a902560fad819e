import { readFileSync, readdirSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { withCursorColours } from "../build/cursorColours.ts"
import { withoutThirdParties } from "../build/excalidrawOffline.ts"
import { withRestingLasers } from "../build/restingLasers.ts"

const distribution = dirname(createRequire(import.meta.url).resolve("@excalidraw/excalidraw"))
const scripts = readdirSync(distribution).filter((file) => file.endsWith(".js"))
const rewritten = scripts.map((file) => withoutThirdParties(readFileSync(join(distribution, file), "utf8")))

it("the installed whiteboard asks no stranger for fonts, pictures or help", () => {
  const changed = rewritten.filter((code) => code !== null).join("\n")
  expect(changed).toContain('new URL("/assets/excalidraw/",window.location.origin).href'.replace(",", ", "))
  expect(changed).not.toMatch(/esm\.sh|cloudfunctions\.net|oss-ai|oss-collab|json\.excalidraw\.com|firebaseio/)
})

it("the installed whiteboard starts no worker to cut fonts, which would need eval", () => {
  expect(rewritten.filter((code) => code !== null).join("\n")).not.toContain("typeof Worker<")
})

it.each(["prod", "dev"])(
  "the installed whiteboard (%s) paints cursors in the members' colours, names in white",
  (kind) => {
    const folder = join(distribution, "..", kind)
    const painted = readdirSync(folder)
      .filter((file) => file.endsWith(".js"))
      .map((file) => withCursorColours(readFileSync(join(folder, file), "utf8")))
      .join("\n")
    expect(
      painted.match(/collaborator\?\.color\) return collaborator\.color\.background|\?\.color\?\.background\?\?`hsl/g),
    ).toHaveLength(1)
    expect(painted.match(/fillStyle\s*=\s*"#ffffff"[,;]\s*\w+\.fillText\(/g)).toHaveLength(1)
  },
)

it.each(["prod", "dev"])("the installed whiteboard (%s) rests while nobody holds a laser pointer", (kind) => {
  const folder = join(distribution, "..", kind)
  const files = readdirSync(folder).filter((file) => file.endsWith(".js"))
  const code = files.map((file) => readFileSync(join(folder, file), "utf8"))
  const rested = code.map(withRestingLasers).filter((text, index) => text !== code[index])
  expect(rested).toHaveLength(1)
  // What the replacement leans on.
  expect(rested[0]).toMatch(/this\.targets\.set\(\w+,\s*\{\s*callback\b[^}]*\bstopped:/)
})
