import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"

/** Says that some people can't be reached in a call, as in a conference beyond the full mesh. */
export function LinksNote({ session }: { readonly session: Pick<Session, "links"> }) {
  const { t } = useTranslation()
  const paths = [...useStore(session.links).values()]
  return paths.includes("relayed-by-member") ? <p className="hint">{t("call.unlinked")}</p> : null
}
