import { useRef, useState } from "react"
import type { ClipboardEvent, DragEvent, ReactNode } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

/** In pixels of the window. */
type Point = { readonly x: number; readonly y: number }
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
  /** Position of the mouse on the board, at which a pasted picture lands. */
  const pointer = useRef<Point | null>(null)

  function onDrag(event: DragEvent): void {
    if (!event.dataTransfer.types.includes("Files")) return
    event.preventDefault()
    event.stopPropagation()
    if (mayShare) setOver(true)
    else event.dataTransfer.dropEffect = "none"
  }

  function take(event: DragEvent | ClipboardEvent, data: DataTransfer): void {
    setOver(false)
    const files = [...data.files]
    if (files.length === 0) return
    // Office programs copy a picture of the text beside it: the text is meant.
    if (event.type === "paste" && data.types.includes("text/plain")) return pasteText(event, data.getData("text/plain"))
    event.preventDefault()
    event.stopPropagation()
    if (!mayShare) return
    const taker = event.target instanceof Element && event.target.closest(".board") ? session.pictureTaker.get() : null
    const isForBoard = (file: File): boolean => taker !== null && file.type.startsWith("image/")
    const pictures = files.filter(isForBoard)
    if (pictures.length > 0) taker?.(pictures, "clientX" in event ? pointOf(event) : pointer.current)
    session.files.share(files.filter((file) => !isForBoard(file)))
  }

  return (
    <main
      className="stage"
      onPointerMoveCapture={(event) => {
        const isOnBoard = event.pointerType === "mouse" && event.target instanceof HTMLCanvasElement
        pointer.current = isOnBoard ? pointOf(event) : null
      }}
      onPointerLeave={() => (pointer.current = null)}
      onDragEnterCapture={onDrag}
      onDragOverCapture={onDrag}
      onDragLeave={(event) => !event.currentTarget.contains(event.relatedTarget as Node | null) && setOver(false)}
      onDropCapture={(event) => take(event, event.dataTransfer)}
      onPasteCapture={(event) => take(event, event.clipboardData)}
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

/** The board refuses text with a picture beside it, so it gets an event without the picture. A text field takes both. */
function pasteText(event: DragEvent | ClipboardEvent, text: string): void {
  const { target } = event
  if (!(target instanceof Element) || !target.closest(".board") || target.closest("input, textarea")) return
  event.stopPropagation()
  const clipboardData = {
    types: ["text/plain"],
    files: [],
    getData: (type: string) => (type === "text/plain" ? text : ""),
  }
  target.dispatchEvent(Object.assign(new Event("paste", { bubbles: true, cancelable: true }), { clipboardData }))
}

function pointOf({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): Point {
  return { x: clientX, y: clientY }
}
