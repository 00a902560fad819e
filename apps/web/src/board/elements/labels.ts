import type { BoardElement } from "./element.ts"

/**
 * Makes each text a label exactly where its arrow names it. Excalidraw draws the text of a container only where the
 * container names it first, so nobody would see others. An arrow loses the name when it is too long for a label, or
 * when somebody whose whiteboard had no name moves it. A later version may name the text again.
 *
 * Texts in `editing` stay as they are. At the end Excalidraw adds the name to the container that the text has by then.
 */
export function bindLabels(
  elements: readonly BoardElement[],
  editing: ReadonlySet<string> = new Set(),
): readonly BoardElement[] {
  const labelOf = new Map<string | null, string | null>()
  const arrowOf = new Map<string, string>()
  for (const element of elements) {
    if (!("points" in element) || element.isDeleted) continue
    const label = element.boundElements?.find(({ type }) => type === "text")?.id ?? null
    labelOf.set(element.id, label)
    if (label !== null) arrowOf.set(label, element.id)
  }
  return elements.map((element) => {
    if (element.type !== "text" || editing.has(element.id)) return element
    const { id, containerId } = element
    const label = labelOf.get(containerId)
    // A box holds it, or its own arrow.
    if (containerId !== null && (label === undefined || label === id)) return element
    const arrow = arrowOf.get(id) ?? null
    return arrow === containerId ? element : { ...element, containerId: arrow }
  })
}
