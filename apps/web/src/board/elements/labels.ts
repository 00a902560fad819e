import type { BoardElement } from "./element.ts"
import { LABELLED_EXTENT_MAX } from "./limits.ts"
import { extentOf } from "./line.ts"

/**
 * Frees the labels of arrows that are too long for one, and do not name it any more. Excalidraw draws the text of a
 * container only where the container names it, so nobody would see these.
 * @param isChanged whether an element is new to the screen: only the labels that this concerns are checked
 */
export function freeLabels(
  elements: readonly BoardElement[],
  isChanged: (id: string) => boolean = () => true,
): readonly BoardElement[] {
  const containers = new Set<string>()
  for (const element of elements) {
    const container = containerOf(element)
    if (container !== null && (isChanged(element.id) || isChanged(container))) containers.add(container)
  }
  const bare = new Set<string | null>()
  for (const element of elements) if (containers.has(element.id) && isBare(element)) bare.add(element.id)
  if (bare.size === 0) return elements
  return elements.map((element) => (bare.has(containerOf(element)) ? { ...element, containerId: null } : element))
}

function containerOf(element: BoardElement): string | null {
  return element.type === "text" ? element.containerId : null
}

function isBare(element: BoardElement): boolean {
  if (!("points" in element) || element.boundElements?.some(({ type }) => type === "text")) return false
  return extentOf(element.points) > LABELLED_EXTENT_MAX
}
