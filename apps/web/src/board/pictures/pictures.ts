import {
  CaptureUpdateAction,
  convertToExcalidrawElements,
  newElementWith,
  viewportCoordsToSceneCoords,
} from "@excalidraw/excalidraw"
import type { ExcalidrawElement, FileId } from "@excalidraw/excalidraw/element/types"
import type { BinaryFileData, ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types"
import type { SharedDocument } from "@keymoot/core"
import { openPicture } from "../../files/openPicture.ts"
import { drawInTurn } from "../../files/turns.ts"
import { NO_PICTURES, type PictureNews, type PictureRefusal, type PictureTaker } from "../../session/pictures.ts"
import type { Session } from "../../session/session.ts"
import { blobOfDataUrl, dataUrlOf } from "./dataUrl.ts"
import { drawnPicture, type DrawnPicture } from "./drawnPicture.ts"
import { fetchPictures, type PictureSources } from "./fetchPictures.ts"
import { PICTURE_SOURCE_BYTES_MAX } from "../elements/limits.ts"
import { boxAround } from "../file/boxes.ts"
import { type Box, freePlace } from "../file/placing.ts"
import { isSharedPicture } from "../elements/picture.ts"
import { pictureBudget } from "./pictureBudget.ts"

/** In the board's document: ticket and owner of each picture's file, by the file's id. The id is bound to both. */
export const PICTURES_MAP = "pictures"
/** The scene changes with every movement of the pen; the interval between searches for missing pictures. */
const LOOK_INTERVAL_MS = 250
/** The largest part of the visible board that a new picture covers. */
const SHARE_OF_VIEW = 0.6

export type Pictures = {
  readonly insert: PictureTaker
  /** Shares a picture with all; returns its file's id, or null if it is not a picture. */
  share(source: Blob): Promise<string | null>
  /** No element will show this shared picture: its place is free for another one. */
  giveUp(id: string): void
  /** Cheap enough for every pointer event. */
  sceneChanged(): void
  close(): void
}

/**
 * Pictures on the board. An element names a file of the conference. Its ticket is in the board's document, so newcomers
 * get it with the document. The content comes from any member that has it. A picture is shown only after `openPicture`
 * has decoded it.
 */
export function sharePictures(session: Session, board: SharedDocument, api: ExcalidrawImperativeAPI): Pictures {
  const tickets = board.doc.getMap<unknown>(PICTURES_MAP)
  const closing = new AbortController()
  /** New ids of pictures that were copied from another board; null while one is being shared. The budget bounds them. */
  const adopted = new Map<string, string | null>()
  let timer: ReturnType<typeof setTimeout> | null = null

  const tell = (changed: Partial<PictureNews>): void => {
    const before = session.pictures.get()
    const isNews = (Object.keys(changed) as (keyof PictureNews)[]).some((field) => changed[field] !== before[field])
    if (isNews && !closing.signal.aborted) session.pictures.set({ ...before, ...changed })
  }

  const budget = pictureBudget(() => session.view.get().members.map(({ id }) => id))
  const sources: PictureSources = {
    open: (ticket, owner) => session.handle.files.open(ticket, owner),
    authorOf: (id) => board.authorOf(tickets, id)?.id ?? null,
    bring: (file) => session.files.bring(file),
    stateOf: (id) => session.files.states.get().get(id),
    show,
    tell,
    onInvalid: () => closing.signal.aborted || session.report("invalid-content", null, 1),
  }
  const fetched = fetchPictures(sources, budget)

  // Mine

  async function offer({ content }: DrawnPicture): Promise<string> {
    const name = content.type === "image/jpeg" ? "picture.jpg" : "picture.png"
    const file = await session.handle.files.offer(content, { name, type: content.type, signal: closing.signal })
    fetched.has(file)
    tickets.set(file.id, { ticket: file.ticket, owner: file.owner })
    api.addFiles([await dataOf(file.id, content)])
    return file.id
  }

  /** Reports the reason if that fails. */
  async function prepare(source: Blob): Promise<(DrawnPicture & { readonly id: string }) | null> {
    const refuse = (refused: PictureRefusal): null => {
      tell({ refused })
      return null
    }
    if (source.size > PICTURE_SOURCE_BYTES_MAX) return refuse("tooLarge")
    const release = session.holdUnsent()
    tell({ adding: session.pictures.get().adding + 1 })
    try {
      const drawn = await drawnPicture(source)
      if (drawn === null) return refuse("notAPicture")
      fetched.onBoard(shownIds())
      // The others divide their places in the same way: they would not show it.
      if (!budget.hasRoom(session.handle.self.id, drawn.content.size)) return refuse("tooMany")
      return { ...drawn, id: await offer(drawn) }
    } catch {
      return refuse("failed")
    } finally {
      tell({ adding: session.pictures.get().adding - 1 })
      release()
    }
  }

  async function insert(files: readonly File[], at: { readonly x: number; readonly y: number } | null): Promise<void> {
    tell({ refused: null })
    const added: ExcalidrawElement[] = []
    for (const file of files) {
      const picture = await prepare(file)
      if (picture === null || closing.signal.aborted) continue
      added.push(...convertToExcalidrawElements([{ type: "image", status: "saved", ...placed(picture, at) }]))
      // As my own work: I can undo it.
      api.updateScene({
        elements: [...api.getSceneElementsIncludingDeleted(), added.at(-1)!],
        appState: { selectedElementIds: Object.fromEntries(added.map(({ id }) => [id, true as const])) },
        captureUpdate: CaptureUpdateAction.IMMEDIATELY,
      })
    }
    if (added.some((element) => !isInView(boxAround([element])))) api.scrollToContent(added, { fitToContent: true })
  }

  /** At the pointer, where it covers no other picture; without one in free space near the middle of the view. */
  function placed(
    picture: DrawnPicture & { readonly id: string },
    at: { readonly x: number; readonly y: number } | null,
  ) {
    const state = api.getAppState()
    const { width, height, zoom, offsetLeft, offsetTop } = state
    const scale = Math.min(
      1,
      (SHARE_OF_VIEW * width) / zoom.value / picture.width,
      (SHARE_OF_VIEW * height) / zoom.value / picture.height,
    )
    const size = { width: picture.width * scale, height: picture.height * scale }
    const place = at ?? { x: offsetLeft + width / 2, y: offsetTop + height / 2 }
    const middle = viewportCoordsToSceneCoords({ clientX: place.x, clientY: place.y }, state)
    const wanted = { ...size, x: middle.x - size.width / 2, y: middle.y - size.height / 2 }
    const present = api.getSceneElements().filter(({ type }) => at === null || type === "image")
    const others = present.map((element) => boxAround([element]))
    return { ...size, ...freePlace(wanted, others), fileId: picture.id as FileId }
  }

  function isInView({ x, y, width, height }: Box): boolean {
    const { scrollX, scrollY, zoom, ...view } = api.getAppState()
    const [left, top] = [-scrollX, -scrollY]
    const [right, bottom] = [left + view.width / zoom.value, top + view.height / zoom.value]
    return x >= left && y >= top && x + width <= right && y + height <= bottom
  }

  /** A picture pasted from another board is known only to this page. */
  async function adopt(fileId: string, { dataURL }: BinaryFileData): Promise<void> {
    const known = adopted.get(fileId)
    if (known === null) return
    adopted.set(fileId, null)
    const source = blobOfDataUrl(dataURL)
    const id = known ?? (source && (await prepare(source))?.id) ?? null
    if (id === null) adopted.delete(fileId)
    else adopted.set(fileId, id)
    if (closing.signal.aborted) return
    const change = id === null ? { isDeleted: true } : { fileId: id as FileId, status: "saved" as const }
    const elements = api
      .getSceneElementsIncludingDeleted()
      .map((element) =>
        element.type === "image" && element.fileId === fileId ? newElementWith(element, change) : element,
      )
    api.updateScene({ elements, captureUpdate: CaptureUpdateAction.NEVER })
    if (id !== null && !shownIds().has(id)) budget.giveUp(id)
  }

  /**
   * Names of other boards of Keymoot have the same format. A picture that this page has shown stays one of this board,
   * so that deleted tickets do not make all pages share it anew.
   */
  function isOfThisBoard(fileId: string): boolean {
    return isSharedPicture(fileId) && (tickets.has(fileId) || fetched.isKnown(fileId))
  }

  // Those of others

  /** Files of the elements that are not deleted. */
  function shownIds(): ReadonlySet<string> {
    return new Set(
      api.getSceneElements().flatMap((element) => (element.type === "image" ? (element.fileId ?? []) : [])),
    )
  }

  function look(): void {
    timer = null
    const here = api.getFiles()
    for (const element of api.getSceneElements()) {
      if (element.type !== "image" || element.fileId === null) continue
      const { fileId } = element
      const local = here[fileId]
      if (local !== undefined) {
        if (!isOfThisBoard(fileId)) void adopt(fileId, local)
      } else if (isSharedPicture(fileId)) fetched.want(fileId, tickets.get(fileId))
    }
    fetched.onBoard(shownIds())
    fetched.count()
  }

  /** Whether it is a picture. */
  async function show(id: string, claimed: Blob): Promise<boolean> {
    const picture = await drawInTurn(() => openPicture(claimed))
    if (picture === null) return false
    picture.bitmap.close()
    const data = await dataOf(id, picture.content)
    if (!closing.signal.aborted) api.addFiles([data])
    return true
  }

  function lookSoon(): void {
    timer ??= setTimeout(look, LOOK_INTERVAL_MS)
  }

  const unsubscribes = [
    session.files.states.subscribe(fetched.count),
    session.view.subscribe(() => session.view.get().status === "secured" && fetched.lookForMissing()),
  ]
  tickets.observe(lookSoon)
  lookSoon()
  return {
    insert: (files, at) => void insert(files, at),
    share: async (source) => (await prepare(source))?.id ?? null,
    giveUp: budget.giveUp,
    sceneChanged: lookSoon,
    close: () => {
      session.pictures.set(NO_PICTURES)
      closing.abort()
      tickets.unobserve(lookSoon)
      for (const unsubscribe of unsubscribes) unsubscribe()
      if (timer !== null) clearTimeout(timer)
    },
  }
}

async function dataOf(id: string, content: Blob): Promise<BinaryFileData> {
  const mimeType = content.type as BinaryFileData["mimeType"]
  return { id: id as FileId, mimeType, dataURL: await dataUrlOf(content), created: Date.now() }
}
