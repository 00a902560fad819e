import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const VERIFIER = fileURLToPath(new URL("../../../../tools/verifier/verify.py", import.meta.url))
/** The system's Python comes first: its packages come from the distribution. */
const CANDIDATES = ["/usr/bin/python3", "python3"]

/** A Python that has the verifier's library, or null. */
export function pythonWithCryptography(): string | null {
  const has = (python: string): boolean => spawnSync(python, ["-c", "import cryptography"]).status === 0
  return CANDIDATES.find(has) ?? null
}

/** Runs tools/verifier. `lines`: what it printed. */
export function runVerifier(python: string, ...given: readonly string[]): { passed: boolean; lines: string[] } {
  const { status, stdout, stderr } = spawnSync(python, ["-B", VERIFIER, ...given], { encoding: "utf8" })
  if (stderr !== "") throw new Error(stderr)
  return { passed: status === 0, lines: stdout.trim().split("\n") }
}
