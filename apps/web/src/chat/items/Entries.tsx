import { DRAWN_ENTRIES } from "../../session/conversation.ts"
import type { Entry } from "../../session/order.ts"
import type { Session } from "../../session/session.ts"
import { FileItem } from "./FileItem.tsx"
import { MessageItem, NoticeLine } from "./MessageItem.tsx"

type EntriesProps = { readonly transcript: readonly Entry[]; readonly drawn: number; readonly session: Session }

/** The newest `drawn` entries. A screen reader announces new ones, and neither the history nor revealed earlier ones. */
export function Entries({ transcript, drawn, session }: EntriesProps) {
  const shown = transcript.slice(-drawn)
  return shown.map((entry, index) => {
    if (entry.kind === "notice") return <NoticeLine key={entry.id} notice={entry} />
    const { id, message } = entry
    const isEarlier = index < shown.length - DRAWN_ENTRIES
    const props = { message, session, live: isEarlier || session.isFromBefore(message) ? "off" : undefined } as const
    return entry.kind === "file" ? (
      <FileItem key={id} {...props} file={entry.file} />
    ) : (
      <MessageItem key={id} {...props} replyTo={entry.replyTo ?? null} />
    )
  })
}
