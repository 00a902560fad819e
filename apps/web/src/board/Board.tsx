import { CaptureUpdateAction, Excalidraw } from "@excalidraw/excalidraw"
import "@excalidraw/excalidraw/index.css"
import "../styles/board.css"
import type { AppState, ExcalidrawImperativeAPI, ExcalidrawProps } from "@excalidraw/excalidraw/types"
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react"
import { flushSync } from "react-dom"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { bindBoard, type BoardBinding, type Scene, type Schedule } from "./sync/binding.ts"
import { addBoard } from "./file/addBoard.ts"
import { BoardMenu } from "./file/BoardMenu.tsx"
import { writeBoardFile, writerOfClosed } from "./elements/writeBoard.ts"
import { colourName } from "./names/colourName.ts"
import { keepRolesComplete } from "./names/boardRoles.ts"
import type { BoardElement } from "./elements/element.ts"
import { lookAtAllAtFirst } from "./firstLook.ts"
import { followOthers } from "./follow.ts"
import { measureWhenFontsCome } from "./fonts.ts"
import { PictureButton } from "./pictures/PictureButton.tsx"
import { type Pictures, sharePictures } from "./pictures/pictures.ts"
import { sharePointers } from "./pointers.ts"
import { SlideBar, SlidesButton } from "./showing/SlideBar.tsx"
import { useTheme } from "./useTheme.ts"

const UI_OPTIONS: NonNullable<ExcalidrawProps["UIOptions"]> = {
  canvasActions: {
    clearCanvas: false,
    loadScene: false,
    saveToActiveFile: false,
    toggleTheme: false,
    export: false,
    changeViewBackgroundColor: false,
  },
  // Excalidraw's own handler would keep pictures on this screen; see `pictures.ts`.
  tools: { image: false },
}
const BOARD_LANGUAGES: Readonly<Record<string, string>> = {
  ar: "ar-SA",
  de: "de-DE",
  en: "en",
  es: "es-ES",
  fr: "fr-FR",
  ja: "ja-JP",
}

