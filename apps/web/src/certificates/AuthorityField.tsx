import { Identities } from "@keymoot/core"
import { useEffect, useId, useState } from "react"
import { useTranslation } from "react-i18next"
import { Choice } from "../ui/Choice.tsx"
import { readCertificateFile } from "./read-file.ts"

/** An authority whose people may enter. `certificate`: PEM or DER. */
export type ChosenAuthority = { readonly name: string; readonly certificate: Uint8Array | string }

/** A change of the choice as it is then: it may have changed while the engine started or a file was read. */
type OnAuthority = (change: (before: ChosenAuthority | null) => ChosenAuthority | null) => void

type AuthorityFieldProps = {
  readonly authority: ChosenAuthority | null
  readonly onAuthority: OnAuthority
  /** The form was submitted without one. */
  readonly missing: boolean
}

/** Chooses an authority: one that has certified this identity, or one by its certificate's file. */
export function AuthorityField({ authority, onAuthority, missing }: AuthorityFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const known = useKnownAuthorities(onAuthority)
  const names = known.map(({ name }) => name)
  const wrong = missing && authority === null
  return (
    <div className="roster">
      {known.length > 0 && (
        <Choice
          label={t("certificates.authority")}
          choices={authority === null || names.includes(authority.name) ? names : [authority.name, ...names]}
          chosen={authority?.name ?? ""}
          onChoose={(name) => onAuthority((before) => known.find((each) => each.name === name) ?? before)}
          describe={(name) => name}
        />
      )}
      <div className="field">
        <label htmlFor={id}>{t("certificates.authorityFile")}</label>
        <input
          id={id}
          type="file"
          aria-invalid={wrong}
          aria-describedby={wrong ? `${id}-error` : `${id}-hint`}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            if (file)
              void readCertificateFile(file).then((certificate) =>
                onAuthority(() => ({ name: file.name, certificate })),
              )
          }}
        />
        {wrong && (
          <p id={`${id}-error`} className="field-error" role="alert">
            {t("certificates.authorityMissing")}
          </p>
        )}
        <p id={`${id}-hint`} className="hint">
          {authority !== null && t("certificates.chosen", { name: authority.name })} {t("certificates.authorityHint")}
        </p>
      </div>
    </div>
  )
}

/** The authorities of the identity that is chosen on this device; the first is proposed if none is chosen by then. */
function useKnownAuthorities(onAuthority: OnAuthority): readonly ChosenAuthority[] {
  const [known, setKnown] = useState<readonly ChosenAuthority[]>([])
  useEffect(() => {
    let shown = true
    void authoritiesOfChosen().then((authorities) => {
      if (!shown) return
      setKnown(authorities)
      const [first] = authorities
      if (first) onAuthority((before) => before ?? first)
    })
    return () => {
      shown = false
    }
    // Once: the parent's setter takes a change, so its first one serves as well as later ones.
  }, [])
  return known
}

async function authoritiesOfChosen(): Promise<readonly ChosenAuthority[]> {
  const identities = await Identities.open()
  try {
    const chosen = (await identities.list()).find((identity) => identity.chosen)
    return chosen?.certifications.map(({ authority }) => authority) ?? []
  } catch {
    return [] // Storage that cannot be read is reported when an identity is needed.
  } finally {
    identities.close()
  }
}
