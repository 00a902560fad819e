import { readFileSync } from "node:fs"
import { scriptOf } from "@keymoot/tools"
import { type BrowserKind, launch } from "../../browsers.ts"

/** The vectors of a file in docs/protocol/vectors. */
export function vectorsOf<T>(name: string): readonly T[] {
  const file = new URL(`../../../docs/protocol/vectors/${name}`, import.meta.url)
  return (JSON.parse(readFileSync(file, "utf8")) as { vectors: T[] }).vectors
}

/**
 * The verdict on each vector, given in a page of that browser. `judge` names the function of the
 * engine's own code and the file that exports it.
 */
export async function verdictsIn<T>(
  kind: BrowserKind,
  origin: string,
  judge: { readonly file: string; readonly name: string },
  vectors: readonly T[],
): Promise<unknown[]> {
  const script = await scriptOf(judge.file, "judge")
  const browser = await launch(kind)
  try {
    const page = await browser.newPage()
    await page.goto(origin)
    return await page.evaluate<unknown[]>(
      `(() => { ${script}\nreturn Promise.all(${JSON.stringify(vectors)}.map(judge.${judge.name})) })()`,
    )
  } finally {
    await browser.close()
  }
}
