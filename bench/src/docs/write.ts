/** npm run bench -- docs: writes the pages, their pictures, and the parts of other documents, from what is kept. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Experiment } from "../experiment/experiment.ts"
import { UsageError } from "../run/options.ts"
import { type Result, RESULTS } from "../run/result.ts"
import {
  DOCS,
  documentsOf,
  INDEX_NAME,
  PAGES_NAME,
  PICTURES_NAME,
  readNats,
  readResults,
  withSection,
} from "./documents.ts"
import { missingForHeadline } from "./headline.ts"
import { pictureOf } from "./picture.ts"

type Directories = { readonly from?: string; readonly out?: string }

/**
 * From another directory for a trial; into another one the pages and their pictures alone go.
 *
 * @throws UsageError where there are no results, or none that are to be kept
 */
export async function writeDocs(experiments: readonly Experiment[], directories: Directories): Promise<void> {
  const { from = RESULTS, out = DOCS } = directories
  const results = readResults(from)
  if (results.length === 0) throw new UsageError(`${from} holds no results: npm run bench -- all --out DIRECTORY`)
  const quick = results.filter((result) => result.quick).map(({ experiment }) => experiment)
  if (quick.length > 0 && out === DOCS)
    throw new UsageError(
      `Of a quick run are ${quick.join(", ")}: what is published is measured in full. For a look, --out DIRECTORY.`,
    )
  const { index, pages, pictures, marked } = await documentsOf(experiments, results, readNats(from))
  const [pagesDir, picturesDir] = [join(out, PAGES_NAME), join(out, PICTURES_NAME)]
  for (const directory of [pagesDir, picturesDir]) {
    rmSync(directory, { recursive: true, force: true })
    mkdirSync(directory, { recursive: true })
  }
  for (const [file, page] of pages) writeFileSync(join(pagesDir, file), page)
  for (const [file, { plot, figures }] of pictures) writeFileSync(join(picturesDir, file), pictureOf(plot, figures))
  writeFileSync(join(out, INDEX_NAME), index)
  console.log(
    `${join(out, INDEX_NAME)}, ${pages.size} pages and ${pictures.size} pictures, from ${results.length} results.`,
  )
  for (const section of out === DOCS ? marked : []) {
    writeFileSync(section.path, withSection(readFileSync(section.path, "utf8"), section))
    console.log(`${section.path}: ${section.text === "" ? "no figures for its part yet" : "its part"}.`)
  }
  tellWhatIsMissing(experiments, results)
}

function tellWhatIsMissing(experiments: readonly Experiment[], results: readonly Result[]): void {
  const absent = experiments.filter(({ name }) => !results.some(({ experiment }) => experiment === name))
  if (absent.length > 0) console.log(`Without results, and so not in it: ${absent.map(({ name }) => name).join(", ")}.`)
  for (const { name, shows } of experiments) {
    const result = results.find(({ experiment }) => experiment === name)
    if (result && shows && /(?:^|[^\w])\?(?:$|[^\w])/u.test(shows.found(result.figures)))
      console.log(`${name}: a number that its sentence names was not measured, and stands as "?".`)
  }
  const missing = missingForHeadline(results.flatMap(({ figures }) => figures))
  if (missing.length > 0) console.log(`No table of five rows: figures are missing for ${missing.join("; ")}.`)
}
