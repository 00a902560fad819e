import { appendFileSync } from "node:fs"
import type { TraceEvent } from "@keymoot/transport/testing"

/** A run of hundreds of members is longer than any string can be. */
const CHUNK_CHARACTERS = 1024 * 1024

/** One event a line, in order of virtual time. */
export function writeTrace(file: number, trace: readonly TraceEvent[]): void {
  let chunk = ""
  for (const event of trace) {
    chunk += `${JSON.stringify(event)}\n`
    if (chunk.length < CHUNK_CHARACTERS) continue
    appendFileSync(file, chunk)
    chunk = ""
  }
  appendFileSync(file, chunk)
}