export default function Board({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const pane = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  const [api, setApi] = useState<ExcalidrawImperativeAPI | null>(null)
  const [ready, setReady] = useState(false)
  const binding = useRef<BoardBinding | null>(null)
  const pointers = useRef<ReturnType<typeof sharePointers> | null>(null)
  const [pictures, setPictures] = useState<Pictures | null>(null)
  const scenePictures = useRef<Pictures | null>(null)
  const pictureInput = useRef<HTMLInputElement>(null)
  const texts = useRef<ReturnType<typeof measureWhenFontsCome> | null>(null)
  const { members } = useStore(session.view)
  const isViewer = members.some(({ self, role }) => self && role === "viewer")

  // A layout effect: its cleanup runs before Excalidraw empties its scene, so the last strokes can still be written.
  useLayoutEffect(() => {
    if (api === null || !ready) return
    const board = session.handle.document("board")
    const bound = bindBoard(
      board.doc.getMap("elements"),
      sceneOf(api, session),
      SCHEDULE,
      (count) => session.report("invalid-content", null, count),
      session.boardUnshared.set,
    )
    const shared = sharePointers(session, board, api)
    const measuring = measureWhenFontsCome(api)
    const following = followOthers(session, board, api, pane.current!)
    const looking = lookAtAllAtFirst(session, board, api, pane.current!)
    const sharedPictures = sharePictures(session, board, api)
    const flushWhenHidden = () => document.hidden && bound.flush()
    document.addEventListener("visibilitychange", flushWhenHidden)
    binding.current = bound
    pointers.current = shared
    texts.current = measuring
    scenePictures.current = sharedPictures
    setPictures(sharedPictures)
    return () => {
      document.removeEventListener("visibilitychange", flushWhenHidden)
      following.close()
      looking.close()
      sharedPictures.close()
      measuring.close()
      bound.close()
      session.boardUnshared.set(0)
      shared.close()
    }
  }, [api, ready, session])

  useEffect(() => (api === null ? undefined : fitWhenResized(api, pane.current!)), [api])

  useEffect(() => pointers.current?.refresh(), [members, theme])

  useEffect(() => binding.current?.sceneChanged(), [isViewer])

  useEffect(() => {
    const colour = (value: string) => {
      const name = value === "transparent" ? value : colourName(value)
      return name && t(`board.colours.${name}`)
    }
    return keepRolesComplete(pane.current!, { menu: t("board.menu"), colour })
  }, [t])

  useEffect(() => {
    session.pictureTaker.set(isViewer ? null : (pictures?.insert ?? null))
    return () => session.pictureTaker.set(null)
  }, [session, isViewer, pictures])

  const brought = useStore(session.broughtBoard)
  useEffect(() => {
    if (api === null || pictures === null || brought === null) return
    session.broughtBoard.set(null)
    void addBoard(api, pictures, brought)
  }, [api, pictures, session, brought])

  // A layout effect, too: it reads the last scene before Excalidraw empties it.
  useLayoutEffect(() => {
    // Before that the scene lacks what the document holds.
    if (api === null || !ready) return
    const write = (): string | null => {
      const elements = api.getSceneElements() as readonly BoardElement[]
      return elements.length > 0 ? writeBoardFile(elements, api.getFiles()) : null
    }
    session.boardWriter.set(write)
    return () => {
      const elements = session.handle.document("board").doc.getMap("elements")
      session.boardWriter.set(writerOfClosed(elements, write(), api.getFiles()))
    }
  }, [session, api, ready])

  const onChange = useCallback((_elements: unknown, appState: AppState) => {
    // Before that Excalidraw replaces the scene with its initial data, which would erase others' drawings.
    if (!appState.isLoading) setReady(true)
    if (appState.editingTextElement) texts.current?.noteEdited(appState.editingTextElement.id)
    binding.current?.sceneChanged()
    scenePictures.current?.sceneChanged()
  }, [])

  const onPointerUpdate = useCallback<NonNullable<ExcalidrawProps["onPointerUpdate"]>>(
    ({ pointer, button }) => {
      if (api === null) return
      const { x, y, tool } = pointer
      pointers.current?.publish({
        pointer: { x, y, tool },
        button,
        selectedElementIds: { ...api.getAppState().selectedElementIds },
      })
    },
    [api],
  )

  return (
    <div ref={pane} className="board-pane">
      <Excalidraw
        excalidrawAPI={setApi}
        onChange={onChange}
        onPointerUpdate={onPointerUpdate}
        isCollaborating
        viewModeEnabled={isViewer}
        theme={theme}
        langCode={BOARD_LANGUAGES[i18n.resolvedLanguage ?? "en"] ?? "en"}
        UIOptions={UI_OPTIONS}
        validateEmbeddable={false}
        aiEnabled={false}
        handleKeyboardGlobally={false}
        renderTopRightUI={(isMobile) =>
          isMobile ? null : (
            <>
              <SlidesButton session={session} />
              {!isViewer && <PictureButton onPress={() => pictureInput.current?.click()} />}
            </>
          )
        }
      >
        <BoardMenu
          session={session}
          api={api}
          pictures={isViewer ? null : pictures}
          onPictures={() => pictureInput.current?.click()}
        />
      </Excalidraw>
      {api !== null && <SlideBar session={session} api={api} />}
      <input
        ref={pictureInput}
        type="file"
        multiple
        hidden
        accept="image/*"
        aria-label={t("board.pictures")}
        onChange={(event) => {
          pictures?.insert([...(event.currentTarget.files ?? [])], null)
          event.currentTarget.value = ""
        }}
      />
    </div>
  )
}

/**
 * Excalidraw chooses between a phone's buttons and all of them only after it was drawn in the new size. It shows the
 * choice at its next drawing. Until then half of the buttons can be outside the window. The styles need the sizes
 * themselves.
 */
function fitWhenResized(api: ExcalidrawImperativeAPI, pane: HTMLElement): () => void {
  const observer = new ResizeObserver(() => {
    pane.style.setProperty("--board-width", `${pane.clientWidth}px`)
    pane.style.setProperty("--board-height", `${pane.clientHeight}px`)
    api.refresh()
  })
  observer.observe(pane)
  return () => observer.disconnect()
}

function sceneOf(api: ExcalidrawImperativeAPI, { view }: Session): Scene {
  return {
    elements: () => api.getSceneElementsIncludingDeleted() as ReturnType<Scene["elements"]>,
    editing: () => {
      const { editingTextElement, resizingElement, newElement } = api.getAppState()
      return new Set(
        [editingTextElement, resizingElement, newElement].flatMap((element) => (element ? [element.id] : [])),
      )
    },
    mayWrite: () => !view.get().members.some(({ self, role }) => self && role === "viewer"),
    // Never part of my undo history: undo reverts only my own work.
    show: (elements, atOnce) => {
      const show = () => api.updateScene({ elements, captureUpdate: CaptureUpdateAction.NEVER })
      // React would draw it after all pending work, a frame or two later. This is cheaper: it includes the others'
      // pointers.
      if (atOnce) flushSync(show)
      else show()
    },
  }
}

const SCHEDULE: Schedule = {
  soon: (run) => {
    let isOn = true
    queueMicrotask(() => isOn && run())
    return () => (isOn = false)
  },
  nextFrame: (run) => {
    const frame = requestAnimationFrame(run)
    return () => cancelAnimationFrame(frame)
  },
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  nowMs: () => performance.now(),
  random: Math.random,
}
