import { Download, FileDown } from "lucide-react"
import { useTranslation } from "react-i18next"
import { saveBoard } from "../board/file/saveBoard.ts"
import { saveChat } from "../chat/saveChat.ts"
import { EvidenceButton } from "../evidence/EvidenceButton.tsx"
import type { Remains } from "../session/remains.ts"
import type { Session } from "../session/session.ts"

type RemainsActionsProps = {
  readonly remains: Remains
  /** The place of the signed messages: an open session, the kept copy, the log that a return opens, or none. Null: not offered. */
  readonly evidence: Session | "copy" | "return" | "deleted" | null
}

/** The content of a conference that has ended for this person, to be saved before the page closes. */
export function RemainsActions({ remains, evidence }: RemainsActionsProps) {
  const { t, i18n } = useTranslation()
  const { chat, board } = remains
  return (
    <>
      <p className="hint">{t(evidence === "copy" ? "problem.remainsKept" : "problem.remains")}</p>
      {typeof evidence === "string" && <p className="hint">{t(`evidence.ended.${evidence}`)}</p>}
      <div className="actions">
        {board !== null && (
          <button type="button" className="button" onClick={() => saveBoard(board)}>
            <FileDown aria-hidden />
            {t("problem.saveBoard")}
          </button>
        )}
        {chat !== null && (
          <button type="button" className="button" onClick={() => saveChat(chat, t, i18n.language)}>
            <Download aria-hidden />
            {t("problem.saveChat")}
          </button>
        )}
        {evidence !== null && typeof evidence !== "string" && <EvidenceButton session={evidence} />}
      </div>
    </>
  )
}
