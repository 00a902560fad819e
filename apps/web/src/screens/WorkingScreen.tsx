import { useTranslation } from "react-i18next"
import type { Working } from "./screen.ts"
import { Brand } from "../ui/Brand.tsx"
import { ScreenTitle } from "../ui/ScreenTitle.tsx"

export function WorkingScreen({ what }: { readonly what: Working }) {
  const { t } = useTranslation()
  return (
    <main className="page">
      <div className="card quiet">
        <ScreenTitle className="">
          <Brand />
        </ScreenTitle>
        <p className="working" role="status">
          <span className="spinner" aria-hidden="true" />
          {t(`working.${what}`)}
        </p>
      </div>
    </main>
  )
}
