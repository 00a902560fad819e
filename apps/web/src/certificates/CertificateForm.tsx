import type { StoredIdentity } from "@keymoot/core"
import { type FormEvent, type RefObject, useId, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Acting } from "../settings/IdentitySettings.tsx"
import { save } from "../ui/save.ts"
import { readCertificateFile } from "./read-file.ts"

type CertificateFormProps = Acting & { readonly identity: StoredIdentity }

/** Gets an organisation's certificate for an identity: saves a request as a file, and imports the answer. */
export function CertificateForm({ identity, act, failure }: CertificateFormProps) {
  const { t, i18n } = useTranslation()
  const [done, setDone] = useState<"requested" | "imported" | null>(null)
  const [certificate, authority] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)]
  const dateOf = (atMs: number): string => new Intl.DateTimeFormat(i18n.language, { dateStyle: "medium" }).format(atMs)

  async function request(): Promise<void> {
    setDone(null)
    const isMade = await act(async (identities) => {
      const pem = await identities.certificateRequest(identity.id)
      save(new Blob([pem], { type: "application/pkcs10" }), `${identity.name}.csr`)
    })
    if (isMade) setDone("requested")
  }

  async function take(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    setDone(null)
    const [issued, issuer] = [certificate.current?.files?.[0], authority.current?.files?.[0]]
    if (!issued || !issuer) return (issued ? authority : certificate).current?.focus()
    const isTaken = await act(async (identities) =>
      identities.certify(identity.id, {
        certificate: await readCertificateFile(issued),
        authority: await readCertificateFile(issuer),
      }),
    )
    if (isTaken) setDone("imported")
  }

  return (
    <details className="advanced">
      <summary>{t("certificates.title")}</summary>
      <p className="hint">{t("certificates.hint")}</p>
      <ul className="plain-list">
        {identity.certifications.map(({ name, authority: by, validUntilMs }) => (
          <li key={by.fingerprint}>
            {t("certificates.held", { name, authority: by.name, date: dateOf(validUntilMs) })}
          </li>
        ))}
      </ul>
      <button type="button" className="button" onClick={() => void request()}>
        {t("certificates.request")}
      </button>
      <form onSubmit={(event) => void take(event)} noValidate>
        <FileField label={t("certificates.certificateFile")} inputRef={certificate} />
        <FileField label={t("certificates.authorityFile")} inputRef={authority} />
        <button type="submit" className="button">
          {t("certificates.import")}
        </button>
      </form>
      {failure}
      <p className="hint" role="status">
        {done === "requested" && t("certificates.requested")}
        {done === "imported" && t("certificates.imported")}
      </p>
    </details>
  )
}

type FileFieldProps = { readonly label: string; readonly inputRef: RefObject<HTMLInputElement> }

function FileField({ label, inputRef }: FileFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} ref={inputRef} type="file" />
    </div>
  )
}
