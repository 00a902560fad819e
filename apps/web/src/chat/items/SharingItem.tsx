import { useTranslation } from "react-i18next"
import type { Sharing } from "../../session/files.ts"
import type { Session } from "../../session/session.ts"

/** My file that is being read, or could not be shared. */
export function SharingItem({ item, session }: { readonly item: Sharing; readonly session: Session }) {
  const { t } = useTranslation()
  const { key, name, sizeBytes, readBytes, failed, others } = item
  return (
    <article className="message" data-own="true" data-pending={failed === null ? "sending" : "failed"} aria-live="off">
      <p className="file-name">
        <bdi>{name}</bdi>
      </p>
      {failed === null ? (
        <div className="file-actions">
          <progress aria-label={t("files.preparing", { name })} value={readBytes} max={sizeBytes} />
          <button
            type="button"
            className="link-button"
            aria-label={t("files.cancelNamed", { name })}
            onClick={() => session.files.discard(key)}
          >
            {t("files.cancel")}
          </button>
        </div>
      ) : (
        <div className="message-state">
          <p className="field-error" role="alert">
            {others === 0 ? t("files.notShared", { name }) : t("files.notSharedMore", { name, count: others })}{" "}
            {failed === "too-large" ? t("files.limit") : t(`problem.codes.${failed}`)}
          </p>
          <button type="button" className="link-button" onClick={() => session.files.discard(key)}>
            {t("chat.discard")}
          </button>
        </div>
      )}
    </article>
  )
}
