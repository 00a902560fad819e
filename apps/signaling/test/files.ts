import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"

/** A directory that goes away with the test. */
export function freshDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "keymoot-"))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
