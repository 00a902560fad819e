/**
 * `npm run release -- <version> [--dry-run]`: versions, changelog, commit, tarballs, SBOM, hashes and tag. It publishes nothing
 * and pushes nothing; docs/releasing.md has what comes after it.
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { fromCommandLine } from "../command-line.ts"
import { manifestOf, RELEASED, webAddress } from "../packages/pack.ts"
import { makeArtifacts } from "./artifacts.ts"
import { releaseChangelog, unreleased } from "./changelog.ts"
import { differingPackages } from "./installed-packages.ts"
import { isHigher, lockAt, manifestAt, textAt, workspacesOf } from "./versions.ts"

const ROOT = join(import.meta.dirname, "../..")
const CHANGELOG = "CHANGELOG.md"
const LOCK = "package-lock.json"
/** Files for people that may name a package with its version. */
const TEXTS = [
  "README.md",
  "docs/self-hosting.md",
  "docs/embedding.md",
  ...RELEASED.map((name) => `packages/${name}/README.md`),
]
const BRANCH = "main"
/** Packages that a refusal names. */
const NAMES_SHOWN = 5

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8")
const git = (...args: readonly string[]): string => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim()
const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** Reasons not to release, each with what to do. */
function problemsOf(version: string): string[] {
  const current = manifestOf(ROOT).version
  const differing = differingPackages(ROOT)
  const checks: readonly (readonly [boolean, string])[] = [
    [!isHigher(version, current), `${version} is no version above ${current}: give one such as 1.2.3.`],
    [git("tag", "--list", `v${version}`) !== "", `The tag v${version} exists: choose another version.`],
    [git("branch", "--show-current") !== BRANCH, `Releases are made on ${BRANCH}: switch to it.`],
    [git("status", "--porcelain") !== "", "The working tree has changes: commit or remove them."],
    [unreleased(read(CHANGELOG)) === "", `${CHANGELOG} has nothing under "Unreleased": say there what has changed.`],
    [
      new URL(webAddress()).hostname.endsWith(".example"),
      `"repository" in package.json is a placeholder: name the real one.`,
    ],
    [differing.length > 0, `node_modules differs from ${LOCK} in ${someOf(differing)}: run "npm ci".`],
  ]
  return checks.flatMap(([applies, problem]) => (applies ? [problem] : []))
}

function someOf(names: readonly string[]): string {
  const [shown, others] = [names.slice(0, NAMES_SHOWN), names.length - NAMES_SHOWN]
  return `${shown.join(", ")}${others > 0 ? ` and ${others} others` : ""}`
}

/** The files that carry the version, with their new contents. */
function changesFor(version: string): Map<string, string> {
  const lock = read(LOCK)
  const manifests = workspacesOf(lock).map((folder) => join(folder, "package.json"))
  return new Map([
    ...manifests.map((path) => [path, manifestAt(read(path), version)] as const),
    ...TEXTS.map((path) => [path, textAt(read(path), version)] as const).filter(([path, text]) => text !== read(path)),
    [LOCK, lockAt(lock, version)],
    [CHANGELOG, releaseChangelog(read(CHANGELOG), version, new Date().toISOString().slice(0, 10))],
  ])
}

function planOf(version: string, files: Iterable<string>): string {
  return [
    `Release ${version} would`,
    `- write the version into ${[...files].join(", ")}`,
    `- commit that as "release: ${version}"`,
    `- build and pack ${RELEASED.map((name) => `@keymoot/${name}`).join(", ")} into release/${version}, with an SBOM and SHA-256 hashes`,
    `- tag the commit as v${version}`,
    "",
    `Changes in ${version}:`,
    "",
    unreleased(read(CHANGELOG)),
  ].join("\n")
}

function nextSteps(version: string): string {
  const publish = RELEASED.map((name) => `  npm publish --access public --provenance keymoot-${name}-${version}.tgz`)
  return [
    `Release ${version} is in release/${version}. To publish it:`,
    `  git push origin ${BRANCH} v${version}`,
    "Then, in that directory, in a CI job with an OpenID Connect token (provenance needs one; elsewhere leave it out):",
    ...publish,
  ].join("\n")
}

function release(version: string, changes: ReadonlyMap<string, string>): void {
  for (const [path, text] of changes) writeFileSync(join(ROOT, path), text)
  git("commit", "--all", "--quiet", "--message", `release: ${version}`)
  // Behind the commit, which has the version that the app shows; before the tag, which stands for a release that could be built.
  try {
    makeArtifacts(join(ROOT, "release", version))
  } catch (error) {
    print('The build failed, and nothing is tagged. "git reset --hard HEAD~1" undoes the commit.')
    throw error
  }
  git("tag", "--annotate", `v${version}`, "--message", `Keymoot ${version}`)
  print(nextSteps(version))
}

const USAGE = "npm run release -- VERSION [--dry-run]\n\n--dry-run: says what it would do"
const { values, positionals } = fromCommandLine(USAGE, () =>
  parseArgs({ options: { "dry-run": { type: "boolean", default: false } }, allowPositionals: true }),
)
const [version = ""] = positionals
const problems = problemsOf(version)
if (problems.length > 0) {
  process.stderr.write(`${problems.join("\n")}\n`)
  process.exitCode = 1
} else {
  const changes = changesFor(version)
  if (values["dry-run"]) print(planOf(version, changes.keys()))
  else release(version, changes)
}
