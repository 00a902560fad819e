import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const SOURCES = fileURLToPath(new URL("../../src/", import.meta.url))

/** Declarations that may name a side, and why. */
const ALLOWED: Readonly<Record<string, string>> = {
  "transform: scaleX(-1)": "a person sees the own camera as in a mirror",
  "transform: rotate(1turn)": "a whole turn ends where it began",
}
const SIDE = /\b(?:left|right)\b/u
/** Their values go around the box: the second is the right side, the fourth the left one. */
const AROUND = /^(?:margin|padding|inset|scroll-(?:margin|padding)|border-(?:width|style|color))$/u
const TURNED = /\b(?:translate(?:X|3d)?|scale(?:X|3d)?|rotate(?:Z)?|skew(?:X)?|matrix(?:3d)?)\(/u
/** A shift along the block, or a side that follows the direction. */
const FOLLOWS = /^translateY\(|var\(--forward\)/u

/** Values of a shorthand: separated by spaces outside of brackets. */
function valuesOf(value: string): readonly string[] {
  return value.replace(/\s*!important$/u, "").match(/(?:[^\s(]|\((?:[^()]|\([^()]*\))*\))+/gu) ?? []
}

/** Declarations of a style sheet that look the same from right to left, although the text runs the other way. */
function physical(css: string): readonly string[] {
  const declarations = css.replaceAll(/\/\*[^]*?\*\//gu, "").matchAll(/([\w-]+)\s*:\s*([^;{}]+);/gu)
  return [...declarations].flatMap(([, property = "", text = ""]) => {
    const value = text.trim()
    const values = valuesOf(value)
    const [top = "", right = top, bottom = top, left = right] = values
    const isLopsided =
      (AROUND.test(property) && right !== left) ||
      (property === "border-radius" && (top !== right || bottom !== left)) ||
      (/^(?:transform|rotate|scale|translate)$/u.test(property) && TURNED.test(value) && !FOLLOWS.test(value))
    const namesSide = SIDE.test(property.replaceAll("-", " ")) || (!property.startsWith("--") && SIDE.test(value))
    const declaration = `${property}: ${value}`
    return (isLopsided || namesSide) && !(declaration in ALLOWED) ? [declaration] : []
  })
}

it.each([
  "left: 0;",
  "margin-left: auto;",
  "border-top-right-radius: 4px;",
  "text-align: left;",
  "float: right;",
  "padding: 0.4rem 0.5rem 0.4rem calc(1rem + (2px * 2));",
  "border-radius: 4px 14px 14px;",
  "background: linear-gradient(to right, red, blue);",
  "transform: translateX(-50%);",
  "transform: rotate(45deg);",
])("refuses a side of the screen: %s", (declaration) => {
  expect(physical(`a:hover { color: red; ${declaration} }`)).toEqual([declaration.slice(0, -1)])
})

it.each([
  "margin-inline-start: auto;",
  "padding: 0.4rem 0.5rem 1rem;",
  "border-radius: 16px 16px 0 0;",
  "inset: auto 0 0;",
  "text-align: start;",
  "transform: rotate(calc(var(--forward) * 45deg));",
  "/* left: 0; */",
])("lets pass what follows the direction: %s", (declaration) => {
  expect(physical(`a { ${declaration} }`)).toEqual([])
})

const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })

it("no style sheet names a side of the screen", () => {
  const sheets = files.filter((file) => file.endsWith(".css"))
  expect(sheets.length).toBeGreaterThan(10)
  for (const sheet of sheets) expect([sheet, physical(readFileSync(SOURCES + sheet, "utf8"))]).toEqual([sheet, []])
})

it("no component sets a side of the screen as a style", () => {
  for (const file of files.filter((name) => name.endsWith(".tsx"))) {
    const styles = readFileSync(SOURCES + file, "utf8").match(/style=\{\{[^}]*\}\}/gu) ?? []
    expect([file, styles.filter((style) => /\b\w*(?:left|right)\w*\s*:/iu.test(style))]).toEqual([file, []])
  }
})
