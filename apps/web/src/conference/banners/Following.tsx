import { Eye } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import { DismissButton } from "../../ui/feedback/DismissButton.tsx"

/** The person whose part of the board is shown here, until I move the board. */
export function FollowingBanner({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const id = useStore(session.following)
  const member = useStore(session.view).members.find((other) => other.id === id)
  const broughtBy = useStore(session.broughtBy)
  if (member === undefined) return null
  return (
    <p className="banner plain">
      <Eye aria-hidden />
      <span>
        {broughtBy?.id === id
          ? t("showing.brought", { name: member.name })
          : t("board.following", { name: member.name })}
      </span>
      <DismissButton label={t("board.unfollow")} onClick={() => session.following.set(null)} />
    </p>
  )
}
