import type { ConferencePreview } from "@keymoot/core"
import { BadgeCheck, ShieldAlert } from "lucide-react"
import { useTranslation } from "react-i18next"

/** The facts for a person before entering: title, creator, admission and end. */
export function InvitationFacts({ preview }: { readonly preview: ConferencePreview }) {
  const { t, i18n } = useTranslation()
  const { title, creator, admission, history, timeFrame } = preview
  const said = (ms: number) => new Date(ms).toLocaleString(i18n.language, { dateStyle: "medium", timeStyle: "short" })
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
          {!creator.self && <Trust creator={creator} />}
        </dd>
      </div>
      <div>
        <dt>{t("enter.whoMay")}</dt>
        <dd>
          {admission.policy === "ca"
            ? t("enter.policies.ca", { name: admission.authority.name })
            : admission.policy === "roster"
              ? t("enter.policies.roster", { count: admission.people.length })
              : t(`enter.policies.${admission.policy}`)}
        </dd>
      </div>
      <div>
        <dt>{t("enter.newcomers")}</dt>
        <dd>{t(history === "everything" ? "start.historyEverything" : "start.historyFromJoin")}</dd>
      </div>
      {timeFrame.opensAtMs > Date.now() && (
        <div>
          <dt>{t("enter.opens")}</dt>
          <dd>{said(timeFrame.opensAtMs)}</dd>
        </div>
      )}
      <div>
        <dt>{t("enter.ends")}</dt>
        <dd>{said(timeFrame.endsAtMs)}</dd>
      </div>
    </dl>
  )
}

/** A name is free text, unless codes have been compared. */
function Trust({ creator }: { readonly creator: ConferencePreview["creator"] }) {
  const { t } = useTranslation()
  if (creator.changedKey)
    return (
      <span className="trust bad">
        <ShieldAlert aria-hidden /> {t("enter.changedKey", { name: creator.name })}
      </span>
    )
  if (!creator.verified) return <span className="trust">{t("enter.unverified")}</span>
  return (
    <span className="trust good">
      <BadgeCheck aria-hidden /> {t("people.verified")}
    </span>
  )
}
