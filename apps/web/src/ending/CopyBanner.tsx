import { Download, FileDown, HardDrive, Radar, Trash2 } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { hasDrawing } from "../board/elements/writeBoard.ts"
import { saveBoard } from "../board/file/saveBoard.ts"
import { saveChat } from "../chat/saveChat.ts"
import { EvidenceButton } from "../evidence/EvidenceButton.tsx"
import { chatOf, remainsOf } from "../session/remains.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { ForgetStep } from "../ui/ForgetStep.tsx"

type CopyBannerProps = {
  readonly session: Session
  readonly onForget: () => void
  /** Enters the conference. A host may have extended one that is over. */
  readonly onLate: () => void
}

/** Above a copy of a conference that is over, or whose server is unreachable: what it is, how to save or delete it. */
export function CopyBanner({ session, onForget, onLate }: CopyBannerProps) {
  const { t, i18n } = useTranslation()
  const hasVotes = useStore(session.polls).length > 0
  const hasChat = useStore(session.transcript).some(({ kind }) => kind !== "notice") || hasVotes
  const hasBoard = useHasBoard(session)
  const { endsAtMs, latestEndMs } = session.handle.timeFrame
  const goesOn = Date.now() < endsAtMs
  const [asking, setAsking] = useState(false)
  const forget = useRef<HTMLButtonElement>(null)

  function save(): void {
    const board = remainsOf(session)?.board
    if (board) saveBoard(board)
  }

  // A phone has no room for the question below all the buttons.
  return (
    <div className="banner copy-banner">
      <HardDrive aria-hidden /> <span>{t(goesOn ? "banner.copyMeanwhile" : "banner.copy")}</span>
      {asking ? (
        <ForgetStep
          question={t("mine.forgetHint", { count: 1 })}
          opener={forget}
          onForget={onForget}
          onKeep={() => setAsking(false)}
        />
      ) : (
        <div className="actions">
          {hasBoard && (
            <button type="button" className="button banner-button" onClick={save}>
              <FileDown aria-hidden /> {t("problem.saveBoard")}
            </button>
          )}
          {hasChat && (
            <button
              type="button"
              className="button banner-button"
              onClick={() => saveChat(chatOf(session), t, i18n.language)}
            >
              <Download aria-hidden /> {t("problem.saveChat")}
            </button>
          )}
          {(hasChat || hasBoard) && <EvidenceButton session={session} className="banner-button" />}
          {Date.now() < latestEndMs && (
            <button type="button" className="button banner-button" onClick={onLate}>
              <Radar aria-hidden /> {t(goesOn ? "banner.tryNow" : "ending.late")}
            </button>
          )}
          <button ref={forget} type="button" className="button banner-button" onClick={() => setAsking(true)}>
            <Trash2 aria-hidden /> {t("banner.forgetCopy")}
          </button>
        </div>
      )}
    </div>
  )
}

/** The stored board arrives a moment after the page. */
function useHasBoard({ handle }: Session): boolean {
  const { doc } = handle.document("board")
  const isFilled = (): boolean => hasDrawing(doc.getMap("elements"))
  const [filled, setFilled] = useState(isFilled)
  useEffect(() => {
    const update = (): void => setFilled(isFilled())
    doc.on("update", update)
    update()
    return () => doc.off("update", update)
  })
  return filled
}
