/** Texts of the English catalogue of the web app as Markdown, a paragraph each. */
import { parseSync, Visitor } from "oxc-parser"
import type { Prose } from "./comments.ts"

/** Strings and templates of the file; a name in `{{…}}` or `${…}` counts as one word. Imports and keys are no texts. */
export function catalogueTexts(file: string, source: string): Prose {
  const texts: { readonly at: number; readonly text: string }[] = []
  const visitor = new Visitor({
    Property({ value }) {
      if (value.type === "Literal" && typeof value.value === "string") {
        texts.push({ at: value.start, text: value.value })
      } else if (value.type === "TemplateLiteral") {
        texts.push({ at: value.start, text: value.quasis.map(({ value: { raw } }) => raw).join("name") })
      }
    },
  })
  visitor.visit(parseSync(file, source).program)
  const lineOf = (at: number): number => source.slice(0, at).split("\n").length
  const lines = texts.flatMap(({ at, text }) => [lineOf(at), ...text.split("\n").map(() => lineOf(at))])
  return { text: texts.map(({ text }) => `\n${text.replaceAll(/\{\{.*?\}\}/gu, "name")}`).join("\n"), lines }
}
