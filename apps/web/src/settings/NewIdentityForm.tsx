import { type FormEvent, useState } from "react"
import { useTranslation } from "react-i18next"
import { save } from "../ui/save.ts"
import { TextField } from "../ui/TextField.tsx"
import { cutName } from "../ui/cut-name.ts"
import type { Acting } from "./IdentitySettings.tsx"

const PASSPHRASE_LENGTH_MIN = 12

/** A backup is possible only now: later the key cannot be exported from the browser. */
export function NewIdentityForm({ act, failure }: Acting) {
  const { t } = useTranslation()
  const [name, setName] = useState("")
  const [passphrase, setPassphrase] = useState("")
  const [again, setAgain] = useState("")
  const [error, setError] = useState<"nameMissing" | "short" | "different" | null>(null)
  const [saved, setSaved] = useState(false)

  async function create(event: FormEvent): Promise<void> {
    event.preventDefault()
    const wrong = objection(name, passphrase, again)
    setError(wrong)
    setSaved(false)
    if (wrong !== null) return
    const isMade = await act(async (identities) => {
      const { backup } = await identities.create(passphrase === "" ? { name } : { name, passphrase })
      if (backup !== null)
        save(
          new Blob([backup as Uint8Array<ArrayBuffer>], { type: "application/octet-stream" }),
          `${name}.keymoot-identity`,
        )
    })
    if (!isMade) return
    setSaved(passphrase !== "")
    for (const empty of [setName, setPassphrase, setAgain]) empty("")
  }

  return (
    <details className="advanced">
      <summary>{t("identity.new")}</summary>
      <form onSubmit={(event) => void create(event)} noValidate>
        <p className="hint">{t("identity.newHint")}</p>
        <TextField
          label={t("identity.newName")}
          error={error === "nameMissing" ? t("start.nameMissing") : null}
          value={name}
          onValue={(typed) => setName(cutName(typed))}
          autoComplete="off"
        />
        <TextField
          label={t("identity.passphrase")}
          error={error === "short" ? t("identity.short", { count: PASSPHRASE_LENGTH_MIN }) : null}
          type="password"
          value={passphrase}
          onValue={setPassphrase}
          autoComplete="new-password"
        />
        <TextField
          label={t("identity.again")}
          error={error === "different" ? t("identity.different") : null}
          type="password"
          value={again}
          onValue={setAgain}
          autoComplete="new-password"
        />
        <button type="submit" className="button">
          {t("identity.create")}
        </button>
        {failure}
      </form>
      <p className="hint" role="status">
        {saved && t("identity.saved")}
      </p>
    </details>
  )
}

function objection(name: string, passphrase: string, again: string): "nameMissing" | "short" | "different" | null {
  if (name.trim() === "") return "nameMissing"
  if (passphrase !== "" && [...passphrase].length < PASSPHRASE_LENGTH_MIN) return "short"
  return passphrase === again ? null : "different"
}
