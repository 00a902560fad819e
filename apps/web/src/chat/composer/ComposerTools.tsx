import { Download, Smile } from "lucide-react"
import { Popover } from "radix-ui"
import { useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { HandButton } from "../../attention/HandButton.tsx"
import { chatOf } from "../../session/remains.ts"
import type { Session } from "../../session/session.ts"
import { AttachButton } from "./AttachButton.tsx"
import { saveChat } from "../saveChat.ts"

/** Telephones have a keyboard for the others. */
const EMOJI = [..."😀😂🙂😉😍🤔😐😕😢😮😡🥳👍👎👏🙏💪👋🤝✌️❤️🔥⭐✅❌❓❗💡📌🎉☕👀"].reduce<string[]>(
  // A variation selector belongs to the character before it.
  (all, char) => (char === "\ufe0f" ? [...all.slice(0, -1), `${all.at(-1)}${char}`] : [...all, char]),
  [],
)

type ComposerToolsProps = {
  readonly session: Session
  readonly onEmoji: (emoji: string) => void
  /** The picker has closed behind that: the focus returns to the text. */
  readonly onEmojiDone: () => void
}

/** Tools beside the message field: emoji, raised hand, and saving the conversation as a file. */
export function ComposerTools({ session, onEmoji, onEmojiDone }: ComposerToolsProps) {
  const { t, i18n } = useTranslation()

  return (
    <div className="composer-tools">
      <EmojiButton onEmoji={onEmoji} onEmojiDone={onEmojiDone} />
      <AttachButton session={session} />
      <HandButton session={session} />
      <button
        type="button"
        className="icon-button"
        aria-label={t("chat.export")}
        title={t("chat.export")}
        onClick={() => saveChat(chatOf(session), t, i18n.language)}
      >
        <Download aria-hidden />
      </button>
    </div>
  )
}

function EmojiButton({ onEmoji, onEmojiDone }: Omit<ComposerToolsProps, "session">) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const picked = useRef(false)
  return (
    <Popover.Root
      open={open}
      onOpenChange={(next) => {
        picked.current = false
        setOpen(next)
      }}
    >
      <Popover.Trigger className="icon-button" aria-label={t("chat.emoji")} title={t("chat.emoji")}>
        <Smile aria-hidden />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="popover menu emoji-grid"
          side="top"
          align="start"
          collisionPadding={8}
          aria-label={t("chat.emoji")}
          onCloseAutoFocus={(event) => {
            if (!picked.current) return
            event.preventDefault()
            onEmojiDone()
          }}
        >
          {EMOJI.map((emoji) => (
            <button
              key={emoji}
              type="button"
              className="emoji"
              onClick={() => {
                picked.current = true
                onEmoji(emoji)
                setOpen(false)
              }}
            >
              {emoji}
            </button>
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
