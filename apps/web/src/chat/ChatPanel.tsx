import { ArrowDown } from "lucide-react"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import { HandButton } from "../attention/HandButton.tsx"
import { DRAWN_ENTRIES } from "../session/conversation.ts"
import { AloneCard } from "../invite/AloneCard.tsx"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { Composer } from "./composer/Composer.tsx"
import { Entries } from "./items/Entries.tsx"
import { PendingItem } from "./items/PendingItem.tsx"
import { SearchBar } from "./search/SearchBar.tsx"
import { useJump } from "./search/useJump.ts"
import { SharingItem } from "./items/SharingItem.tsx"
import { TypingLine } from "./TypingLine.tsx"
import { useFollowEnd } from "./useFollowEnd.ts"

export function ChatPanel({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const transcript = useStore(session.shownTranscript)
  const incomplete = useStore(session.incomplete)
  const [drawn, setDrawn] = useState(DRAWN_ENTRIES)
  const pending = useStore(session.pending)
  const isViewer = useStore(session.view).members.some(({ self, role }) => self && role === "viewer")
  const sharing = useStore(session.files.sharing)
  const { list, content, following, onScroll, toEnd, stay } = useFollowEnd()
  const jumping = useJump(session, { transcript, drawn, setDrawn, list, stay })

  return (
    <div className="chat">
      {transcript.length > 0 && <SearchBar session={session} />}
      <div
        ref={list}
        className="messages"
        role="log"
        aria-label={t("chat.log")}
        tabIndex={0}
        onScroll={onScroll}
        data-jumping={jumping}
      >
        <div ref={content}>
          <AloneCard session={session} />
          {transcript.length + pending.length + sharing.length === 0 && (
            <p className="hint chat-empty">{t("chat.empty")}</p>
          )}
          {incomplete && (
            <p className="notice" aria-live="off">
              {t("chat.incomplete")}
            </p>
          )}
          {transcript.some((entry) => entry.kind !== "notice" && entry.message.transferred) && (
            <p className="notice" aria-live="off">
              {t("chat.transferredHint")}
            </p>
          )}
          {transcript.length > drawn && (
            <button type="button" className="link-button" onClick={() => setDrawn(drawn + DRAWN_ENTRIES)}>
              {t("chat.earlier")}
            </button>
          )}
          <Entries transcript={transcript} drawn={drawn} session={session} />
          {pending.map((item) => (
            <PendingItem key={item.key} item={item} session={session} />
          ))}
          {sharing.map((item) => (
            <SharingItem key={item.key} item={item} session={session} />
          ))}
        </div>
      </div>
      {!following && (
        <button type="button" className="button to-latest" onClick={toEnd}>
          <ArrowDown aria-hidden /> {t("chat.latest")}
        </button>
      )}
      <TypingLine session={session} />
      {session.handle.copyOnly ? null : isViewer ? (
        <div className="viewing">
          <p className="hint">{t("hosts.viewing")}</p>
          <HandButton session={session} />
        </div>
      ) : (
        <Composer session={session} onSent={toEnd} />
      )}
    </div>
  )
}
