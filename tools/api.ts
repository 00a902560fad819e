/**
 * The public interfaces of `@keymoot/core` and `@keymoot/react` as texts that a reviewer sees change: `etc/*.api.md`. Run as a program
 * it writes them. The extractor brings a TypeScript of its own, because the pinned one has no interface for programs.
 */
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor"

const PACKAGES = fileURLToPath(new URL("../packages", import.meta.url))

/** Each entry of a package, by the name of its report. */
export const API_ENTRIES = {
  core: { folder: "core", types: "dist/src/index.d.ts" },
  "core-node": { folder: "core", types: "dist/src/node/index.d.ts" },
  "core-conformance": { folder: "core", types: "dist/src/conformance/index.d.ts" },
  "core-evidence": { folder: "core", types: "dist/src/evidence/index.d.ts" },
  "core-early": { folder: "core", types: "dist/src/early/index.d.ts" },
  "core-engine": { folder: "core", types: "dist/src/engine/index.d.ts" },
  "core-store": { folder: "core", types: "dist/src/store/index.d.ts" },
  react: { folder: "react", types: "dist/src/index.d.ts" },
} as const
export type ApiEntry = keyof typeof API_ENTRIES

export type ApiResult = { readonly changed: boolean; readonly complaints: readonly string[] }

function entryOf(name: ApiEntry): string {
  return join(PACKAGES, API_ENTRIES[name].folder, API_ENTRIES[name].types)
}

function configOf(name: ApiEntry, entry: string): ExtractorConfig {
  const root = join(PACKAGES, API_ENTRIES[name].folder)
  const temporary = join(root, "dist/api")
  mkdirSync(temporary, { recursive: true })
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, "package.json"),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: entry,
      // Types of the other packages are part of what a user sees.
      bundledPackages: ["@keymoot/gke", "@keymoot/transport"],
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: "ES2023",
            lib: ["ES2023", "DOM"],
            module: "NodeNext",
            strict: true,
            skipLibCheck: true,
            types: ["node"],
          },
          files: [entry],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder: join(root, "etc"),
        reportTempFolder: temporary,
      },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: "lf",
    },
  })
}

/** One analysis by the compiler for all entries. It reads the types that they share only once. */
function analysisOfAll(): CompilerState {
  const [first, ...others] = Object.keys(API_ENTRIES) as [ApiEntry, ...ApiEntry[]]
  return CompilerState.create(configOf(first, entryOf(first)), { additionalEntryPoints: others.map(entryOf) })
}

/**
 * Compares an entry's compiled types with its report.
 * @param options.write brings the report up to date. `entry`: another one than the package's, for tests.
 */
export function extractApi(
  name: ApiEntry,
  options: { readonly write: boolean; readonly entry?: string; readonly analysis?: CompilerState },
): ApiResult {
  const config = configOf(name, options.entry ?? entryOf(name))
  const complaints: string[] = []
  const { apiReportChanged } = Extractor.invoke(config, {
    localBuild: options.write,
    ...(options.analysis && { compilerState: options.analysis }),
    messageCallback: (message) => {
      message.handled = true
      const isSerious = message.logLevel === ExtractorLogLevel.Error || message.logLevel === ExtractorLogLevel.Warning
      if (!isSerious || message.messageId.startsWith("console-api-report-")) return
      complaints.push(message.formatMessageWithLocation(config.projectFolder))
    },
  })
  return { changed: apiReportChanged, complaints }
}

/** From the repository's root. */
export function reportOf(name: ApiEntry): string {
  return `packages/${API_ENTRIES[name].folder}/etc/${name}.api.md`
}

/** Codes and events of the public interface about which docs/embedding.md does not say in a table what to do. */
export function unexplainedNames(report: string, document: string): string[] {
  const declared = (name: string): string => new RegExp(`type ${name} = (.*?)^(?:\\};?$|//)`, "msu").exec(report)![1]!
  const literals = (text: string): string[] => [...text.matchAll(/"([a-z-]+)"/gu)].map(([, code]) => code!)
  const events = [...declared("ConferenceEvents").matchAll(/^ +(\w+): \(/gmu)].map(([, name]) => name!)
  const names = new Set([...literals(declared("ErrorCode")), ...literals(declared("SecurityEvent")), ...events])
  const rows = [...document.matchAll(/^\|([^|]*)\|/gmu)]
  const explained = new Set(rows.flatMap(([, cell]) => cell!.match(/[a-z-]+/gu) ?? []))
  return [...names].filter((name) => !explained.has(name))
}

/** `--check` changes nothing and fails if a report would change. */
if (import.meta.main) {
  const write = !process.argv.includes("--check")
  const analysis = analysisOfAll()
  for (const name of Object.keys(API_ENTRIES) as ApiEntry[]) {
    const report = reportOf(name)
    const { changed, complaints } = extractApi(name, { write, analysis })
    for (const complaint of complaints) console.error(complaint)
    if (changed && write) console.log(`${report} is new.`)
    if (changed && !write) {
      console.error(`The public interface is not what ${report} says. If you meant that: npm run api`)
      process.exitCode = 1
    }
  }
  const report = readFileSync(join(PACKAGES, "..", reportOf("core")), "utf8")
  for (const name of unexplainedNames(report, readFileSync(join(PACKAGES, "../docs/embedding.md"), "utf8"))) {
    console.error(`docs/embedding.md does not say what to do about ${name}.`)
    process.exitCode = 1
  }
}
