import type { ChannelMessage } from "@keymoot/core"
import { Copy, Pencil, Reply, Trash2 } from "lucide-react"
import { Popover } from "radix-ui"
import { type RefObject, useState } from "react"
import { useTranslation } from "react-i18next"
import { type Reaction, REACTIONS, reactionsOf } from "../../session/marks.ts"
import type { Session } from "../../session/session.ts"

/** The message's text, and how its author edits it; a shared file has none. */
export type SaidText = { readonly text: string; readonly onEdit: () => void }

type MessageMenuProps = {
  readonly anchor: RefObject<HTMLButtonElement>
  readonly message: ChannelMessage
  readonly text: SaidText | null
  readonly session: Session
  readonly onClose: () => void
}

/** The actions on one message: react, copy its text, and edit or delete my own. */
export function MessageMenu({ anchor, message, text, session, onClose }: MessageMenuProps) {
  const { t } = useTranslation()
  const [sure, setSure] = useState(false)
  const of = message.id
  const { copyOnly } = session.handle
  // Viewers can only react, and from a kept copy nothing can be sent. A change or a deletion is a message, too.
  const mayWrite = !copyOnly && !session.view.get().members.some(({ self, role }) => self && role === "viewer")
  const isOwn = message.from.self && mayWrite

  function react(emoji: Reaction): void {
    void session.mark({ type: "reaction", of, emoji, on: !hasReacted(session, of, emoji) })
    onClose()
  }

  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          className="popover menu"
          align="end"
          collisionPadding={8}
          aria-label={t("chat.more")}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            // The edit field has taken the focus already.
            if (document.activeElement === document.body) anchor.current?.focus()
          }}
        >
          {!copyOnly && (
            <div className="emoji-row" role="group" aria-label={t("chat.react")}>
              {REACTIONS.map((emoji) => (
                <button
                  key={emoji}
                  type="button"
                  className="emoji"
                  aria-pressed={hasReacted(session, of, emoji)}
                  onClick={() => react(emoji)}
                >
                  {emoji}
                </button>
              ))}
            </div>
          )}
          {mayWrite && (
            <button
              type="button"
              className="menu-item"
              onClick={() => {
                session.replyingTo.set(of)
                onClose()
                document.querySelector<HTMLElement>(".composer textarea")?.focus()
              }}
            >
              <Reply aria-hidden /> {t("talk.reply")}
            </button>
          )}
          {text !== null && <TextItems text={text} own={isOwn && !sure} onClose={onClose} />}
          {isOwn && !sure && (
            <button type="button" className="menu-item" onClick={() => setSure(true)}>
              <Trash2 aria-hidden /> {t("chat.delete")}
            </button>
          )}
          {sure && (
            <div role="alert">
              <p className="hint">{t(text === null ? "files.deleteHint" : "chat.deleteHint")}</p>
              <button
                type="button"
                className="menu-item danger"
                autoFocus
                onClick={() => {
                  session.erase(of)
                  onClose()
                }}
              >
                <Trash2 aria-hidden /> {t("chat.deleteNow")}
              </button>
            </div>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

type TextItemsProps = { readonly text: SaidText; readonly own: boolean; readonly onClose: () => void }

function TextItems({ text: { text, onEdit }, own, onClose }: TextItemsProps) {
  const { t } = useTranslation()
  return (
    <>
      <button
        type="button"
        className="menu-item"
        onClick={() => {
          void navigator.clipboard.writeText(text).catch(() => undefined) // It can still be marked and copied.
          onClose()
        }}
      >
        <Copy aria-hidden /> {t("chat.copy")}
      </button>
      {own && (
        <button
          type="button"
          className="menu-item"
          onClick={() => {
            onEdit()
            onClose()
          }}
        >
          <Pencil aria-hidden /> {t("chat.edit")}
        </button>
      )}
    </>
  )
}

export function hasReacted(session: Session, of: string, emoji: Reaction): boolean {
  return reactionsOf(session.marks.get().get(of), session.viewerReactions.get().get(of)).some(
    (reaction) => reaction.emoji === emoji && reaction.people.some(({ self }) => self),
  )
}
