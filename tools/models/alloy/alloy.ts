import { execFileSync, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Prover, RUN_MS_MAX } from "../prover.ts"

const VERSION = "6.2.0"
const SHA256 = "6037cbeee0e8423c1c468447ed10f5fcf2f2743a2ffc39cb1c81f2905c0fdb9d"
const CACHE = join(import.meta.dirname, "../../../node_modules/.cache/keymoot")
const JAR = join(CACHE, `org.alloytools.alloy.dist-${VERSION}.jar`)
const COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"
/** Pure Java. Native solvers are faster, and there is one for each platform or none. */
const SOLVER = "sat4j"

/** By command: the instance found, which is a counterexample of a `check`. */
type Receipt = { readonly commands: Readonly<Record<string, { readonly solution?: unknown }>> }

/** Alloy's analyzer searches all instances up to a size for one that breaks a statement. */
export const alloy: Prover = {
  extension: ".als",
  missing() {
    if (spawnSync("java", ["-version"]).error) return "Java is not installed."
    if (!existsSync(JAR)) {
      mkdirSync(CACHE, { recursive: true })
      const artifact = `-Dartifact=org.alloytools:org.alloytools.alloy.dist:${VERSION}`
      const { error, status } = spawnSync("mvn", ["-q", "-B", COPY, artifact, `-DoutputDirectory=${CACHE}`], {
        cwd: CACHE,
      })
      if (error) return "Maven, which fetches Alloy, is not installed."
      if (status !== 0) return "Maven could not fetch Alloy."
    }
    const hash = createHash("sha256").update(readFileSync(JAR)).digest("hex")
    if (hash !== SHA256) throw new Error(`${JAR} has the hash ${hash}, not that of Alloy ${VERSION}`)
    return null
  },
  version: () => `Alloy ${VERSION}`,
  run({ lemmas }, text, asked) {
    const directory = mkdtempSync(join(tmpdir(), "keymoot-model-"))
    try {
      writeFileSync(join(directory, "model.als"), text)
      const wanted = lemmas.filter(({ name }) => asked.includes(name))
      return new Map(
        wanted.map(({ name, kind }) => {
          const isFound = findsInstance(directory, name)
          return [name, isFound === (kind === "reachable") ? "holds" : "fails"]
        }),
      )
    } finally {
      rmSync(directory, { recursive: true })
    }
  },
}

function findsInstance(directory: string, command: string): boolean {
  const options = ["-f", "-q", "-t", "none", "-s", SOLVER, "-o", "out", "-c", command]
  execFileSync("java", ["-jar", JAR, "exec", ...options, "model.als"], {
    cwd: directory,
    timeout: RUN_MS_MAX,
    stdio: "pipe",
  })
  const { commands } = JSON.parse(readFileSync(join(directory, "out/receipt.json"), "utf8")) as Receipt
  const ran = commands[command]
  if (!ran) throw new Error(`there is no command ${command}`)
  return ran.solution !== undefined
}
