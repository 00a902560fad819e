import type { ConferencePreview } from "@keymoot/core"
import { CalendarX } from "lucide-react"
import { useTranslation } from "react-i18next"
import { timeOf } from "../ending/timeOf.ts"
import { Trust } from "../people/Trust.tsx"

type FactsProps = { readonly preview: ConferencePreview }

/** The facts that decide whether a person enters: title, creator, and what stands between the link and the room. */
export function InvitationFacts({ preview }: FactsProps) {
  const { t, i18n } = useTranslation()
  const { title, creator, admission, timeFrame } = preview
  return (
    <dl className="invitation-facts">
      {title !== "" && (
        <div>
          <dt>{t("enter.about")}</dt>
          <dd>
            <bdi>{title}</bdi>
          </dd>
        </div>
      )}
      <div>
        <dt>{t("enter.madeBy")}</dt>
        <dd>
          <bdi>{creator.self ? t("enter.you", { name: creator.name }) : creator.name}</bdi>
          {!creator.self && <Trust person={creator} unverified={t("enter.unverified")} />}
        </dd>
      </div>
      {admission.policy !== "link" && <WhoMay admission={admission} creator={creator} />}
      {timeFrame.opensAtMs > Date.now() && (
        <div>
          <dt>{t("enter.opens")}</dt>
          <dd>{dayAndTime(timeFrame.opensAtMs, i18n.language)}</dd>
        </div>
      )}
    </dl>
  )
}

/** Says in place of Join that the creator has ended the conference. */
export function EndedEarly({ preview: { creator, endedAtMs } }: FactsProps) {
  const { t, i18n } = useTranslation()
  if (endedAtMs === null) return null
  const time = timeOf(endedAtMs, i18n.language)
  return (
    <p className="ended" role="status">
      <CalendarX aria-hidden />
      <span>{creator.self ? t("enter.endedByYou", { time }) : t("enter.ended", { name: creator.name, time })}</span>
    </p>
  )
}

/** The other facts, folded. */
export function MoreInvitationFacts({ preview: { admission, creator, history, timeFrame } }: FactsProps) {
  const { t, i18n } = useTranslation()
  return (
    <dl className="invitation-facts">
      {admission.policy === "link" && <WhoMay admission={admission} creator={creator} />}
      <div>
        <dt>{t("enter.newcomers")}</dt>
        <dd>{t(history === "everything" ? "start.historyEverything" : "start.historyFromJoin")}</dd>
      </div>
      <div>
        <dt>{t("enter.ends")}</dt>
        <dd>{dayAndTime(timeFrame.endsAtMs, i18n.language)}</dd>
      </div>
    </dl>
  )
}

/** The creator is a host, and does not wait for one. */
function WhoMay({ admission, creator }: Pick<ConferencePreview, "admission" | "creator">) {
  const { t } = useTranslation()
  return (
    <div>
      <dt>{t("enter.whoMay")}</dt>
      <dd>
        {admission.policy === "ca"
          ? t("enter.policies.ca", { name: admission.authority.name })
          : admission.policy === "roster"
            ? t("enter.policies.roster", { count: admission.people.length })
            : admission.policy === "approval" && creator.self
              ? t("enter.policies.approvalByCreator")
              : t(`enter.policies.${admission.policy}`)}
      </dd>
    </div>
  )
}

function dayAndTime(ms: number, language: string): string {
  return new Date(ms).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" })
}
