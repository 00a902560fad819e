import { type DragEvent, type ReactNode, useEffect, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

/** In pixels of the window. */
type Point = { readonly x: number; readonly y: number }
/** `at` is null for a paste without the mouse on the board. */
type Drop = { readonly place: Element; readonly at: Point | null }
type FileDropProps = { readonly session: Session; readonly children: ReactNode }

/**
 * The part of the screen below the bar. Pictures that are dropped or pasted on the board go on it; everything else is
 * shared in the chat. In the capture phase: the board would take a picture into its own scene, where nobody else sees
 * it. A viewer, and the copy of a conference, take nothing. The page handles the event all the same: the browser would
 * open the file in its place.
 */
export function FileDrop({ session, children }: FileDropProps) {
  const { t } = useTranslation()
  const [over, setOver] = useState(false)
  const isViewer = useStore(session.view).members.some(({ self, role }) => self && role === "viewer")
  const mayShare = !isViewer && !session.handle.copyOnly
  const stage = useRef<HTMLElement>(null)
  /** Position of the mouse on the board, at which a pasted picture lands. */
  const pointer = useRef<Point | null>(null)

  function onDrag(event: DragEvent): void {
    if (!event.dataTransfer.types.includes("Files")) return
    event.preventDefault()
    event.stopPropagation()
    if (mayShare) setOver(true)
    else event.dataTransfer.dropEffect = "none"
  }

  function take(event: Pick<Event, "preventDefault" | "stopPropagation">, files: readonly File[], dropped: Drop): void {
    event.preventDefault()
    event.stopPropagation()
    if (!mayShare) return
    const taker = dropped.place.closest(".board") ? session.pictureTaker.get() : null
    const isForBoard = (file: File): boolean => taker !== null && file.type.startsWith("image/")
    const pictures = files.filter(isForBoard)
    if (pictures.length > 0) taker?.(pictures, dropped.at)
    session.files.share(files.filter((file) => !isForBoard(file)))
  }

  function onDrop(event: DragEvent): void {
    setOver(false)
    const files = [...event.dataTransfer.files]
    if (files.length > 0) take(event, files, { place: event.target as Element, at: pointOf(event) })
  }

  useEffect(() => {
    function onPaste(event: ClipboardEvent): void {
      const data = event.clipboardData
      const place = placeOfPaste(event, stage.current)
      if (data === null || data.files.length === 0 || place === null) return
      // Office programs copy a picture of the text beside it: the text is meant.
      if (data.types.includes("text/plain")) pasteText(event, place, data.getData("text/plain"))
      else take(event, [...data.files], { place, at: pointer.current })
    }
    document.addEventListener("paste", onPaste, { capture: true })
    return () => document.removeEventListener("paste", onPaste, { capture: true })
  })

  return (
    <main
      ref={stage}
      className="stage"
      onPointerMoveCapture={(event) => {
        const isOnBoard = event.pointerType === "mouse" && event.target instanceof HTMLCanvasElement
        pointer.current = isOnBoard ? pointOf(event) : null
      }}
      onPointerLeave={() => (pointer.current = null)}
      onDragEnterCapture={onDrag}
      onDragOverCapture={onDrag}
      onDragLeave={(event) => !event.currentTarget.contains(event.relatedTarget as Node | null) && setOver(false)}
      onDropCapture={onDrop}
    >
      {children}
      {over && mayShare && (
        <div className="drop-target" aria-hidden>
          <p>{t("files.drop")}</p>
          <p className="hint">
            {t("files.dropPicture")} {t("files.limit")}
          </p>
        </div>
      )}
    </main>
  )
}

/** Firefox pastes at the body when nothing is selected, as on the board. Null outside the stage, as in a dialog. */
function placeOfPaste({ target }: Event, stage: HTMLElement | null): Element | null {
  const isPlace = (place: unknown): place is Element => place instanceof Element && stage?.contains(place) === true
  return [target, document.activeElement].find(isPlace) ?? null
}

/** The board refuses text with a picture beside it, so it gets an event without the picture. A text field takes both. */
function pasteText(event: ClipboardEvent, place: Element, text: string): void {
  if (!place.closest(".board") || place.closest("input, textarea")) return
  event.stopPropagation()
  const clipboardData = {
    types: ["text/plain"],
    files: [],
    getData: (type: string) => (type === "text/plain" ? text : ""),
  }
  // The board listens there.
  document.dispatchEvent(Object.assign(new Event("paste", { cancelable: true }), { clipboardData }))
}

function pointOf({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): Point {
  return { x: clientX, y: clientY }
}
