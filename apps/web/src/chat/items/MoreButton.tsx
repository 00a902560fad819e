import type { ChannelMessage } from "@keymoot/core"
import { Ellipsis } from "lucide-react"
import { useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"
import { MessageMenu, type SaidText } from "./MessageMenu.tsx"

type MoreButtonProps = {
  readonly message: ChannelMessage
  readonly text: SaidText | null
  readonly session: Session
}

/** The menu exists only while it is open: there are hundreds of these buttons. */
export function MoreButton({ message, text, session }: MoreButtonProps) {
  const { t } = useTranslation()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        ref={button}
        type="button"
        className="message-more"
        aria-label={t("chat.more")}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Ellipsis aria-hidden />
      </button>
      {open && (
        <MessageMenu anchor={button} message={message} text={text} session={session} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
