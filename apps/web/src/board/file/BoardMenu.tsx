import { MainMenu } from "@excalidraw/excalidraw"
import type { ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types"
import { CopyPlus, FileDown, FileUp, ImagePlus, Presentation, Users } from "lucide-react"
import { type ReactNode, type RefObject, useRef, useState } from "react"
import { createPortal } from "react-dom"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import type { BoardElement } from "../elements/element.ts"
import type { Pictures } from "../pictures/pictures.ts"
import { MoveDialog } from "../moving/MoveDialog.tsx"
import type { SavedBoard } from "../pdf/boardPages.ts"
import { PdfItem, PdfNote, SavedNote } from "../pdf/PdfItem.tsx"
import { SavePdfItem } from "../pdf/SavePdfItem.tsx"
import { drawPdf, type PdfOutcome } from "../pdf/pdfPages.ts"
import { TemplateItems } from "../templates/TemplateItems.tsx"
import { addBoard, type Added, removeAdded } from "./addBoard.ts"
import { writeBoardFile } from "../elements/writeBoard.ts"
import { BOARD_FILE_BYTES_MAX } from "./boardFile.ts"
import { saveBoard } from "./saveBoard.ts"
import { DismissButton } from "../../ui/feedback/DismissButton.tsx"

type Outcome =
  { readonly kind: "reading" | "notABoard" | "tooLarge" } | { readonly kind: "added"; readonly added: Added }

type BoardMenuProps = {
  readonly session: Session
  readonly api: ExcalidrawImperativeAPI | null
  /** Null for a viewer. */
  readonly pictures: Pictures | null
  readonly onPictures: () => void
}

/** Without Excalidraw's links and all entries that would send or load something; with our own file entries. */
export function BoardMenu({ session, api, pictures, onPictures }: BoardMenuProps) {
  const { t } = useTranslation()
  const pdfInput = useRef<HTMLInputElement>(null)
  const [pdf, setPdf] = useState<{ readonly outcome: PdfOutcome | null } | null>(null)
  const [moving, setMoving] = useState(false)
  const [saved, setSaved] = useState<{ readonly outcome: SavedBoard | null } | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const isHost = useStore(session.view).members.some(({ self, role }) => self && role === "host")
  const [outcome, setOutcome] = useState<Outcome | null>(null)

  function exportFile(): void {
    saveBoard(writeBoardFile(elementsOf(api), api?.getFiles() ?? {}))
  }

  async function importFile(file: File): Promise<void> {
    if (api === null || pictures === null) return
    setOutcome({ kind: "reading" })
    if (file.size > BOARD_FILE_BYTES_MAX) return setOutcome({ kind: "tooLarge" })
    const added = await addBoard(api, pictures, await file.text().catch(() => ""))
    setOutcome(added === null ? { kind: "notABoard" } : { kind: "added", added })
  }

  async function insertPdf(file: File): Promise<void> {
    if (pictures === null) return
    setPdf({ outcome: null })
    const pages: File[] = []
    const outcome = await drawPdf(
      file,
      async (bytes, signal) => (await import("../pdf/renderer.ts")).openPdf(bytes, signal),
      (page) => pages.push(page),
    )
    // Together, so that they are placed beside each other and selected.
    pictures.insert(pages, null)
    setPdf({ outcome })
  }

  function remove(added: Added): void {
    if (api !== null) removeAdded(api, added)
    setOutcome(null)
  }

  return (
    <>
      <MainMenu>
        <MainMenu.DefaultItems.SaveAsImage />
        <MainMenu.Item icon={<FileDown aria-hidden />} onSelect={exportFile}>
          {t("board.export")}
        </MainMenu.Item>
        <SavePdfItem api={api} onOutcome={(outcome) => setSaved({ outcome })} />
        {pictures !== null && (
          <>
            <MainMenu.Item icon={<FileUp aria-hidden />} onSelect={() => input.current?.click()}>
              {t("board.import")}
            </MainMenu.Item>
            <PdfItem onSelect={() => pdfInput.current?.click()} />
            <MainMenu.Item icon={<ImagePlus aria-hidden />} onSelect={onPictures}>
              {t("board.pictures")}
            </MainMenu.Item>
            <TemplateItems api={api} />
          </>
        )}
        <MainMenu.Item icon={<CopyPlus aria-hidden />} onSelect={() => setMoving(true)}>
          {t("moving.open")}
        </MainMenu.Item>
        <MainMenu.Item icon={<Presentation aria-hidden />} onSelect={() => session.slidesOpen.set(true)}>
          {t("showing.slides")}
        </MainMenu.Item>
        {isHost && (
          <MainMenu.Item icon={<Users aria-hidden />} onSelect={session.bringEverybody}>
            {t("showing.bring")}
          </MainMenu.Item>
        )}
        <MainMenu.DefaultItems.SearchMenu />
        <MainMenu.DefaultItems.Help />
      </MainMenu>
      {/* Outside the menu, which is unmounted when the file has been chosen. */}
      {createPortal(
        <>
          <FileInput
            input={input}
            accept=".excalidraw,.excalidrawlib,.json,application/json"
            label={t("board.import")}
            onFile={importFile}
          />
          <FileInput input={pdfInput} accept=".pdf,application/pdf" label={t("pdf.insert")} onFile={insertPdf} />
          {pdf && (
            <NoteFrame onHide={() => setPdf(null)}>
              <span>
                <PdfNote outcome={pdf.outcome} />
              </span>
            </NoteFrame>
          )}
          <MoveDialog session={session} open={moving} onOpen={setMoving} />
          {saved && (
            <NoteFrame onHide={() => setSaved(null)}>
              <span>
                <SavedNote outcome={saved.outcome} />
              </span>
            </NoteFrame>
          )}
          {outcome && <Note outcome={outcome} onRemove={remove} onHide={() => setOutcome(null)} />}
        </>,
        document.body,
      )}
    </>
  )
}

type FileInputProps = {
  readonly input: RefObject<HTMLInputElement>
  readonly accept: string
  readonly label: string
  readonly onFile: (file: File) => Promise<void>
}

function FileInput({ input, accept, label, onFile }: FileInputProps) {
  return (
    <input
      ref={input}
      type="file"
      hidden
      accept={accept}
      aria-label={label}
      onChange={(event) => {
        const file = event.currentTarget.files?.[0]
        // So that the same file can be chosen again.
        event.currentTarget.value = ""
        if (file) void onFile(file)
      }}
    />
  )
}

type NoteProps = {
  readonly outcome: Outcome
  readonly onRemove: (added: Added) => void
  readonly onHide: () => void
}

function Note({ outcome, onRemove, onHide }: NoteProps) {
  const { t } = useTranslation()
  return (
    <NoteFrame onHide={onHide}>
      <span>
        {outcome.kind === "added"
          ? [
              t("board.imported", { count: outcome.added.ids.size }),
              outcome.added.skipped > 0 && t("board.skipped", { count: outcome.added.skipped }),
            ]
              .filter(Boolean)
              .join(" ")
          : t(`board.${outcome.kind === "reading" ? "importing" : outcome.kind}`)}
      </span>
      {outcome.kind === "added" && outcome.added.ids.size > 0 && (
        <button type="button" className="button banner-button" onClick={() => onRemove(outcome.added)}>
          {t("board.removeAdded")}
        </button>
      )}
    </NoteFrame>
  )
}

function NoteFrame({ onHide, children }: { readonly onHide: () => void; readonly children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div className="banners on-page" role="status">
      <p className="banner plain">
        {children}
        <DismissButton label={t("board.hideNote")} onClick={onHide} />
      </p>
    </div>
  )
}

function elementsOf(api: ExcalidrawImperativeAPI | null): readonly BoardElement[] {
  return (api?.getSceneElementsIncludingDeleted() ?? []) as readonly BoardElement[]
}
