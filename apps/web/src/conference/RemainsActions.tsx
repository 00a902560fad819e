import { Download, FileDown } from "lucide-react"
import { useTranslation } from "react-i18next"
import { saveBoard } from "../board/saveBoard.ts"
import { saveChat } from "../chat/saveChat.ts"
import type { Remains } from "../session/remains.ts"

/** Where a conference has ended for this person: what it has seen, to be saved before the page goes. */
export function RemainsActions({ remains }: { readonly remains: Remains }) {
  const { t, i18n } = useTranslation()
  const { board } = remains
  return (
    <>
      <p className="hint">{t("problem.remains")}</p>
      <div className="actions">
        {board !== null && (
          <button type="button" className="button" onClick={() => saveBoard(board)}>
            <FileDown aria-hidden />
            {t("problem.saveBoard")}
          </button>
        )}
        {remains.transcript.length > 0 && (
          <button type="button" className="button" onClick={() => saveChat(remains, t, i18n.language)}>
            <Download aria-hidden />
            {t("problem.saveChat")}
          </button>
        )}
      </div>
    </>
  )
}
