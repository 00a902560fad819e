/** `npm run release`, on a clone: nothing here touches this repository. */
import { execFileSync, spawnSync } from "node:child_process"
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync } from "node:fs"
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { hashesOf } from "./artifacts.ts"
import { differingPackages } from "./installed-packages.ts"
import { sbom } from "./sbom.ts"
import { lockAt, manifestAt, workspacesOf } from "./versions.ts"

const ROOT = join(import.meta.dirname, "../..")
const CHANGELOG = "# Changelog\n\nAll changes.\n\n## Unreleased\n\n- Something new.\n\n## 0.1.0\n\n- All of it.\n"

const directory = mkdtempSync(join(tmpdir(), "keymoot-release-"))
const clone = join(directory, "clone")
let commit: string
afterAll(() => rmSync(directory, { recursive: true }))

const git = (...args: readonly string[]) =>
  execFileSync("git", args, { cwd: clone, encoding: "utf8", stdio: "pipe" }).trim()
const write = (path: string, text: string) => writeFileSync(join(clone, path), text)
const read = (path: string) => readFileSync(join(clone, path), "utf8")
/** Files that a release could change. */
const stateOf = () => [git("status", "--porcelain", "--ignored"), git("rev-parse", "HEAD"), git("tag", "--list")]

function release(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["tools/release/main.ts", ...args], {
    cwd: clone,
    encoding: "utf8",
  })
  return { status, stdout, stderr }
}

beforeAll(() => {
  // The files as they are here, committed or not, in a repository of their own.
  const args = ["ls-files", "--cached", "--others", "--exclude-standard"]
  const files = execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim().split("\n")
  for (const file of files) cpSync(join(ROOT, file), join(clone, file))
  for (const folder of workspacesOf(read("package-lock.json"))) {
    const modules = join(ROOT, folder, "node_modules")
    if (existsSync(modules)) symlinkSync(modules, join(clone, folder, "node_modules"))
  }
  git("init", "--quiet", "--initial-branch=main")
  git("config", "user.name", "Test")
  git("config", "user.email", "test@keymoot.example")
  write(".git/info/exclude", "node_modules\n")
  write("package.json", read("package.json").replace("git.example", "git.test"))
  write("CHANGELOG.md", CHANGELOG)
  git("add", "--all")
  git("commit", "--quiet", "--message", "Ready")
  commit = git("rev-parse", "HEAD")
})
beforeEach(() => {
  git("switch", "--quiet", "--force", "main")
  git("reset", "--quiet", "--hard", commit)
  git("clean", "--quiet", "--force")
})

test("a dry run says what it would do, and changes nothing", () => {
  const before = stateOf()
  const { status, stdout, stderr } = release("7.8.9", "--dry-run")
  expect(stderr).toBe("")
  expect(status).toBe(0)
  expect(stateOf()).toEqual(before)
  for (const line of [
    "packages/core/package.json",
    "package-lock.json",
    "@keymoot/server",
    "v7.8.9",
    "- Something new.",
  ]) {
    expect(stdout).toContain(line)
  }
})

