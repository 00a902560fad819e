import { useTranslation } from "react-i18next"
import type { Arrival } from "../arrival.ts"
import { Brand } from "../ui/Brand.tsx"
import { ScreenTitle } from "../ui/ScreenTitle.tsx"

type InsecureScreenProps = {
  /** The page that was asked for, with the secret of an invitation. */
  readonly arrival: Arrival
  readonly location: Pick<Location, "href" | "hostname" | "port">
}

/** The page was opened over http, where browsers have no cryptography. */
export function InsecureScreen({ arrival, location }: InsecureScreenProps) {
  const { t } = useTranslation()
  const secure = secureAddress(arrival.kind === "invitation" ? arrival.url : location.href, location.hostname)
  return (
    <main className="page">
      <div className="card">
        <Brand />
        <ScreenTitle>{t("insecure.title")}</ScreenTitle>
        <p>{t("insecure.why")}</p>
        {secure === null ? (
          <p>{t("insecure.ask")}</p>
        ) : (
          <a className="button primary wide" href={secure}>
            {t("insecure.open", { address: new URL(secure).origin })}
          </a>
        )}
        <details className="advanced">
          <summary>{t("insecure.own")}</summary>
          <p>{t("insecure.here", { address: `http://localhost${location.port && `:${location.port}`}` })}</p>
          <p>{t("insecure.elsewhere")}</p>
        </details>
      </div>
    </main>
  )
}

/** The same page over https at the usual port. Null for a bare number, which seldom has a certificate. */
export function secureAddress(href: string, hostname: string): string | null {
  if (!hostname.includes(".") || /^[\d.]+$/u.test(hostname)) return null
  const url = new URL(href)
  url.protocol = "https:"
  url.port = ""
  return url.href
}
