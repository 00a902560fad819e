import type { ChannelMessage } from "@keymoot/core"
import { useSyncExternalStore } from "react"
import { useTranslation } from "react-i18next"
import { listNames } from "../../conference/names.ts"
import { type MessageMarks, reactionsOf } from "../../session/marks.ts"
import type { Session } from "../../session/session.ts"

type ReactionsProps = {
  readonly message: ChannelMessage
  readonly marks: MessageMarks | undefined
  readonly session: Session
}

/** The reactions under a message, with their authors. Pressing one adds mine, or removes it. */
export function Reactions({ message, marks, session }: ReactionsProps) {
  const { t, i18n } = useTranslation()
  const { viewerReactions } = session
  const passing = useSyncExternalStore(viewerReactions.subscribe, () => viewerReactions.get().get(message.id))
  const reactions = reactionsOf(marks, passing)
  if (reactions.length === 0) return null
  return (
    <div className="reactions" role="group" aria-label={t("chat.reactions")}>
      {reactions.map(({ emoji, people }) => {
        const mine = people.some(({ self }) => self)
        const names = listNames(people, i18n.language)
        return (
          <button
            key={emoji}
            type="button"
            className="reaction"
            aria-pressed={mine}
            aria-label={`${emoji} ${names}`}
            title={names}
            onClick={() => void session.mark({ type: "reaction", of: message.id, emoji, on: !mine })}
          >
            {emoji} {people.length}
          </button>
        )
      })}
    </div>
  )
}
