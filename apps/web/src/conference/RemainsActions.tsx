import { Download, FileDown } from "lucide-react"
import { useTranslation } from "react-i18next"
import { saveBoard } from "../board/file/saveBoard.ts"
import { saveChat } from "../chat/saveChat.ts"
import type { Remains } from "../session/remains.ts"

type RemainsActionsProps = {
  readonly remains: Remains
  /** This device keeps the content until the person forgets it. */
  readonly kept?: boolean
}

/** The content of a conference that has ended for this person, to be saved before the page closes. */
export function RemainsActions({ remains, kept = false }: RemainsActionsProps) {
  const { t, i18n } = useTranslation()
  const { board } = remains
  return (
    <>
      <p className="hint">{t(kept ? "problem.remainsKept" : "problem.remains")}</p>
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
