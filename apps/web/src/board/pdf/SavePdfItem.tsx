import { exportToCanvas, MainMenu } from "@excalidraw/excalidraw"
import type { ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types"
import { FileDown } from "lucide-react"
import { useTranslation } from "react-i18next"
import { save } from "../../ui/save.ts"
import { fitted, pixelsOf, saveBoardAsPdf, type SavedBoard } from "./boardPages.ts"
import type { DrawnPage } from "./pdfFile.ts"

const PADDING = 16
const QUALITY = 0.92

type Frame = NonNullable<Parameters<typeof exportToCanvas>[0]["exportingFrame"]>

type SavePdfItemProps = {
  readonly api: ExcalidrawImperativeAPI | null
  /** Null: it has begun. */
  readonly onOutcome: (outcome: SavedBoard | null) => void
}

/** Beside the other entry that saves a file. Viewers have it, too. */
export function SavePdfItem({ api, onOutcome }: SavePdfItemProps) {
  const { t } = useTranslation()

  async function run(api: ExcalidrawImperativeAPI): Promise<void> {
    onOutcome(null)
    const outcome = await saveBoardAsPdf(
      api.getSceneElements(),
      (frame) => drawPage(api, frame as Frame | null),
      async (pages) => {
        const { pdfFile } = await import("./pdfFile.ts")
        save(new Blob([(await pdfFile(pages)) as BlobPart], { type: "application/pdf" }), "keymoot-board.pdf")
      },
    )
    onOutcome(outcome)
  }

  return (
    <MainMenu.Item icon={<FileDown aria-hidden />} onSelect={() => api && void run(api)}>
      {t("pdf.save")}
    </MainMenu.Item>
  )
}

/** On white, whatever the page looks like: it may be printed. */
async function drawPage(api: ExcalidrawImperativeAPI, frame: Frame | null): Promise<DrawnPage> {
  let size = { width: 1, height: 1 }
  const canvas = await exportToCanvas({
    elements: api.getSceneElements(),
    files: api.getFiles(),
    appState: { exportBackground: true, viewBackgroundColor: "#ffffff", exportWithDarkMode: false },
    exportingFrame: frame,
    exportPadding: frame === null ? PADDING : 0,
    getDimensions: (width: number, height: number) => {
      size = fitted(width, height)
      return pixelsOf(width, height)
    },
  })
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY))
  if (blob === null) throw new Error("The browser draws no picture of this size.")
  return { jpeg: new Uint8Array(await blob.arrayBuffer()), ...size }
}
