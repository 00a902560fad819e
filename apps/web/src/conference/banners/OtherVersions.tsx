import { RefreshCw } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import { listNames, NAMED_MAX } from "../names.ts"

/** Explains why a present person cannot be met: one of the two pages is older. */
export function OtherVersions({ session }: { readonly session: Pick<Session, "otherVersions"> }) {
  const { t, i18n } = useTranslation()
  const others = useStore(session.otherVersions)
  const older = others.filter((other) => other.older === "them").map(({ person }) => person)
  const count = older.length
  return (
    <>
      {others.some((other) => other.older === "us") && (
        <p className="banner">
          <RefreshCw aria-hidden /> <span>{t("update.weAreOlder")}</span>
          <button type="button" className="button" onClick={() => location.reload()}>
            {t("update.reload")}
          </button>
        </p>
      )}
      {count > 0 && (
        <p className="banner">
          <RefreshCw aria-hidden />
          <span>
            {count <= NAMED_MAX
              ? t("update.theyAreOlder", { count, names: listNames(older, i18n.language) })
              : t("update.manyAreOlder", { count })}
          </span>
        </p>
      )}
    </>
  )
}
