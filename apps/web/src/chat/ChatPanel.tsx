import { ArrowDown } from "lucide-react"
import { useEffect, useLayoutEffect, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { Composer } from "./Composer.tsx"
import { FileItem } from "./FileItem.tsx"
import { NoticeLine, MessageItem } from "./MessageItem.tsx"
import { PendingItem } from "./PendingItem.tsx"
import { SharingItem } from "./SharingItem.tsx"
import { TypingLine } from "./TypingLine.tsx"

/** Nearer to the end than this, the list follows new messages. */
const AT_END_PX = 48

export function ChatPanel({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const transcript = useStore(session.transcript)
  const pending = useStore(session.pending)
  const isViewer = useStore(session.view).members.some(({ self, role }) => self && role === "viewer")
  const sharing = useStore(session.files.sharing)
  const previews = useStore(session.files.previews)
  const states = useStore(session.files.states)
  const list = useRef<HTMLDivElement>(null)
  const [atEnd, setAtEnd] = useState(true)

  useLayoutEffect(() => {
    if (atEnd) scrollToEnd(list.current)
  }, [atEnd, transcript, pending, sharing, previews, states])
  // A telephone's keyboard takes half of the list away: the newest message stays in sight.
  useEffect(() => {
    if (!atEnd || list.current === null) return
    const observer = new ResizeObserver(() => scrollToEnd(list.current))
    observer.observe(list.current)
    return () => observer.disconnect()
  }, [atEnd])

  return (
    <div className="chat">
      <div
        ref={list}
        className="messages"
        role="log"
        aria-label={t("chat.log")}
        tabIndex={0}
        onScroll={(event) => setAtEnd(distanceToEnd(event.currentTarget) < AT_END_PX)}
      >
        {transcript.length + pending.length + sharing.length === 0 && (
          <p className="hint chat-empty">{t("chat.empty")}</p>
        )}
        {transcript.map((entry) =>
          entry.kind === "notice" ? (
            <NoticeLine key={entry.id} notice={entry} />
          ) : entry.kind === "file" ? (
            <FileItem key={entry.id} message={entry.message} file={entry.file} session={session} />
          ) : (
            <MessageItem key={entry.id} message={entry.message} session={session} />
          ),
        )}
        {pending.map((item) => (
          <PendingItem key={item.key} item={item} session={session} />
        ))}
        {sharing.map((item) => (
          <SharingItem key={item.key} item={item} session={session} />
        ))}
      </div>
      {!atEnd && (
        <button type="button" className="button to-latest" onClick={() => setAtEnd(true)}>
          <ArrowDown aria-hidden /> {t("chat.latest")}
        </button>
      )}
      <TypingLine session={session} />
      {isViewer ? (
        <p className="hint viewing">{t("hosts.viewing")}</p>
      ) : (
        <Composer session={session} onSent={() => setAtEnd(true)} />
      )}
    </div>
  )
}

function distanceToEnd(element: HTMLElement): number {
  return element.scrollHeight - element.scrollTop - element.clientHeight
}

function scrollToEnd(element: HTMLElement | null): void {
  if (element) element.scrollTop = element.scrollHeight
}
