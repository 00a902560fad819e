import type { BoardElement } from "./element.ts"

/** Excalidraw draws a label in these only. */
const CONTAINERS: ReadonlySet<string> = new Set(["rectangle", "diamond", "ellipse", "arrow"])

/**
 * Makes each text a label exactly where its container names it: an arrow or a shape. Excalidraw draws the text of a
 * container only where the container names it first, so nobody would see others. An arrow loses the name when it is too
 * long for a label. Any container loses it when somebody whose whiteboard had no name moves it. A later version may name
 * the text again.
 *
 * Texts in `editing` stay as they are. At the end Excalidraw adds the name to the container that the text has by then.
 */
export function bindLabels(
  elements: readonly BoardElement[],
  editing: ReadonlySet<string> = new Set(),
): readonly BoardElement[] {
  const labelOf = new Map<string | null, string | null>()
  const containerOf = new Map<string, string>()
  for (const element of elements) {
    if (element.isDeleted) continue
    const named = element.boundElements?.find(({ type }) => type === "text")?.id
    const label = (CONTAINERS.has(element.type) && named) || null
    labelOf.set(element.id, label)
    if (label !== null) containerOf.set(label, element.id)
  }
  return elements.map((element) => {
    if (element.type !== "text" || editing.has(element.id)) return element
    const { id, containerId } = element
    const label = labelOf.get(containerId)
    // Excalidraw draws the text of a missing container as a free one.
    if (containerId !== null && (label === undefined || label === id)) return element
    const container = containerOf.get(id) ?? null
    return container === containerId ? element : { ...element, containerId: container }
  })
}
