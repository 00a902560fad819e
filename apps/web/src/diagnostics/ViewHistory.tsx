import type { ViewRecord } from "@keymoot/core"
import type { TFunction } from "i18next"
import { useTranslation } from "react-i18next"
import type { SectionProps } from "./DiagnosticsDialog.tsx"
import type { NameOf } from "./nameOf.ts"

/** The views of this member with their causes, newest first. */
export function ViewHistory({ diagnostics: { views }, nameOf }: SectionProps) {
  const { t, i18n } = useTranslation()
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: "medium" })
  const latest = views.at(-1)
  return (
    <section>
      <h3>{t("diagnostics.views")}</h3>
      <ol className="security-log">
        {views.toReversed().map((view) => (
          <li key={view.epoch}>
            <time dateTime={new Date(view.installedAtMs).toISOString()}>{time.format(view.installedAtMs)}</time>
            <span>{describeView(view, view !== latest, nameOf, t, i18n.language)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function describeView(view: ViewRecord, isOver: boolean, nameOf: NameOf, t: TFunction, language: string): string {
  const { cause, joined, gone, members, securedAtMs } = view
  const names = new Intl.ListFormat(language).format(joined.map(nameOf))
  const sentences = gone.map(({ member, departure }) => t(`diagnostics.gone.${departure}`, { name: nameOf(member) }))
  if (cause === "entered") sentences.push(t("diagnostics.entered", { count: members }))
  else if (cause === "rekeyed") sentences.push(t("diagnostics.rekeyed"))
  else if (joined.length > 0) sentences.push(t(`diagnostics.${cause === "merged" ? "merged" : "joined"}`, { names }))
  if (isOver && securedAtMs === null) sentences.push(t("diagnostics.notSecured"))
  return sentences.join(" ")
}
