import { Paperclip } from "lucide-react"
import { useRef } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"

/** Chooses files, for devices without drag and drop. */
export function AttachButton({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-hidden
        tabIndex={-1}
        onChange={(event) => {
          session.files.share([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ""
        }}
      />
      <button
        type="button"
        className="icon-button"
        aria-label={t("files.attach")}
        title={`${t("files.attach")}. ${t("files.limit")}`}
        onClick={() => input.current?.click()}
      >
        <Paperclip aria-hidden />
      </button>
    </>
  )
}
