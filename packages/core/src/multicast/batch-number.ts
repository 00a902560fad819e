import type { BatchService } from "./associated-data.ts"

/** The group numbers unreliable messages separately from the others, up to 2^32 each. */
const UNRELIABLE_FIRST = 2 ** 32

/** Number of a sender's batch in its epoch, unique over all services. Unreliable ones have the numbers from 2^32 on. */
export function batchNumber(service: BatchService, sequence: number): number {
  return service === "unreliable" ? UNRELIABLE_FIRST + sequence : sequence
}

export type BatchLane = "kept" | "unreliable"

/** Returns which of a sender's two sequences a number belongs to. Each ascends by itself. */
export function laneOf(number: number): BatchLane {
  return number < UNRELIABLE_FIRST ? "kept" : "unreliable"
}
