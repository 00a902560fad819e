/** Compares what a check finds with what older files may still have. Counts fall and never rise. */
import type { Finding } from "./lint.ts"

/** Findings by file; files without any are not named. */
export type Allowed = Readonly<Record<string, number>>

export function countsOf(findings: ReadonlyMap<string, readonly Finding[]>): Allowed {
  return Object.fromEntries([...findings].map(([file, { length }]) => [file, length]).toSorted())
}

/** Lines for a person; none if every file has exactly its count. */
export function complaints(findings: ReadonlyMap<string, readonly Finding[]>, allowed: Allowed): string[] {
  const grown = [...findings].flatMap(([file, found]) => {
    const limit = allowed[file] ?? 0
    if (found.length <= limit) return []
    const head = limit ? `${file}: ${found.length} findings, and ${limit} before:` : `${file}:`
    return [head, ...found.map(({ line, message }) => `  ${file}:${line} ${message}`)]
  })
  const fallen = Object.entries(allowed).filter(([file, limit]) => (findings.get(file)?.length ?? 0) < limit)
  if (!fallen.length) return grown
  const names = fallen.map(([file]) => file).join(", ")
  return [...grown, `Fewer findings than before in ${names}. Run: npm run lint:prose -- --update`]
}
