import type { Admission } from "@keymoot/core"
import type { TFunction } from "i18next"
import { calendarFile } from "./calendarFile.ts"

/** The facts of an invitation to send. */
export type Invited = {
  readonly id: string
  /** May be empty. */
  readonly title: string
  readonly url: string
  readonly opensAtMs: number
  readonly endsAtMs: number
  /** Null if this page does not know it. */
  readonly policy: Admission["policy"] | null
}

/** Its reader may be in another time zone. Abbreviations such as CST name several zones, so it has the offset. */
const TIME: Intl.DateTimeFormatOptions = {
  weekday: "long",
  year: "numeric",
  month: "long",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "shortOffset",
}

/** A message that a person can send as it is. A conference that is open already has no start. */
export function invitationText(
  { title, url, opensAtMs, policy }: Invited,
  nowMs: number,
  t: TFunction,
  language: string,
) {
  const time = new Date(opensAtMs).toLocaleString(language, TIME)
  return [
    title === "" ? t("invite.text") : t("invite.textAbout", { title }),
    ...(opensAtMs > nowMs ? [t("invite.textOpens", { time })] : []),
    url,
    ...hintsOf(policy, t),
  ].join("\n\n")
}

function hintsOf(policy: Invited["policy"], t: TFunction): readonly string[] {
  return [t("invite.textHint"), ...(policy === null ? [] : [t(`invite.who.${policy}`)])]
}

export function invitationCalendar(invited: Invited, nowMs: number, t: TFunction): string {
  const { id, title, url, opensAtMs, endsAtMs, policy } = invited
  const startsAtMs = Math.max(opensAtMs, nowMs)
  const summary = title === "" ? t("invite.summary") : title
  const description = [url, ...hintsOf(policy, t)].join("\n\n")
  return calendarFile({ id, summary, description, url, startsAtMs, endsAtMs }, nowMs)
}
