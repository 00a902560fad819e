import type { TFunction } from "i18next"
import { useTranslation } from "react-i18next"
import type { LogLine } from "../session/log.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { today } from "../ui/today.ts"
import { describeChange, listNames } from "../conference/names.ts"

/** Views and security events in plain words, newest first. The date is shown unless it is today. */
export function SecurityLog({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const lines = useStore(session.log)
  const day = useStore(today)
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: "medium" })
  const dateAndTime = new Intl.DateTimeFormat(i18n.language, { dateStyle: "short", timeStyle: "medium" })
  return (
    <ol className="security-log">
      {lines.toReversed().map((line) => (
        <li key={line.id} data-kind={line.kind}>
          <time dateTime={new Date(line.atMs).toISOString()}>
            {(new Date(line.atMs).toDateString() === day ? time : dateAndTime).format(line.atMs)}
          </time>
          <span>{describeLine(line, t, i18n.language)}</span>
        </li>
      ))}
    </ol>
  )
}

function describeLine(line: LogLine, t: TFunction, language: string): string {
  switch (line.kind) {
    case "transferred":
      return t("security.transferred", { name: line.from.name })
    case "merged":
      return t("security.merged", { names: listNames(line.with, language) })
    case "event": {
      const text = t(`security.codes.${line.code}`, { name: line.member?.name ?? t("security.somebody") })
      return line.times === 1 ? text : `${text} ${t("security.times", { count: line.times })}`
    }
    case "view": {
      const { epoch, cause } = line
      if (cause === "created") return t("security.view.created", { epoch })
      if (cause === "refreshed") return t("security.view.refreshed", { epoch })
      return `${describeChange(line, t, language)} ${t("security.view.newKey", { epoch })}`.trim()
    }
  }
}
