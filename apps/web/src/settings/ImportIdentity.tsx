import { type FormEvent, useId, useState } from "react"
import { useTranslation } from "react-i18next"
import { TextField } from "../ui/TextField.tsx"
import type { Acting } from "./IdentitySettings.tsx"

/** Larger files are not backups, and are not read. */
const FILE_BYTES_MAX = 64 * 1024

/** Imports an identity from its backup. */
export function ImportIdentity({ act, failure }: Acting) {
  const { t } = useTranslation()
  const id = useId()
  const [file, setFile] = useState<File | null>(null)
  const [passphrase, setPassphrase] = useState("")
  const [done, setDone] = useState(false)

  async function restore(event: FormEvent): Promise<void> {
    event.preventDefault()
    setDone(false)
    if (file === null) return
    const isRestored = await act(async (identities) => {
      const backup = new Uint8Array(await file.slice(0, FILE_BYTES_MAX).arrayBuffer())
      await identities.restore({ backup, passphrase })
    })
    setDone(isRestored)
    if (isRestored) setPassphrase("")
  }

  return (
    <details className="advanced">
      <summary>{t("identity.import")}</summary>
      <form onSubmit={(event) => void restore(event)} noValidate>
        <div className="field">
          <label htmlFor={id}>{t("identity.file")}</label>
          <input id={id} type="file" onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)} />
        </div>
        <TextField
          label={t("identity.itsPassphrase")}
          error={null}
          type="password"
          value={passphrase}
          onValue={setPassphrase}
          autoComplete="off"
        />
        <button type="submit" className="button" disabled={file === null}>
          {t("identity.restore")}
        </button>
        {failure}
      </form>
      <p className="hint" role="status">
        {done && t("identity.restored")}
      </p>
    </details>
  )
}
