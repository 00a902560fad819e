import { useTranslation } from "react-i18next"
import { Brand } from "../ui/Brand.tsx"
import { ScreenTitle } from "../ui/ScreenTitle.tsx"

/** An address without a page. */
export function NowhereScreen({ onStart }: { readonly onStart: () => void }) {
  const { t } = useTranslation()
  return (
    <main className="page">
      <div className="card">
        <Brand />
        <ScreenTitle>{t("nowhere.title")}</ScreenTitle>
        <p>{t("nowhere.hint")}</p>
        <button type="button" className="button primary wide" onClick={onStart}>
          {t("problem.toStart")}
        </button>
      </div>
    </main>
  )
}