test.each<readonly [string, RegExp, string, () => void]>([
  ["a changed file", /working tree has changes/u, "7.8.9", () => write("README.md", "Changed")],
  ["another branch", /Releases are made on main/u, "7.8.9", () => void git("switch", "--quiet", "--create", "other")],
  ["a used version", /The tag v7\.8\.9 exists/u, "7.8.9", () => void git("tag", "v7.8.9")],
  ["no version", /is no version above/u, "", () => undefined],
  ["a lower version", /0\.0\.9 is no version above/u, "0.0.9", () => undefined],
  [
    "an empty changelog",
    /nothing under "Unreleased"/u,
    "7.8.9",
    () => commitChange("CHANGELOG.md", /- Something new\.\n/u, ""),
  ],
  [
    "a placeholder repository",
    /is a placeholder/u,
    "7.8.9",
    () => commitChange("package.json", "git.test", "git.example"),
  ],
  [
    "other packages than the lock file has",
    /node_modules differs from package-lock\.json in node_modules\/react: run "npm ci"/u,
    "7.8.9",
    () => commitChange("package-lock.json", /(?<="node_modules\/react": \{[^}]*"integrity": "sha512-)./u, "!"),
  ],
])("a release refuses %s, dry or not", (_, reason, version, prepare) => {
  prepare()
  const before = stateOf()
  for (const args of [[version, "--dry-run"], [version]]) {
    const { status, stderr } = release(...args)
    expect(status).toBe(1)
    expect(stderr).toMatch(reason)
    expect(stderr.trim().split("\n")).toHaveLength(1)
  }
  expect(stateOf()).toEqual(before)
  git("tag", "--list")
    .split("\n")
    .filter(Boolean)
    .forEach((tag) => git("tag", "--delete", tag))
})

test("a release whose build fails has its commit, and no tag", () => {
  commitChange("package.json", /"build:web": "[^"]*"/u, '"build:web": "exit 3"')
  const { status, stdout } = release("7.8.9")
  expect(status).toBe(1)
  expect(stdout).toContain("nothing is tagged")
  expect(git("tag", "--list")).toBe("")
  expect(git("log", "-1", "--format=%s")).toBe("release: 7.8.9")
  expect(read("CHANGELOG.md")).toMatch(/^## Unreleased\n\n## 7\.8\.9 \(\d{4}-\d\d-\d\d\)\n\n- Something new\.$/mu)
  expect(JSON.parse(read("packages/core/package.json"))).toMatchObject({
    version: "7.8.9",
    dependencies: { "@keymoot/gke": "7.8.9", "@noble/hashes": expect.not.stringContaining("7.8.9") },
  })
  git("reset", "--quiet", "--hard", "HEAD~1")
})

test("the commands of the READMEs name the version of the release", () => {
  commitChange("package.json", /"build:web": "[^"]*"/u, '"build:web": "exit 3"')
  release("7.8.9")
  const named = [...statedIn(clone)]
  expect(named).toEqual(named.map(([path]) => [path, "7.8.9"]))
  expect(named.map(([path]) => path)).toContain("packages/verify-site/README.md")
})

test("no text for people names another version than the manifest", () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string }
  const named = [...statedIn(ROOT)]
  expect(named).toEqual(named.map(([path]) => [path, version]))
  expect(named.length).toBeGreaterThan(1)
})

/** Versions of packages that texts name, with their files. Releases of the past stay in the changelog and the decisions. */
function* statedIn(folder: string): Iterable<readonly [string, string]> {
  const files = globSync(["README.md", "docs/*.md", "packages/*/README.md", "examples/*/README.md"], { cwd: folder })
  for (const path of files) {
    for (const [, version] of readFileSync(join(folder, path), "utf8").matchAll(/@keymoot\/[\w-]+@(\d[\w.-]*)/gu))
      yield [path, version!]
  }
}

test("every workspace gets the version, and asks for no other one of the others", () => {
  const lock = readFileSync(join(ROOT, "package-lock.json"), "utf8")
  const { packages } = JSON.parse(lockAt(lock, "7.8.9")) as { packages: Record<string, Record<string, unknown>> }
  expect(workspacesOf(lock)).toContain("apps/web")
  for (const folder of workspacesOf(lock)) {
    const manifest = JSON.parse(manifestAt(readFileSync(join(ROOT, folder, "package.json"), "utf8"), "7.8.9"))
    for (const key of ["version", "dependencies", "devDependencies"]) {
      expect([folder, manifest[key]]).toEqual([folder, packages[folder]![key]])
    }
    expect([folder, manifest.version]).toEqual([folder, "7.8.9"])
  }
})

/** Makes a folder with packages as npm installs them, with the versions in the lock file, in npm's record and on the disk. */
function installed(versions: Readonly<Record<string, readonly (string | null)[]>>): string {
  const root = mkdtempSync(join(directory, "installed-"))
  const lockOf = (place: number) => {
    const entries = Object.entries(versions).map(([name, of]) => [`node_modules/${name}`, of[place]] as const)
    const packages = entries.map(([path, version]) => [path, { version, integrity: `sha512-${version}` }] as const)
    return JSON.stringify({ packages: Object.fromEntries(packages.filter(([, { version }]) => version !== null)) })
  }
  mkdirSync(join(root, "node_modules"))
  writeFileSync(join(root, "package-lock.json"), lockOf(0))
  writeFileSync(join(root, "node_modules/.package-lock.json"), lockOf(1))
  for (const [name, [, , version]] of Object.entries(versions)) {
    mkdirSync(join(root, "node_modules", name))
    writeFileSync(join(root, "node_modules", name, "package.json"), JSON.stringify({ version }))
  }
  return root
}

test("a release names each package that is not installed as locked", () => {
  const root = installed({
    same: ["1.0.0", "1.0.0", "1.0.0"],
    older: ["1.0.1", "1.0.0", "1.0.0"],
    missing: ["1.0.0", null, null],
    added: [null, "1.0.0", "1.0.0"],
    replaced: ["1.0.0", "1.0.0", "1.0.1"],
  })
  const names = ["older", "missing", "replaced", "added"]
  expect(differingPackages(root)).toEqual(names.map((name) => `node_modules/${name}`))
  rmSync(join(root, "node_modules/.package-lock.json"))
  expect(differingPackages(root)).toContain("node_modules/same")
})

test("the SBOM names what is shipped, and no tool of development", () => {
  const { bomFormat, components } = JSON.parse(sbom()) as { bomFormat: string; components: { "bom-ref": string }[] }
  const names = components.map((component) => component["bom-ref"].replace(/@[^@]*$/u, ""))
  expect(bomFormat).toBe("CycloneDX")
  expect(names).toEqual(
    expect.arrayContaining(["@excalidraw/excalidraw", "react", "socket.io", "libsodium-wrappers-sumo"]),
  )
  expect(names).not.toContain("vitest")
})

test("the hashes stand as sha256sum prints them", () => {
  const files = mkdtempSync(join(directory, "files-"))
  for (const name of ["b.tgz", "SHA256SUMS", "a.tgz"]) writeFileSync(join(files, name), name)
  expect(hashesOf(files)).toBe(
    "dc45e5a661fe96108c8215afe4ad577ced4a36253ed6d713a824889c143efc53  a.tgz\n" +
      "f5829ec690168a1a69a537119d39ce9fdd1dc6d84f01cf98715f27a8513ba6b7  b.tgz\n",
  )
})

function commitChange(path: string, from: string | RegExp, to: string): void {
  expect(read(path)).toMatch(from)
  write(path, read(path).replace(from, to))
  git("commit", "--quiet", "--all", "--message", "Change")
}
