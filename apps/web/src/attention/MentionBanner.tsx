import { AtSign } from "lucide-react"
import { useTranslation } from "react-i18next"
import { listNames, NAMED_MAX } from "../conference/names.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

/** The people who mentioned me, or answered me, since I last saw the chat. */
export function MentionBanner({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const mentions = useStore(session.mentions)
  const newest = mentions.at(-1)
  if (newest === undefined) return null
  const people = [...new Map(mentions.map(({ from }) => [from.id, from])).values()]
  return (
    <p className="banner plain">
      <AtSign aria-hidden />
      <span>
        {people.length <= NAMED_MAX
          ? t("talk.mentionedBy", { count: people.length, names: listNames(people, i18n.language) })
          : t("talk.mentionedByMany", { count: people.length })}
      </span>
      <button type="button" className="button banner-button" onClick={() => session.jumpTo.set(newest.id)}>
        {t("talk.show")}
      </button>
    </p>
  )
}
