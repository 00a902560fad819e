import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { manifestOf } from "./pack.ts"

const ROOT = join(import.meta.dirname, "..")
const TRUSTED = ["gke", "transport", "core"]
const [trusted = "", scripts = ""] = readFileSync(join(ROOT, "docs/dependencies.md"), "utf8").split(
  "## Scripts at installation",
)

/** The packages in the first cells of a table. */
function packagesIn(text: string): string[] {
  return [...text.matchAll(/^\| (`[^|]*) \|/gmu)]
    .flatMap(([, cell = ""]) => cell.replaceAll("`", "").split(", "))
    .toSorted()
}

test("docs/dependencies.md lists what the trusted core depends on", () => {
  const names = TRUSTED.flatMap((name) => {
    const { dependencies, peerDependencies } = manifestOf(join(ROOT, "packages", name))
    return Object.keys({ ...dependencies, ...peerDependencies })
  })
  const foreign = new Set(names.filter((name) => !name.startsWith("@keymoot/")))
  expect(packagesIn(trusted)).toEqual([...foreign].toSorted())
})

test("no package runs a script at its installation but those listed", () => {
  const lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly hasInstallScript?: true; readonly dev?: true }>>
  }
  const running = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript)
  expect(running.map(([path]) => path.replace(/^.*node_modules\//u, "")).toSorted()).toEqual(packagesIn(scripts))
  expect(running.filter(([, { dev }]) => !dev)).toEqual([])
})
