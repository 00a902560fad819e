import { useTranslation } from "react-i18next"
import { listNames } from "../conference/names.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

/** More people than this are counted and not named. */
const NAMED_MAX = 2

/** The members that are typing. Its space is always reserved, so that nothing moves; screen readers skip it. */
export function TypingLine({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const doing = useStore(session.presence.doing)
  const { members } = useStore(session.view)
  const typing = members.filter(({ id, self }) => !self && doing.get(id)?.typing)
  return (
    <p className="typing" aria-live="off">
      {typing.length > NAMED_MAX
        ? t("chat.typingMany", { count: typing.length })
        : typing.length > 0 && t("chat.typing", { count: typing.length, names: listNames(typing, i18n.language) })}
    </p>
  )
}
