import { DoorOpen } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { listNames, NAMED_MAX } from "../conference/names.ts"
import { Trust } from "../people/Trust.tsx"
import { KnockAnswers } from "./KnockAnswers.tsx"

/** A host can answer in it, whatever panel is open. Many requests are counted, and answered under "People". */
export function KnockBanner({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const { knocks } = useStore(session.admission)
  if (knocks.length === 0) return null
  if (knocks.length > NAMED_MAX)
    return (
      <p className="banner knock-count">
        <DoorOpen aria-hidden /> <span>{t("hosts.knocksMany", { count: knocks.length })}</span>
        <button type="button" className="button banner-button" onClick={() => session.panelWanted.set("people")}>
          {t("hosts.showKnocks")}
        </button>
      </p>
    )
  return knocks.map((person) => (
    <p key={person.id} className="banner" tabIndex={-1} data-knock>
      <DoorOpen aria-hidden />
      <span>
        {t("hosts.knockNews", { count: 1, names: listNames([person], i18n.language) })}{" "}
        <bdi>{person.messages.findLast(({ byHost }) => !byHost)?.text}</bdi>
        <Trust person={person} unverified={t("people.unverified")} />
      </span>
      <KnockAnswers session={session} person={person} className="button banner-button" next={nextBanner} />
    </p>
  ))
}

/** After the last one: what shows or opens the people. */
function nextBanner(): HTMLElement | null {
  const next = document.querySelector<HTMLElement>(".banner[data-knock]")
  return next ?? document.querySelector<HTMLElement>('.tab[data-state="active"], [data-opens="people"]')
}
