import { CaptureUpdateAction, exportToCanvas, newElementWith, restoreElements } from "@excalidraw/excalidraw"
import type { ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types"

type Element = ReturnType<ExcalidrawImperativeAPI["getSceneElements"]>[number]

/** The fonts of the three buttons for new texts: some 150 kB. */
const FAMILIES = new Set(["Excalifont", "Nunito", "Comic Shanns"])
/** Timeout after which the board opens without them. */
const FONTS_WAIT_MS = 5000
/** My texts that are measured again; older ones keep their size. */
const TEXTS_MAX = 500

/**
 * Loads the fonts before the board opens. Excalidraw measures a text while it is typed and keeps that size. A text
 * typed in a fallback font would stay cut off for everybody.
 */
export async function loadFonts(): Promise<void> {
  // Excalidraw registers its fonts with the page at an export, even of nothing.
  await exportToCanvas({ elements: [], files: null })
  const faces = [...document.fonts].filter(({ family }) => FAMILIES.has(family.replaceAll('"', "")))
  const loading = Promise.allSettled(faces.map((face) => face.load()))
  await Promise.race([loading, new Promise((resolve) => setTimeout(resolve, FONTS_WAIT_MS))])
}

/** For fonts that load too late (slow ones and other scripts): measures the texts written here meanwhile again. */
export function measureWhenFontsCome(api: ExcalidrawImperativeAPI) {
  const written = new Set<string>()
  let frame: number | null = null

  function noteEdited(id: string): void {
    written.delete(id)
    written.add(id)
    for (const oldest of written) if (written.size > TEXTS_MAX) written.delete(oldest)
  }

  function fontsCame(): void {
    // Excalidraw discards its own measurements in this event, too.
    frame ??= requestAnimationFrame(() => {
      frame = null
      measureAnew(api, written)
    })
  }

  document.fonts.addEventListener("loadingdone", fontsCame)
  return {
    noteEdited,
    close: () => {
      document.fonts.removeEventListener("loadingdone", fontsCame)
      if (frame !== null) cancelAnimationFrame(frame)
    },
  }
}

function measureAnew(api: ExcalidrawImperativeAPI, ids: ReadonlySet<string>): void {
  const elements = api.getSceneElementsIncludingDeleted()
  const editing = api.getAppState().editingTextElement?.id
  const textOf = (element: Element) =>
    element.type === "text" && ids.has(element.id) && element.id !== editing && !element.isDeleted ? element : null
  // With the lines as typed: they may wrap elsewhere now.
  const unwrapped = elements.map((element) => {
    const text = textOf(element)
    return text === null ? element : { ...text, text: text.originalText }
  })
  // Excalidraw measures only while it repairs bindings; its other repairs are discarded.
  const measured = restoreElements(unwrapped, null, { refreshDimensions: true, repairBindings: true })
  const byId = new Map(measured.map((element) => [element.id, element]))
  const next = elements.map((element) => {
    const anew = byId.get(element.id)
    const text = textOf(element)
    if (text === null || anew?.type !== "text") return element
    // Returns the same object if nothing differs.
    return newElementWith(text, { x: anew.x, y: anew.y, width: anew.width, height: anew.height, text: anew.text })
  })
  if (next.some((element, index) => element !== elements[index]))
    api.updateScene({ elements: next, captureUpdate: CaptureUpdateAction.NEVER })
}
