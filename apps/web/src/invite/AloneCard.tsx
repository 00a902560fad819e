import { UserPlus } from "lucide-react"
import { Suspense, useState } from "react"
import { useTranslation } from "react-i18next"
import { timeOf } from "../ending/timeOf.ts"
import { QrCode } from "../people/lazyPeople.tsx"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { Modal } from "../ui/Modal.tsx"
import { InvitationHint } from "./InvitationHint.tsx"
import { InviteActions } from "./InviteActions.tsx"

/** Whether nobody else has come yet, or everybody has left. Somebody who is lost may return without a link. */
export function useAlone(session: Session): boolean {
  const { status, members } = useStore(session.view)
  const lost = useStore(session.lost)
  const late = useStore(session.late)
  return status === "secured" && members.length === 1 && lost.length === 0 && !late && !session.handle.copyOnly
}

/** Above an empty chat: how to meet somebody here. */
export function AloneCard({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  if (!useAlone(session)) return null
  return (
    <section className="alone-card" aria-label={t("invite.title")}>
      <h2 className="panel-lead">{t("invite.title")}</h2>
      <Invite session={session} />
    </section>
  )
}

/** The same on a phone, where the side panel is closed. */
export function AloneBanner({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  if (!useAlone(session)) return null
  return (
    <>
      <p className="banner plain alone-banner">
        <UserPlus aria-hidden /> <span>{t("invite.alone")}</span>
        <button type="button" className="button banner-button" onClick={() => setOpen(true)}>
          {t("invite.title")}
        </button>
      </p>
      <Modal title={t("invite.title")} closeLabel={t("protection.close")} open={open} onOpenChange={setOpen}>
        <Invite session={session} />
      </Modal>
    </>
  )
}

function Invite({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const { handle } = session
  const { endsAtMs } = useStore(session.admission)
  const url = useStore(session.invitation)
  const [shown, setShown] = useState(false)
  const isCreator = useStore(session.view).members.some(({ self, rank }) => self && rank === 0)
  const { id, title, timeFrame, admission } = handle
  const { policy } = admission
  const invited = { id, title, url, opensAtMs: timeFrame.opensAtMs, endsAtMs, policy }
  return (
    <>
      {!isCreator && <p>{t("invite.nobody")}</p>}
      <ol className="next-steps">
        <li>{t("invite.send")}</li>
        <li>{t(handle.history === "everything" ? "invite.begin" : "invite.beginUnseen")}</li>
        <li>{t("invite.return", { time: timeOf(endsAtMs, i18n.language) })}</li>
      </ol>
      <InviteActions invited={invited} />
      {/* Folded: who films or shares this screen must not get in by it. */}
      <details className="advanced" onToggle={(event) => setShown(event.currentTarget.open)}>
        <summary>{t("invite.show")}</summary>
        {shown && (
          <>
            <div className="field">
              <input
                readOnly
                aria-label={t("start.link")}
                value={url}
                onFocus={(event) => event.currentTarget.select()}
              />
            </div>
            <Suspense fallback={null}>
              <QrCode text={url} label={t("invitation.qr")} />
            </Suspense>
            <InvitationHint policy={policy} />
          </>
        )}
      </details>
    </>
  )
}
