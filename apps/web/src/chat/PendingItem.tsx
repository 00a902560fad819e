import { useTranslation } from "react-i18next"
import type { Pending } from "../session/sending.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { MessageText } from "./MessageText.tsx"

/** A message of mine on its way, or one that did not get through and keeps its text. */
export function PendingItem({ item, session }: { readonly item: Pending; readonly session: Session }) {
  const { t } = useTranslation()
  const { status } = useStore(session.view)
  return (
    <article
      className="message"
      data-own="true"
      data-pending={item.failed === null ? "sending" : "failed"}
      aria-live="off"
    >
      <MessageText text={item.text} />
      {item.failed === null ? (
        <p className="message-state">{status === "secured" ? t("chat.sending") : t("chat.waiting")}</p>
      ) : (
        <div className="message-state">
          <p className="field-error" role="alert">
            {t("chat.failed")}{" "}
            {item.failed === "interrupted" ? t("chat.interrupted") : t(`problem.codes.${item.failed}`)}
          </p>
          <button type="button" className="link-button" onClick={() => session.retry(item.key)}>
            {t("chat.retry")}
          </button>
          <button type="button" className="link-button" onClick={() => session.discard(item.key)}>
            {t("chat.discard")}
          </button>
        </div>
      )}
    </article>
  )
}
