import type { KeyStructure } from "@keymoot/core"
import { X } from "lucide-react"
import { Popover } from "radix-ui"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import { SaveEvidence } from "../evidence/SaveEvidence.tsx"
import { KeyFacts } from "./KeyFacts.tsx"
import { KeyPicture } from "./KeyPicture.tsx"
import { VerifiedPeople } from "./VerifiedPeople.tsx"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { SecurityLog } from "./SecurityLog.tsx"

export function SecurityPanel({ session, titleId }: { readonly session: Session; readonly titleId: string }) {
  const { t } = useTranslation()
  const view = useStore(session.view)
  const secured = view.status === "secured"
  const ofView = useOfView(session)
  return (
    <>
      <div className="panel-head">
        <h2 id={titleId} className="panel-title">
          {t("security.title")}
        </h2>
        <Popover.Close className="icon-button" aria-label={t("security.close")}>
          <X aria-hidden />
        </Popover.Close>
      </div>
      <p className="panel-lead">{secured ? t("lock.encrypted", { count: view.members.length }) : t("lock.agreeing")}</p>
      <VerifiedPeople session={session} />
      <details className="advanced">
        <summary>{t("security.details")}</summary>
        <KeyFacts session={session} />
        {ofView?.structure && <KeyPicture session={session} structure={ofView.structure} epoch={ofView.epoch} />}
        <h3>{t("security.code")}</h3>
        {secured && ofView?.view === view.id ? (
          <p className="code" dir="ltr">
            {ofView.code}
          </p>
        ) : (
          <p className="hint">{t("security.codeWaiting")}</p>
        )}
        <p className="hint">{t("security.codeHint")}</p>
      </details>
      <SaveEvidence session={session} />
      <h3>{t("security.log")}</h3>
      <SecurityLog session={session} />
    </>
  )
}

type OfView = {
  readonly view: string
  readonly epoch: number
  readonly code: string
  readonly structure: KeyStructure | null
}

/** The facts of a membership with an agreed key. During the next agreement, those of the last one. */
function useOfView(session: Session): OfView | null {
  const { id, epoch, status } = useStore(session.view)
  const [ofView, setOfView] = useState<OfView | null>(null)
  useEffect(() => {
    if (status !== "secured") return
    let current = true
    const { handle } = session
    Promise.all([handle.conferenceCode(), handle.keyStructure()]).then(
      ([code, structure]) => current && setOfView({ view: id, epoch, code, structure }),
      () => undefined, // The conference ended meanwhile; the next view asks again.
    )
    return () => {
      current = false
    }
  }, [session, id, epoch, status])
  return ofView
}
