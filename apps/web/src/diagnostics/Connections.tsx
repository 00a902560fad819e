import type { LinkDiagnostics } from "@keymoot/core"
import type { TFunction } from "i18next"
import { useTranslation } from "react-i18next"
import { formatBytes } from "../files/formatBytes.ts"
import type { SectionProps } from "./DiagnosticsDialog.tsx"

/** The path to each person, its round-trip time, and what waits on it. */
export function Connections({ diagnostics: { server, links }, nameOf }: SectionProps) {
  const { t, i18n } = useTranslation()
  return (
    <section>
      <h3>{t("diagnostics.connections")}</h3>
      <p>{t(`diagnostics.server.${server}`)}</p>
      {links.length === 0 && <p className="hint">{t("diagnostics.alone")}</p>}
      <dl className="facts">
        {links.map((link) => (
          <div key={link.member}>
            <dt>{nameOf(link.member)}</dt>
            <dd>{describeLink(link, t, i18n.language)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** "Direct, round trip 42 ms, 12 kB not confirmed yet" */
function describeLink(link: LinkDiagnostics, t: TFunction, language: string): string {
  const { path, roundTripMs, unacknowledgedBytes } = link
  const facts = [t(`diagnostics.paths.${path}`)]
  if (roundTripMs !== null) facts.push(t("diagnostics.roundTrip", { ms: roundTripMs }))
  if (unacknowledgedBytes > 0)
    facts.push(t("diagnostics.unacknowledged", { bytes: formatBytes(unacknowledgedBytes, language) }))
  return facts.join(", ")
}
