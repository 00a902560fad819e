import { MainMenu } from "@excalidraw/excalidraw"
import { FileText } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { SavedBoard } from "./boardPages.ts"
import type { PdfOutcome } from "./pdfPages.ts"

/** Beside the other entries for files. */
export function PdfItem({ onSelect }: { readonly onSelect: () => void }) {
  const { t } = useTranslation()
  return (
    <MainMenu.Item icon={<FileText aria-hidden />} onSelect={onSelect}>
      {t("pdf.insert")}
    </MainMenu.Item>
  )
}

export function PdfNote({ outcome }: { readonly outcome: PdfOutcome | null }) {
  const { t } = useTranslation()
  if (outcome === null) return t("pdf.drawing")
  if (outcome.kind !== "done") return t(`pdf.${outcome.kind}`)
  return [t("pdf.done", { count: outcome.drawn }), outcome.leftOut > 0 && t("pdf.leftOut", { count: outcome.leftOut })]
    .filter(Boolean)
    .join(" ")
}

/** `outcome` is null while the file is being written. */
export function SavedNote({ outcome }: { readonly outcome: SavedBoard | null }) {
  const { t } = useTranslation()
  if (outcome === null) return t("pdf.saving")
  if (outcome.kind !== "saved") return t(`pdf.${outcome.kind}`)
  const { pages, leftOut } = outcome
  return [t("pdf.saved", { count: pages }), leftOut > 0 && t("pdf.notAllSaved", { count: leftOut })]
    .filter(Boolean)
    .join(" ")
}
