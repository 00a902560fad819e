/** Checks one document or source file. */
import { TextlintKernel } from "@textlint/kernel"
import markdownPlugin from "@textlint/textlint-plugin-markdown"
import { catalogueTexts } from "./catalogue.ts"
import { commentsOf } from "./comments.ts"
import { COMMENT_RULES, DOCUMENT_RULES, type Rules, SCREEN_RULES } from "./rules.ts"
import { testNameFindings } from "./test-names.ts"

/** `line`: from 1. */
export type Finding = { readonly line: number; readonly rule: string; readonly message: string }

/** The plugin is a CommonJS module, so Node puts its default export one level deeper. */
const markdown = "default" in markdownPlugin ? markdownPlugin.default : markdownPlugin
const CATALOGUE = "apps/web/src/i18n/en/"
const kernel = new TextlintKernel()
const plugins = [{ pluginId: "markdown", plugin: markdown }]

/**
 * `file`: its name decides how it is read. Markdown is read whole. Any other file: its comments, the names of its tests,
 * and in the English catalogue the texts.
 */
export async function lintProse(file: string, source: string): Promise<Finding[]> {
  if (file.endsWith(".md")) return findings(source, null, DOCUMENT_RULES)
  const comments = commentsOf(file, source)
  const names = /\.test\.tsx?$/u.test(file) ? testNameFindings(file, source) : []
  const texts = file.startsWith(CATALOGUE) ? catalogueTexts(file, source) : null
  const found = [
    ...(await findings(comments.text, comments.lines, COMMENT_RULES)),
    ...(texts ? await findings(texts.text, texts.lines, SCREEN_RULES) : []),
  ]
  return [...found, ...names].toSorted((a, b) => a.line - b.line)
}

/** `lines`: for each line of `text` the one to report; null for the same one. */
async function findings(text: string, lines: readonly number[] | null, rules: Rules): Promise<Finding[]> {
  if (!text.trim()) return []
  const { messages } = await kernel.lintText(text, { ext: ".md", plugins, rules: [...rules] })
  return messages.map(({ ruleId, message, loc }) => {
    const { line } = loc.start
    return { rule: ruleId, message, line: lines ? lines[line - 1]! : line }
  })
}
