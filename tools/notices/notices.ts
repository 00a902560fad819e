import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { OutputBundle, Plugin } from "rolldown"
import { DATA, FONTS, PACKAGES, PREBUNDLED, textOf } from "./supplements.ts"

export const NOTICES_FILE = "third-party-notices.txt"

const HEADING =
  "Keymoot contains the software, fonts and data of others listed here, each with its licence.\n" +
  "Keymoot itself is licensed under the Apache License 2.0.\n"
const RULE = "-".repeat(80)
/** `NOTICE` is the file that the Apache License asks to pass on. */
const LICENCE_FILES = /^(?:licen[cs]e|copying|notice)(?![a-z])/iu

type Manifest = {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Collects the third parties' works that bundles contain, and their licences. A work without a licence text stops the build. */
export class Notices {
  /** Licence text by what it covers, such as "react 18.3.1 (MIT)". */
  readonly #works = new Map<string, string>()
  readonly #prebundled = new Set<string>()

  /** A plugin that notes the packages, fonts and data in the bundle that it takes part in. */
  collect(): Plugin {
    return { name: "collect-notices", generateBundle: (_, bundle) => this.#note(bundle) }
  }

  /** The same for the last bundle: it also writes the file. Comes after every plugin that emits fonts. */
  write(): Plugin {
    const finish = (bundle: OutputBundle): string => {
      this.#note(bundle)
      return this.text()
    }
    return {
      name: "write-notices",
      generateBundle(_, bundle) {
        this.emitFile({ type: "asset", fileName: NOTICES_FILE, source: finish(bundle) })
      },
    }
  }

  /** Works under one text stand together. */
  text(): string {
    const worksByText = new Map<string, string[]>()
    for (const [work, text] of [...this.#works].toSorted()) {
      worksByText.set(text, [...(worksByText.get(text) ?? []), work])
    }
    const parts = [...worksByText].map(([text, works]) => `${works.join("\n")}\n\n${text}\n`)
    return [HEADING, ...parts].join(`\n${RULE}\n\n`)
  }

  #note(bundle: OutputBundle): void {
    for (const output of Object.values(bundle)) {
      if (output.type === "chunk") for (const id of output.moduleIds) this.#addModule(id)
      else if (output.fileName.endsWith(".woff2")) this.#addFont(output.fileName)
    }
  }

  #addModule(id: string): void {
    const path = id.replace(/[?#].*$/u, "").replaceAll("\\", "/")
    const directory = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/u.exec(path)?.[0]
    if (directory !== undefined) return this.#addPackage(directory)
    const [, data] = Object.entries(DATA).find(([end]) => path.endsWith(end)) ?? []
    if (data !== undefined) this.#add(`${data.name} (${data.licence})`, textOf(data))
  }

  #addPackage(directory: string, isInside = false): void {
    const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as Manifest
    const { name, version, license = "licence below", dependencies = {} } = manifest
    const work = `${name} ${version} (${license})`
    if (!this.#works.has(work)) this.#add(work, licenceOf(directory, name))
    if ((!isInside && !PREBUNDLED.has(name)) || this.#prebundled.has(work)) return
    this.#prebundled.add(work)
    for (const dependency of Object.keys(dependencies)) this.#addPackage(findPackage(dependency, directory), true)
  }

  #addFont(file: string): void {
    const name = basename(file).split("-")[0]!
    const font = FONTS[name]
    if (font === undefined) throw new Error(`The font ${file} has no licence text: add it to notices/supplements.ts.`)
    this.#add(`The font ${name} (${font.licence})`, textOf(font))
  }

  #add(work: string, text: string): void {
    this.#works.set(work, text.replaceAll("\r\n", "\n").trim())
  }
}

/** @throws Error when the package has no licence file and no supplement */
function licenceOf(directory: string, name: string): string {
  const files = readdirSync(directory).filter((file) => LICENCE_FILES.test(file))
  if (files.length > 0) return files.map((file) => readFileSync(join(directory, file), "utf8").trim()).join("\n\n")
  const [, supplement] = Object.entries(PACKAGES).find(([beginning]) => name.startsWith(beginning)) ?? []
  if (supplement === undefined) throw new Error(`${name} has no licence text: add it to notices/supplements.ts.`)
  return textOf(supplement)
}

/** As Node looks for a package: from that folder upwards. */
function findPackage(name: string, from: string): string {
  const candidate = join(from, "node_modules", name)
  if (existsSync(candidate)) return candidate
  if (from === dirname(from)) throw new Error(`${name} is not installed`)
  return findPackage(name, dirname(from))
}
