import { Vote } from "lucide-react"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import { DismissButton } from "../../ui/feedback/DismissButton.tsx"

/** The newest open vote of somebody else that I have not answered or hidden. */
export function PollBanner({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const polls = useStore(session.polls)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const isViewer = useStore(session.view).members.some(({ self, role }) => self && role === "viewer")
  const [open] = polls.filter(({ id, closed, mine, own }) => !closed && !own && mine.length === 0 && !hidden.has(id))
  if (open === undefined || isViewer) return null
  const hide = (): void => setHidden(new Set([...hidden, open.id]))
  return (
    <p className="banner plain poll-banner">
      <Vote aria-hidden />
      <span>{t("polls.asks", { name: open.from.name, question: open.question })}</span>
      <button
        type="button"
        className="button banner-button"
        onClick={() => {
          hide()
          session.panelWanted.set("tools")
        }}
      >
        {t("polls.answer")}
      </button>
      <DismissButton label={t("polls.hide")} onClick={hide} />
    </p>
  )
}
