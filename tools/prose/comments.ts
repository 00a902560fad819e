/** The comments of a TypeScript file as one Markdown text, so that the same rules read code and documents. */
import { type Comment, parseSync } from "oxc-parser"

export type Prose = {
  readonly text: string
  /** For each line of `text`, the line of the source, from 1. */
  readonly lines: readonly number[]
}

/** Instructions to tools, which are not prose. */
const DIRECTIVE = /^\s*(?:oxlint-|eslint-|prettier-|@ts-|@vitest-|v8 |@__PURE__|#__PURE__|\/)/u

export function commentsOf(file: string, source: string): Prose {
  const text: string[] = []
  const lines: number[] = []
  const starts = lineStarts(source)
  let last = { type: "", line: 0 }
  for (const comment of parseSync(file, source).comments) {
    if (DIRECTIVE.test(comment.value.replace(/^\*/u, ""))) continue
    const line = lineAt(starts, comment.start)
    // Consecutive line comments are one paragraph; all others are separate.
    const goesOn = comment.type === "Line" && last.type === "Line" && line === last.line + 1
    if (!goesOn) {
      text.push("")
      lines.push(line)
    }
    for (const [at, content] of contentOf(comment).entries()) {
      // A tag such as `@param` begins a paragraph.
      if (content.startsWith("@")) {
        text.push("")
        lines.push(line + at)
      }
      text.push(content)
      lines.push(line + at)
    }
    last = { type: comment.type, line }
  }
  return { text: text.join("\n"), lines }
}

function contentOf({ type, value }: Comment): string[] {
  if (type === "Line") return [value.trim()]
  return value.split("\n").map((line) => line.replace(/^\s*\*+ ?/u, "").trimEnd())
}

function lineStarts(source: string): number[] {
  return [0, ...[...source.matchAll(/\n/gu)].map(({ index }) => index + 1)]
}

/** The line of an offset, from 1. */
function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (starts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return low + 1
}
