/** The notices that the licences of bundled works ask for. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { rolldown, type Plugin } from "rolldown"
import { expect, onTestFinished, test } from "vitest"
import { Notices, NOTICES_FILE } from "./notices.ts"

type Files = Readonly<Record<string, string>>

/** A package as installed; its module exports its name. */
function packageOf(name: string, more: Files, manifest: object = {}): Files {
  const files = {
    "package.json": JSON.stringify({ name, version: "1.2.3", license: "MIT", main: "index.js", ...manifest }),
    "index.js": `export default "${name}"`,
    ...more,
  }
  return Object.fromEntries(Object.entries(files).map(([file, text]) => [`node_modules/${name}/${file}`, text]))
}

/** Bundles a page that uses these packages. @returns the notices beside it */
async function bundle(names: readonly string[], files: Files, plugins: readonly Plugin[] = []): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "keymoot-notices-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const page = names.map((name, i) => `import name${i} from "${name}"\nconsole.log(name${i})`).join("\n")
  for (const [path, text] of Object.entries({ ...files, "page.js": page })) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  const bundled = await rolldown({ cwd: directory, input: "page.js", plugins: [...plugins, new Notices().write()] })
  const { output } = await bundled.generate().finally(() => bundled.close())
  const notices = output.find(({ fileName }) => fileName === NOTICES_FILE)
  return notices?.type === "asset" ? String(notices.source) : ""
}

/** A font that another plugin adds to the bundle. */
function fontPlugin(fileName: string): Plugin {
  return {
    name: "font",
    generateBundle() {
      this.emitFile({ type: "asset", fileName, source: "" })
    },
  }
}

test("notices name the bundled packages, and pass on their licences", async () => {
  const files = {
    ...packageOf("first", { LICENSE: "Licence of first", NOTICE: "Notice of first", "licenses.js": "" }),
    ...packageOf("@scope/second", { "license.md": "Licence of second" }),
    ...packageOf("unused", { LICENSE: "Licence of unused" }),
  }
  const text = await bundle(["first", "@scope/second"], files)
  expect(text).toContain("first 1.2.3 (MIT)\n\nLicence of first\n\nNotice of first\n")
  expect(text).toContain("@scope/second 1.2.3 (MIT)\n\nLicence of second\n")
  expect(text).not.toContain("unused")
})

test("a package without a licence text stops the build", async () => {
  await expect(bundle(["first"], packageOf("first", {}))).rejects.toThrow("first has no licence text")
})

test("notices give the licence of a package that forgot its file", async () => {
  const text = await bundle(["@excalidraw/excalidraw"], packageOf("@excalidraw/excalidraw", {}))
  expect(text).toMatch(/@excalidraw\/excalidraw 1\.2\.3 \(MIT\)\n\nCopyright \(c\) 2020 Excalidraw\n\nPermission is/u)
})

test("notices name what a bundled file contains already", async () => {
  const licence = { LICENSE: "Licence" }
  const files = {
    ...packageOf("simple-peer", licence, { dependencies: { inside: "1" } }),
    ...packageOf("inside", licence, { dependencies: { deeper: "1" } }),
    ...packageOf("deeper", licence, { dependencies: { inside: "1" } }),
  }
  const text = await bundle(["simple-peer"], files)
  expect(text).toContain("deeper 1.2.3 (MIT)\ninside 1.2.3 (MIT)\nsimple-peer 1.2.3 (MIT)\n\nLicence\n")
})

test("notices name the fonts; a font without a licence text stops the build", async () => {
  const text = await bundle([], {}, [fontPlugin("assets/Nunito-Regular-1.woff2")])
  expect(text).toMatch(/The font Nunito \(OFL-1\.1\)\n\nCopyright 2014 The Nunito[^]*SIL OPEN FONT LICENSE/u)
  const unknown = bundle([], {}, [fontPlugin("assets/Unknown-Regular.woff2")])
  await expect(unknown).rejects.toThrow("The font assets/Unknown-Regular.woff2 has no licence text")
})
