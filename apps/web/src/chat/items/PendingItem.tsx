import type { ConferenceView } from "@keymoot/core"
import type { TFunction } from "i18next"
import { useTranslation } from "react-i18next"
import { listNames } from "../../conference/names.ts"
import { decodeReply } from "../../session/reply.ts"
import type { Pending } from "../../session/sending.ts"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import { MessageText } from "./MessageText.tsx"
import { Quote } from "../replies/Quote.tsx"

/** My message that is being sent, or one that failed and keeps its text. */
export function PendingItem({ item, session }: { readonly item: Pending; readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const view = useStore(session.view)
  const { to, text } = decodeReply(item.text)
  return (
    <article
      className="message"
      data-own="true"
      data-pending={item.failed === null ? "sending" : "failed"}
      aria-live="off"
    >
      {to !== null && <Quote session={session} of={to} />}
      <MessageText text={text} />
      {item.failed === null ? (
        <p className="message-state">{view.status === "secured" ? t("chat.sending") : t("chat.waiting")}</p>
      ) : (
        <div className="message-state">
          <p className="field-error" role="alert">
            {t("chat.failed")} {reasonOf(item, view, t, i18n.language)}
          </p>
          <button type="button" className="link-button" onClick={() => session.retry(item.key)}>
            {t(item.failed === "unseen-readers" ? "chat.sendAnyway" : "chat.retry")}
          </button>
          <button type="button" className="link-button" onClick={() => session.discard(item.key)}>
            {t("chat.discard")}
          </button>
        </div>
      )}
    </article>
  )
}

/** Names members that would get the message but that the page had not shown when the person sent it. */
function reasonOf({ failed, readers }: Pending, { members }: ConferenceView, t: TFunction, language: string): string {
  if (failed === "interrupted") return t("chat.interrupted")
  const unseen = members.filter(({ id, self }) => !self && !readers.includes(id))
  if (failed !== "unseen-readers" || unseen.length === 0) return t(`problem.codes.${failed ?? "internal"}`)
  return t("chat.joinedBefore", { count: unseen.length, names: listNames(unseen, language) })
}
