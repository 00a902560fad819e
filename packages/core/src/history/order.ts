/** The order of items. Apart from `log-item.ts`, so that pages need not load its codecs. */
import type { Position } from "./log-item.ts"

/** By epoch, view, sequence: one order at all members. */
export function comparePositions(a: Position, b: Position): number {
  return a.epoch - b.epoch || compareText(a.view, b.view) || a.sequence - b.sequence
}

export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
