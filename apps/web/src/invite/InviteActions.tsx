import { CalendarPlus, Check, MessageSquareText } from "lucide-react"
import { useTranslation } from "react-i18next"
import { useCopy } from "../ui/feedback/useCopy.ts"
import { save } from "../ui/save.ts"
import { invitationCalendar, invitationText, type Invited } from "./invitation.ts"

/** Copies a text to send, and saves an event for a calendar. Both hold the whole link. */
export function InviteActions({ invited }: { readonly invited: Invited }) {
  const { t, i18n } = useTranslation()
  const { state, copy } = useCopy()
  const text = invitationText(invited, Date.now(), t, i18n.language)

  function saveCalendar(): void {
    const file = invitationCalendar(invited, Date.now(), t)
    save(new Blob([file], { type: "text/calendar;charset=utf-8" }), `keymoot-${invited.id.slice(0, 8)}.ics`)
  }

  return (
    <>
      <div className="actions">
        <button type="button" className="button" onClick={() => void copy(text)}>
          {state === "copied" ? <Check aria-hidden /> : <MessageSquareText aria-hidden />}
          {t(state === "copied" ? "invite.copied" : "invite.copy")}
        </button>
        <button type="button" className="button" onClick={saveCalendar}>
          <CalendarPlus aria-hidden /> {t("invite.calendar")}
        </button>
      </div>
      <p className="visually-hidden" role="status">
        {state === "copied" && t("invite.copied")}
      </p>
      {state === "by-hand" && (
        <textarea
          className="wide"
          readOnly
          rows={6}
          aria-label={t("invite.label")}
          value={text}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
    </>
  )
}
