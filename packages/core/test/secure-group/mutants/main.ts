/**
 * npm run mutants:keys: breaks one rule of the post-quantum keys at a time in a copy. The unit test that shows the rule
 * must fail then. Exits with 1 if a mutant survives.
 */
import { fileURLToPath } from "node:url"
import { findByTest, inCopy, judgeAll, type Source } from "../../../../transport/test/mutants/judge.ts"
import { type KeyMutant, keyMutants } from "./mutants.ts"

/** Without the folder's tsconfig, whose base is not in the copy. */
const inTests = (file: string): string => `test/${file}`
const gkeTests = new Set(keyMutants.flatMap((mutant) => (mutant.package === "gke" ? [mutant.test] : [])))
const gkeFiles = ["src", ...["harness.ts", "kem/kem-eavesdropper.ts", ...gkeTests].map(inTests)]

const SOURCES: Readonly<Record<KeyMutant["package"], Source>> = {
  core: { package: fileURLToPath(new URL("../../..", import.meta.url)), folders: ["src", "test/secure-group"] },
  gke: { package: fileURLToPath(new URL("../../../../gke", import.meta.url)), folders: gkeFiles },
}

const judge = (mutant: KeyMutant) =>
  inCopy(SOURCES[mutant.package], mutant, (copy) => findByTest(mutant, copy, mutant.test))

// A test that fails by itself kills every mutant.
for (const { test, package: name } of new Map(keyMutants.map((mutant) => [mutant.test, mutant])).values()) {
  const { killed, by } = await judge({ name: "unbroken", package: name, edits: [], test })
  if (killed) throw new Error(`the test fails without any mutant: ${by}`)
}
const chosen = process.argv.slice(2)
const all = keyMutants.filter(({ name }) => chosen.length === 0 || chosen.includes(name))
if (!(await judgeAll(all, judge))) process.exitCode = 1
