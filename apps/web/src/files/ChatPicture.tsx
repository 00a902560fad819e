import type { SharedFile } from "@keymoot/core"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { Modal } from "../ui/Modal.tsx"

type ChatPictureProps = { readonly file: SharedFile; readonly preview: string; readonly session: Session }

/** A picture in the conversation. It opens as large as the window. */
export function ChatPicture({ file, preview, session }: ChatPictureProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="file-preview"
        aria-haspopup="dialog"
        title={t("files.openPicture")}
        onClick={() => setOpen(true)}
      >
        <img src={preview} alt={t("files.picture", { name: file.name })} />
      </button>
      <Modal title={file.name} closeLabel={t("protection.close")} open={open} onOpenChange={setOpen}>
        <LargePicture file={file} preview={preview} session={session} />
      </Modal>
    </>
  )
}

/** The preview until the picture has been redrawn in its full size. */
function LargePicture({ file, preview, session }: ChatPictureProps) {
  const { t } = useTranslation()
  const [large, setLarge] = useState<string | null>(null)
  useEffect(() => {
    let url: string | null = null
    let isShown = true
    void session.files.picture(file).then((picture) => {
      if (picture !== null && isShown) setLarge((url = URL.createObjectURL(picture)))
    })
    return () => {
      isShown = false
      if (url !== null) URL.revokeObjectURL(url)
    }
  }, [file, session])
  return (
    <>
      <img className="large-picture" src={large ?? preview} alt={t("files.picture", { name: file.name })} />
      <div className="actions">
        <button type="button" className="button" onClick={() => void session.files.save(file)}>
          {t("files.save")}
        </button>
      </div>
    </>
  )
}
