import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { parseSync } from "vite"
import { expect, it } from "vitest"

type Node = { readonly type: string; readonly [field: string]: unknown }

const SOURCES = join(import.meta.dirname, "../../src")
/** Attributes that are read out or shown besides an element's content. */
const SPOKEN_ATTRIBUTES = new Set([
  "aria-label",
  "aria-description",
  "alt",
  "placeholder",
  "title",
  "label",
  "closeLabel",
])
const WORD = /\p{L}{2}/u

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string"
}

/** The texts that an expression can have as its value; what a call makes of its arguments is the call's own. */
function valuesOf(node: unknown): string[] {
  if (!isNode(node)) return []
  switch (node.type) {
    case "Literal":
      return typeof node["value"] === "string" ? [node["value"]] : []
    case "TemplateLiteral":
      return [
        ...(node["quasis"] as { value: { raw: string } }[]).map(({ value }) => value.raw),
        ...(node["expressions"] as unknown[]).flatMap(valuesOf),
      ]
    case "ConditionalExpression":
      return [...valuesOf(node["consequent"]), ...valuesOf(node["alternate"])]
    case "LogicalExpression":
      return [...valuesOf(node["left"]), ...valuesOf(node["right"])]
    case "BinaryExpression":
      return node["operator"] === "+" ? [...valuesOf(node["left"]), ...valuesOf(node["right"])] : []
    case "ParenthesizedExpression":
    case "JSXExpressionContainer":
      return valuesOf(node["expression"])
    default:
      return []
  }
}

/** All texts of a component that are not translated. */
function literalsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(literalsIn)
  if (!isNode(node)) return []
  const here: string[] = []
  if (node.type === "JSXText") here.push(String(node["value"]))
  if (node.type === "JSXElement" || node.type === "JSXFragment")
    here.push(...(node["children"] as []).flatMap(valuesOf))
  if (node.type === "JSXAttribute" && SPOKEN_ATTRIBUTES.has(String((node["name"] as Node)["name"])))
    here.push(...valuesOf(node["value"]))
  const inside = Object.values(node).flatMap((value) => (typeof value === "object" ? literalsIn(value) : []))
  return [...here.filter((text) => WORD.test(text)), ...inside]
}

const literals = (code: string) => literalsIn(parseSync("component.tsx", code).program)

it("no component says anything in one language only", () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".tsx"))
  expect(files.length).toBeGreaterThan(50)
  for (const file of files) expect(literals(readFileSync(join(SOURCES, file), "utf8")), file).toEqual([])
})

it.each([
  ["<p>Hello</p>", "Hello"],
  ["<p><Icon /> Hello {name}</p>", "Hello"],
  ['<p>{late ? t("late") : "early"}</p>', "early"],
  ['<p>{late && "late"}</p>', "late"],
  ["<p>{`${count} people`}</p>", "people"],
  ['<p>{count + " people"}</p>', "people"],
  ['<button aria-label="Close" />', "Close"],
  ['<Modal title={open ? "Open" : t("shut")} />', "Open"],
])("a literal is found in %s", (code, literal) => {
  expect(literals(`const component = () => ${code}`).map((text) => text.trim())).toEqual([
    expect.stringContaining(literal),
  ])
})

it.each([
  '<p className="wide">{t("hello")}</p>',
  '<p>{kind === "file" && <b>{name}</b>}</p>',
  "<p>{count} · {`${a} ${b}`}</p>",
  '<input type="text" onKeyDown={({ key }) => key === "Enter" && go("there")} />',
])("finds nothing in %s", (code) => {
  expect(literals(`const component = () => ${code}`)).toEqual([])
})
