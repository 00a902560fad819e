import { CaptureUpdateAction, Excalidraw } from "@excalidraw/excalidraw"
import "@excalidraw/excalidraw/index.css"
import "../styles/board.css"
import type { AppState, ExcalidrawImperativeAPI, ExcalidrawProps } from "@excalidraw/excalidraw/types"
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react"
import { flushSync } from "react-dom"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { bindBoard } from "./binding.ts"
import { BoardMenu } from "./BoardMenu.tsx"
import { writeBoardFile } from "./boardFile.ts"
import { keepRolesComplete } from "./boardRoles.ts"
import type { BoardBinding, Scene, Schedule } from "./binding.ts"
import type { BoardElement } from "./element.ts"
import { lookAtAllAtFirst } from "./firstLook.ts"
import { followOthers } from "./follow.ts"
import { measureWhenFontsCome } from "./fonts.ts"
import { PictureButton } from "./PictureButton.tsx"
import { sharePictures } from "./pictures.ts"
import type { Pictures } from "./pictures.ts"
import { sharePointers } from "./pointers.ts"
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
  // Its own would keep pictures on this screen; see `pictures.ts`.
  tools: { image: false },
}
const BOARD_LANGUAGES: Readonly<Record<string, string>> = { en: "en", de: "de-DE" }

export default function Board({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const menuLabel = t("board.menu")
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

  // A layout effect: its end comes before Excalidraw empties its scene, so the last strokes are still there to be written.
  useLayoutEffect(() => {
    if (api === null || !ready) return
    const board = session.handle.document("board")
    const bound = bindBoard(board.doc.getMap("elements"), sceneOf(api), SCHEDULE, (count) =>
      session.report("invalid-content", null, count),
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
      shared.close()
    }
  }, [api, ready, session])

  useEffect(() => (api === null ? undefined : fitWhenResized(api, pane.current!)), [api])

  useEffect(() => pointers.current?.refresh(), [members, theme])

  useEffect(() => keepRolesComplete(pane.current!, menuLabel), [menuLabel])

  useEffect(() => {
    session.pictureTaker.set(isViewer ? null : (pictures?.insert ?? null))
    return () => session.pictureTaker.set(null)
  }, [session, isViewer, pictures])

  // A layout effect, too: what was shown last is read before Excalidraw empties its scene.
  useLayoutEffect(() => {
    if (api === null) return
    const write = (): string | null => {
      const elements = api.getSceneElements() as readonly BoardElement[]
      return elements.length > 0 ? writeBoardFile(elements, api.getFiles()) : null
    }
    session.boardWriter.set(write)
    return () => {
      const last = write()
      session.boardWriter.set(() => last)
    }
  }, [session, api])

  const onChange = useCallback((_elements: unknown, appState: AppState) => {
    // Until then Excalidraw replaces the scene with its initial data, and what others have drawn would be wiped.
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
          isViewer || isMobile ? null : <PictureButton onPress={() => pictureInput.current?.click()} />
        }
      >
        <BoardMenu api={api} pictures={isViewer ? null : pictures} onPictures={() => pictureInput.current?.click()} />
      </Excalidraw>
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
 * Whether it has a phone's buttons or all of them, Excalidraw decides after it has been drawn in a window's new size, and shows
 * with whatever it draws next: until then half of the buttons can be beyond the edge. How wide it is the style has to know.
 */
function fitWhenResized(api: ExcalidrawImperativeAPI, pane: HTMLElement): () => void {
  const observer = new ResizeObserver(() => {
    pane.style.setProperty("--board-width", `${pane.clientWidth}px`)
    api.refresh()
  })
  observer.observe(pane)
  return () => observer.disconnect()
}

function sceneOf(api: ExcalidrawImperativeAPI): Scene {
  return {
    elements: () => api.getSceneElementsIncludingDeleted() as ReturnType<Scene["elements"]>,
    editing: () => {
      const { editingTextElement, resizingElement, newElement } = api.getAppState()
      return new Set(
        [editingTextElement, resizingElement, newElement].flatMap((element) => (element ? [element.id] : [])),
      )
    },
    // Never part of my history: undo takes back my own work only.
    show: (elements, atOnce) => {
      const show = () => api.updateScene({ elements, captureUpdate: CaptureUpdateAction.NEVER })
      // Left to React, it is drawn after whatever else waits, a picture or two later. That is cheaper: the others' pointers go with it.
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
