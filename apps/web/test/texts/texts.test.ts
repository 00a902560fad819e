import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as de from "../../src/i18n/de/index.ts"
import * as en from "../../src/i18n/en/index.ts"

type Tree = { readonly [key: string]: string | Tree }

function flatten(tree: Tree, prefix = ""): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === "string") texts.set(prefix + key, value)
    else for (const [path, text] of flatten(value, `${prefix}${key}.`)) texts.set(path, text)
  }
  return texts
}
const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]).sort()
const sources = readdirSync(join(import.meta.dirname, "../../src"), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith("i18n"))
  .map((file) => ({ file, code: readFileSync(join(import.meta.dirname, "../../src", file), "utf8") }))

describe("the texts", () => {
  const english = flatten(en)
  const german = flatten(de)

  it("exist in both languages, with the same blanks to fill, and are not empty", () => {
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort())
    for (const [key, text] of english) {
      expect(placeholders(german.get(key) ?? ""), key).toEqual(placeholders(text))
      expect((german.get(key) ?? "").length * text.length, key).toBeGreaterThan(0)
    }
  })

  it("have both numbers when they have one", () => {
    for (const key of english.keys())
      if (key.endsWith("_one")) expect(english.has(key.replace(/_one$/, "_other")), key).toBe(true)
  })

  it("are all used", () => {
    const code = sources.map((source) => source.code).join("\n")
    for (const key of english.keys()) {
      const name = key.replace(/_(one|other)$/, "")
      const family = name.slice(0, name.lastIndexOf("."))
      expect(code.includes(`"${name}"`) || code.includes(`\`${family}.\${`), key).toBe(true)
    }
  })
})
