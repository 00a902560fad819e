import { type FormEvent, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import type { KeymootApp } from "../app.ts"
import type { Problem } from "../problem.ts"
import { readInvitation } from "../arrival.ts"
import { Brand } from "../ui/Brand.tsx"
import { MyCard } from "../roster/MyCard.tsx"
import { NameField } from "../ui/NameField.tsx"
import { TextField } from "../ui/TextField.tsx"
import { useNameField } from "../ui/useNameField.ts"
import { CryptographyFields } from "./CryptographyFields.tsx"
import { type ConferenceOptions, DEFAULT_OPTIONS, StartOptionsFields } from "./StartOptionsFields.tsx"
import { openingOf } from "../schedule/opening.ts"
import { MyConferences } from "./MyConferences.tsx"
import { HideAddress } from "./HideAddress.tsx"
import { ProblemText } from "./ProblemText.tsx"
import { SettingsButton } from "../settings/SettingsButton.tsx"
import { ProtectionNote } from "./ProtectionNote.tsx"

type StartScreenProps = {
  readonly app: KeymootApp
  readonly problem: Problem | null
  /** The choices of a failed attempt. */
  readonly options: ConferenceOptions | null
  readonly lastName: string | null
}

export function StartScreen({ app, problem, options: chosen, lastName }: StartScreenProps) {
  const { t } = useTranslation()
  const name = useNameField(lastName)
  const [options, setOptions] = useState(chosen ?? DEFAULT_OPTIONS)
  const [wrong, setWrong] = useState(NOTHING_WRONG)
  const folded = useRef<HTMLDetailsElement>(null)

  function start(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const taken = name.take(event.currentTarget)
    const found = faultsOf(options, event.currentTarget)
    const isWrong = Object.values(found).includes(true)
    // The faulty field is in it. A field that is folded up shows no error, and takes no focus.
    if (isWrong) folded.current!.open = true
    setWrong(found)
    if (taken !== null && !isWrong) app.start({ name: taken, ...options })
  }

  function onIdentity(): void {
    name.dropTyped()
    app.onIdentity()
  }

  return (
    <main className="page">
      <div className="card">
        <div className="card-head">
          <h1>
            <Brand />
          </h1>
          <SettingsButton onIdentity={onIdentity} onDiagnostics={null} />
        </div>
        <p className="lead">{t("start.lead")}</p>
        {problem !== null && <ProblemText problem={problem} />}
        <form onSubmit={start} noValidate>
          <NameField field={name} />
          <details className="advanced" ref={folded}>
            <summary>{t("start.options")}</summary>
            <StartOptionsFields options={options} onOptions={setOptions} {...wrong} />
            <HideAddress />
          </details>
          <details className="advanced">
            <summary>{t("start.cryptography")}</summary>
            <CryptographyFields options={options} onOptions={setOptions} />
          </details>
          <p className="at-hand">
            <button type="submit" className="button primary wide">
              {t("start.create")}
            </button>
          </p>
        </form>
        <p className="divider">
          <span>{t("start.or")}</span>
        </p>
        <LinkForm app={app} name={name.value} />
        <MyConferences takeName={name.take} onReturn={app.resume} />
        <MyCard takeName={name.take} />
      </div>
      <ProtectionNote />
    </main>
  )
}

const NOTHING_WRONG = { peopleMissing: false, authorityMissing: false, openingWrong: false }

function faultsOf(options: ConferenceOptions, form: HTMLFormElement): typeof NOTHING_WRONG {
  const { admission, people, authority, opensAt, durationMs } = options
  // An incomplete time has an empty value, as if none was wanted, and no event tells of it.
  const isIncomplete = [...form.elements].some((field) => field instanceof HTMLInputElement && field.validity.badInput)
  return {
    peopleMissing: admission === "roster" && people.length === 0,
    authorityMissing: admission === "ca" && authority === null,
    openingWrong: isIncomplete || openingOf(opensAt, durationMs, Date.now()) === "wrong",
  }
}

/** Opens the link's preview, which asks for a name if it is missing here. */
function LinkForm({ app, name }: { readonly app: KeymootApp; readonly name: string }) {
  const { t } = useTranslation()
  const [link, setLink] = useState("")
  const [error, setError] = useState<string | null>(null)

  function join(event: FormEvent): void {
    event.preventDefault()
    const invitation = readInvitation(link)
    if (invitation === null) return setError(t("start.linkInvalid"))
    if (invitation.origin !== location.origin)
      return setError(t("start.linkElsewhere", { host: new URL(invitation.origin).host }))
    app.follow(invitation.url, name.trim())
  }

  return (
    <form className="link-form" onSubmit={join} noValidate>
      <TextField
        label={t("start.link")}
        error={error}
        value={link}
        onValue={setLink}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
      />
      <button type="submit" className="button">
        {t("start.join")}
      </button>
    </form>
  )
}
