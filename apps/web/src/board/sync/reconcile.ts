import { generateKeyBetween } from "fractional-indexing"
import type { BoardElement } from "../elements/element.ts"
import { bindLabels } from "../elements/labels.ts"

type Versioned = { readonly version: number; readonly versionNonce: number }

/** Excalidraw's rule: the higher version wins; among equal versions the lower nonce, so that all members choose the same. */
export function isNewer(a: Versioned, b: Versioned): boolean {
  return a.version !== b.version ? a.version > b.version : a.versionNonce < b.versionNonce
}

export function isSameVersion(a: Versioned, b: Versioned): boolean {
  return a.version === b.version && a.versionNonce === b.versionNonce
}

/**
 * The scene with `incoming` in it, in drawing order (index, then id). Elements without a valid index are put on top, and
 * labels are bound, except those in `editing`. Their version does not change: this applies to this screen only and is
 * not sent.
 */
export function merge(
  scene: readonly BoardElement[],
  incoming: readonly BoardElement[],
  editing: ReadonlySet<string>,
): BoardElement[] {
  const byId = new Map(scene.map((element) => [element.id, element]))
  for (const element of incoming) byId.set(element.id, element)
  const all = bindLabels([...byId.values()], editing)
  const placed = all.filter((element) => element.index !== null).sort(inDrawingOrder)
  const unplaced = all.filter((element) => element.index === null).sort((a, b) => (a.id < b.id ? -1 : 1))
  let top: string | null = placed.at(-1)?.index ?? null
  for (const element of unplaced) {
    top = generateKeyBetween(top, null)
    placed.push({ ...element, index: top as BoardElement["index"] })
  }
  return placed
}

function inDrawingOrder(a: BoardElement, b: BoardElement): number {
  if (a.index !== b.index) return a.index < b.index ? -1 : 1
  return a.id < b.id ? -1 : 1
}
