/**
 * Test files that can share a worker process with others. A worker of its own costs a file about 0.3 s: a process, and
 * all modules that it imports. No file may change what the next one finds. A file stays alone if its text, or that of
 * its helpers, could do so. `left-behind.ts` checks each file that shares.
 */
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, sep } from "node:path"

/** Vitest itself restores spies and its settings after each file. */
const HARMLESS = "fn|waitFor|waitUntil|spyOn|mocked|restoreAllMocks|setConfig"
const LEAVES_TRACES = new RegExp(
  [
    // Replaced modules, globals and timers, and another environment.
    String.raw`\bvi\.(?!(?:${HARMLESS})\b)`,
    String.raw`@vitest-environment|\bjsdom\b`,
    String.raw`\bdefineProperty\(|\bassign\(\s*globalThis|\bglobalThis\S* = |\.prototype\.\w+ = |\bDate\.now = `,
    String.raw`"fake-indexeddb/auto"`,
    // The process: its settings, its memory and its native threads.
    String.raw`\bprocess\.(?:on|once|chdir|exitCode|argv)\b|\bprocess\.env\S* = |\bdelete process\.env`,
    String.raw`"node:(?:v8|vm|inspector|worker_threads)\b|"node-datachannel\b`,
  ].join("|"),
  "u",
)
/** A helper is evaluated once for all files that share: its hooks would serve the first file only, and its state all. */
const LASTS = /^(?:export )?let |^(?:after|before)(?:All|Each)\(/mu
const IMPORT = /(?:\bfrom |\bimport ?\(?)"(\.[^"]+)"/gu

/** Paths from `root`, with forward slashes, sorted. */
export function sharingFiles(root: string, patterns: readonly string[]): string[] {
  const texts = new Map<string, string>()
  const textOf = (file: string): string => {
    const text = texts.get(file) ?? readFileSync(file, "utf8")
    texts.set(file, text)
    return text
  }
  return patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((file) => keepsToItself(join(root, file), textOf))
    .map((file) => file.replaceAll(sep, "/"))
    .toSorted()
}

/** Whether neither this file nor any helper that it imports has lasting effects. The tested sources are no helpers. */
function keepsToItself(testFile: string, textOf: (file: string) => string): boolean {
  const files = new Set([testFile])
  for (const file of files) {
    const text = textOf(file)
    if (LEAVES_TRACES.test(text) || (file !== testFile && LASTS.test(text))) return false
    for (const [, path] of text.matchAll(IMPORT)) {
      const helper = join(dirname(file), path!)
      if (/[/\\]test(?:ing)?[/\\]/u.test(helper) && existsSync(helper)) files.add(helper)
    }
  }
  return true
}
