import { CaptureUpdateAction, MainMenu } from "@excalidraw/excalidraw"
import type { ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types"
import { FileDown, FileUp, ImagePlus, X } from "lucide-react"
import { useRef, useState } from "react"
import { createPortal } from "react-dom"
import { useTranslation } from "react-i18next"
import { ELEMENTS_MAX } from "./binding.ts"
import { BOARD_FILE_BYTES_MAX, parseBoardFile, picturesIn, readBoard, writeBoardFile } from "./boardFile.ts"
import { blobOfDataUrl } from "./dataUrl.ts"
import type { BoardElement } from "./element.ts"
import type { Pictures } from "./pictures.ts"
import { saveBoard } from "./saveBoard.ts"

type Outcome =
  | { readonly kind: "reading" | "notABoard" | "tooLarge" }
  | { readonly kind: "added"; readonly added: number; readonly skipped: number }

type BoardMenuProps = {
  readonly api: ExcalidrawImperativeAPI | null
  /** Null where nothing may be put on the board. */
  readonly pictures: Pictures | null
  readonly onPictures: () => void
}

/** Without the makers' links and whatever would send or load something; with files of our own. */
export function BoardMenu({ api, pictures, onPictures }: BoardMenuProps) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)

  function exportFile(): void {
    saveBoard(writeBoardFile(elementsOf(api), api?.getFiles() ?? {}))
  }

  async function importFile(file: File): Promise<void> {
    if (api === null || pictures === null) return
    setOutcome({ kind: "reading" })
    if (file.size > BOARD_FILE_BYTES_MAX) return setOutcome({ kind: "tooLarge" })
    setOutcome(await add(api, pictures, await file.text().catch(() => "")))
  }

  return (
    <>
      <MainMenu>
        <MainMenu.DefaultItems.SaveAsImage />
        <MainMenu.Item icon={<FileDown aria-hidden />} onSelect={exportFile}>
          {t("board.export")}
        </MainMenu.Item>
        {pictures !== null && (
          <>
            <MainMenu.Item icon={<FileUp aria-hidden />} onSelect={() => input.current?.click()}>
              {t("board.import")}
            </MainMenu.Item>
            <MainMenu.Item icon={<ImagePlus aria-hidden />} onSelect={onPictures}>
              {t("board.pictures")}
            </MainMenu.Item>
          </>
        )}
        <MainMenu.DefaultItems.SearchMenu />
        <MainMenu.DefaultItems.Help />
      </MainMenu>
      {/* Outside the menu, which is gone when the file has been chosen. */}
      {createPortal(
        <>
          <input
            ref={input}
            type="file"
            hidden
            accept=".excalidraw,.json,application/json"
            aria-label={t("board.import")}
            onChange={(event) => {
              const file = event.currentTarget.files?.[0]
              // So that the same file can be chosen again.
              event.currentTarget.value = ""
              if (file) void importFile(file)
            }}
          />
          {outcome && <Note outcome={outcome} onHide={() => setOutcome(null)} />}
        </>,
        document.body,
      )}
    </>
  )
}

function Note({ outcome, onHide }: { readonly outcome: Outcome; readonly onHide: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="banners on-page" role="status">
      <p className="banner plain">
        <span>
          {outcome.kind === "added"
            ? `${t("board.imported", { count: outcome.added })}${outcome.skipped > 0 ? ` ${t("board.skipped", { count: outcome.skipped })}` : ""}`
            : t(`board.${outcome.kind === "reading" ? "importing" : outcome.kind}`)}
        </span>
        <button type="button" className="icon-button" aria-label={t("board.hideNote")} onClick={onHide}>
          <X aria-hidden />
        </button>
      </p>
    </div>
  )
}

function elementsOf(api: ExcalidrawImperativeAPI | null): readonly BoardElement[] {
  return (api?.getSceneElementsIncludingDeleted() ?? []) as readonly BoardElement[]
}

/** As work of mine: others get it, and I can undo it. */
async function add(api: ExcalidrawImperativeAPI, pictures: Pictures, text: string): Promise<Outcome> {
  const board = parseBoardFile(text)
  if (board === null) return { kind: "notABoard" }
  const shared = new Map<string, string>()
  for (const [name, url] of picturesIn(board)) {
    const source = blobOfDataUrl(url)
    const id = source && (await pictures.share(source))
    if (id) shared.set(name, id)
  }
  const scene = elementsOf(api)
  const top = scene.at(-1)?.index ?? null
  const room = ELEMENTS_MAX - scene.length
  const { elements, skipped } = readBoard(board, { top, room, newId: () => crypto.randomUUID(), shared })
  api.updateScene({ elements: [...scene, ...elements], captureUpdate: CaptureUpdateAction.IMMEDIATELY })
  if (elements.length > 0) api.scrollToContent(elements, { fitToContent: true })
  return { kind: "added", added: elements.length, skipped }
}
