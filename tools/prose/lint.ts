/** Checks one document or source file. */
import { TextlintKernel } from "@textlint/kernel"
import markdownPlugin from "@textlint/textlint-plugin-markdown"
import { commentsOf } from "./comments.ts"
import { rules } from "./rules.ts"
import { longTestNames } from "./test-names.ts"

/** `line`: from 1. */
export type Finding = { readonly line: number; readonly rule: string; readonly message: string }

/** The plugin is a CommonJS module, so Node puts its default export one level deeper. */
const markdown = "default" in markdownPlugin ? markdownPlugin.default : markdownPlugin
const kernel = new TextlintKernel()
const plugins = [{ pluginId: "markdown", plugin: markdown }]

/** `file`: its name decides how it is read. Markdown is read whole; of any other file the comments, and names of tests. */
export async function lintProse(file: string, source: string): Promise<Finding[]> {
  if (file.endsWith(".md")) return findings(source, null)
  const { text, lines } = commentsOf(file, source)
  const names = /\.test\.tsx?$/u.test(file) ? longTestNames(file, source) : []
  return [...(await findings(text, lines)), ...names].toSorted((a, b) => a.line - b.line)
}

/** `lines`: for each line of `text` the one to report; null for the same one. */
async function findings(text: string, lines: readonly number[] | null): Promise<Finding[]> {
  if (!text.trim()) return []
  const { messages } = await kernel.lintText(text, { ext: ".md", plugins, rules })
  return messages.map(({ ruleId, message, loc }) => {
    const { line } = loc.start
    return { rule: ruleId, message, line: lines ? lines[line - 1]! : line }
  })
}
