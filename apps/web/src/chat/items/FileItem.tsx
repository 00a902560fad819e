import type { ChannelMessage, SharedFile } from "@keymoot/core"
import { FileText } from "lucide-react"
import { memo, useSyncExternalStore } from "react"
import { useTranslation } from "react-i18next"
import { ChatPicture } from "../../files/ChatPicture.tsx"
import { formatBytes } from "../../files/formatBytes.ts"
import type { FileState } from "../../session/files.ts"
import { textOf } from "../../session/marks.ts"
import type { Session } from "../../session/session.ts"
import { ErasingState } from "./ErasingState.tsx"
import { MessageHead } from "./MessageHead.tsx"
import { MoreButton } from "./MoreButton.tsx"
import { Reactions } from "./Reactions.tsx"
import { WaitsForOthers } from "./WaitsForOthers.tsx"
import { Failure } from "../../ui/feedback/Failure.tsx"

type FileItemProps = {
  readonly message: ChannelMessage
  readonly file: SharedFile
  readonly session: Session
  /** Off: a screen reader does not announce it. */
  readonly live?: "off" | undefined
}

/** A shared file. It is saved and never opened. A picture is shown redrawn. */
export const FileItem = memo(function FileItem({ message, file, session, live }: FileItemProps) {
  const { t, i18n } = useTranslation()
  const { states, previews } = session.files
  const state = useSyncExternalStore(states.subscribe, () => states.get().get(file.id))
  const preview = useSyncExternalStore(previews.subscribe, () => previews.get().get(file.id))
  const marks = useSyncExternalStore(session.marks.subscribe, () => session.marks.get().get(message.id))
  const deleted = textOf(message, marks) === null
  return (
    <article data-message={message.id} className="message" data-own={message.from.self} aria-live={live}>
      <MessageHead message={message} session={session}>
        {!deleted && <MoreButton message={message} text={null} session={session} />}
      </MessageHead>
      {deleted ? (
        <p className="message-text hint">{t("chat.deleted")}</p>
      ) : (
        <>
          {preview !== undefined && <ChatPicture file={file} preview={preview} session={session} />}
          <p className="file-name">
            <FileText aria-hidden />
            <span>
              <bdi>{file.name}</bdi> <span className="file-size">{formatBytes(file.sizeBytes, i18n.language)}</span>
            </span>
          </p>
          <FileActions file={file} own={message.from.self} state={state} session={session} />
          <Reactions message={message} marks={marks} session={session} />
        </>
      )}
      <WaitsForOthers message={message} session={session} />
      <ErasingState message={message} deleted={deleted} session={session} />
    </article>
  )
})

type FileActionsProps = {
  readonly file: SharedFile
  readonly own: boolean
  readonly state: FileState | undefined
  readonly session: Session
}

function FileActions({ file, own, state, session }: FileActionsProps) {
  const { t, i18n } = useTranslation()
  const { name, sizeBytes } = file
  if (state?.kind === "coming") {
    const percent = Math.floor((100 * state.receivedBytes) / sizeBytes)
    return (
      <div className="file-actions">
        <progress aria-label={t("files.progress", { name })} value={state.receivedBytes} max={sizeBytes} />
        <span className="message-time" aria-hidden>
          {t("files.percent", { percent })}
        </span>
        <button
          type="button"
          className="link-button"
          aria-label={t("files.cancelNamed", { name })}
          onClick={() => session.files.cancel(file)}
        >
          {t("files.cancel")}
        </button>
        {state.waiting && <p className="message-state">{t("files.waiting")}</p>}
      </div>
    )
  }
  const kept = state?.kind === "away" ? state.keptBytes : 0
  return (
    <div className="file-actions">
      {state?.kind === "failed" && <Failure text={t(`problem.codes.${state.code}`)} />}
      <button
        type="button"
        className="link-button"
        aria-label={t("files.saveNamed", { name })}
        onClick={() => void session.files.save(file)}
      >
        {state?.kind === "failed" ? t("chat.retry") : t("files.save")}
      </button>
      {kept > 0 && <span className="message-time">{t("files.kept", { size: formatBytes(kept, i18n.language) })}</span>}
      {state?.kind === "here" && !own && <span className="message-time">{t("files.here")}</span>}
    </div>
  )
}
