import { CaptureUpdateAction, exportToCanvas, newElementWith, restoreElements } from "@excalidraw/excalidraw"
import type { ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types"

type Element = ReturnType<ExcalidrawImperativeAPI["getSceneElements"]>[number]

/** What the three buttons for fonts give to a new text: some 150 kB. */
const FAMILIES = new Set(["Excalifont", "Nunito", "Comic Shanns"])
/** Later than this the board opens without them. */
const FONTS_WAIT_MS = 5000
/** Texts of mine that are measured anew; older ones are as they are. */
const TEXTS_MAX = 500

/**
 * Excalidraw measures a text while it is typed and keeps that size, so what is typed in a fallback font would stay cut
 * off for everybody: the fonts come before the board opens.
 */
export async function loadFonts(): Promise<void> {
  // Excalidraw makes its fonts known to the page when it exports something, be it nothing.
  await exportToCanvas({ elements: [], files: null })
  const faces = [...document.fonts].filter(({ family }) => FAMILIES.has(family.replaceAll('"', "")))
  const loading = Promise.allSettled(faces.map((face) => face.load()))
  await Promise.race([loading, new Promise((resolve) => setTimeout(resolve, FONTS_WAIT_MS))])
}

/** For fonts that come too late all the same, slow ones and other scripts: measures anew what was written here meanwhile. */
export function measureWhenFontsCome(api: ExcalidrawImperativeAPI) {
  const written = new Set<string>()
  let frame: number | null = null

  function noteEdited(id: string): void {
    written.delete(id)
    written.add(id)
    for (const oldest of written) if (written.size > TEXTS_MAX) written.delete(oldest)
  }

  function fontsCame(): void {
    // Excalidraw forgets its own measurements in this event, too.
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
  // With the lines as they were typed: they may wrap elsewhere now.
  const unwrapped = elements.map((element) => {
    const text = textOf(element)
    return text === null ? element : { ...text, text: text.originalText }
  })
  // Excalidraw measures only while it repairs bindings; what else it repairs is not taken over.
  const measured = restoreElements(unwrapped, null, { refreshDimensions: true, repairBindings: true })
  const byId = new Map(measured.map((element) => [element.id, element]))
  const next = elements.map((element) => {
    const anew = byId.get(element.id)
    const text = textOf(element)
    if (text === null || anew?.type !== "text") return element
    // The same object comes back if nothing differs.
    return newElementWith(text, { x: anew.x, y: anew.y, width: anew.width, height: anew.height, text: anew.text })
  })
  if (next.some((element, index) => element !== elements[index]))
    api.updateScene({ elements: next, captureUpdate: CaptureUpdateAction.NEVER })
}
