import { type ErrorCode, Identities, type IdentitiesHandle, KeymootError, type StoredIdentity } from "@keymoot/core"
import { type RefObject, useEffect, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { ForgetStep } from "../ui/ForgetStep.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { TextField } from "../ui/TextField.tsx"
import { cutName } from "../ui/cut-name.ts"
import { CertificateForm } from "../certificates/CertificateForm.tsx"
import { LazyDirectoryEntry } from "../directory/LazyDirectory.tsx"
import { ImportIdentity } from "./ImportIdentity.tsx"
import { NewIdentityForm } from "./NewIdentityForm.tsx"
import { keyDigits } from "../ui/keyDigits.ts"

export type Act = (action: (identities: IdentitiesHandle) => Promise<unknown>) => Promise<boolean>

/** The identities of this device: choose, rename, create, import and remove. */
export function IdentitySettings({ onIdentity }: { readonly onIdentity: () => void }) {
  const { t } = useTranslation()
  const [list, setList] = useState<readonly StoredIdentity[] | null>(null)
  const [problem, setProblem] = useState<ErrorCode | null>(null)
  const [working, setWorking] = useState(false)
  const fieldset = useRef<HTMLFieldSetElement>(null)
  const identities = useIdentities(setList, setProblem)

  const act: Act = async (action) => {
    const handle = identities.current
    // One at a time. Nothing is disabled meanwhile: it would lose the focus.
    if (handle === null || working) return false
    setProblem(null)
    setWorking(true)
    try {
      await action(handle)
      const next = await handle.list()
      setList(next)
      const [before, after] = [chosenOf(list), chosenOf(next)]
      if (after?.id !== before?.id || after?.name !== before?.name) onIdentity()
      return true
    } catch (error) {
      setProblem(error instanceof KeymootError ? error.code : "internal")
      return false
    } finally {
      setWorking(false)
    }
  }

  function remove(id: string): void {
    // The focused element is removed.
    fieldset.current?.focus()
    void act((handle) => handle.remove(id))
  }

  const chosen = chosenOf(list)
  return (
    <>
      <fieldset ref={fieldset} className="identities" tabIndex={-1}>
        <legend className="visually-hidden">{t("identity.title")}</legend>
        {list?.map((identity) => (
          <label key={identity.id} className="identity">
            <input
              type="radio"
              name="identity"
              checked={identity.chosen}
              onChange={() => void act((handle) => handle.choose(identity.id))}
            />
            <bdi>{identity.name}</bdi>
            <span className="hint">{t("identity.key", { digits: keyDigits(identity.publicKey) })}</span>
          </label>
        ))}
        {list?.length === 0 && <p className="hint">{t("identity.none")}</p>}
      </fieldset>
      {problem !== null && <Failure text={t(problem === "too-large" ? "identity.full" : `problem.codes.${problem}`)} />}
      {working && (
        <p className="hint" role="status">
          {t("identity.working")}
        </p>
      )}
      {chosen && <Rename key={`${chosen.id} ${chosen.name}`} identity={chosen} act={act} />}
      {chosen && <CertificateForm key={`${chosen.id} certificate`} identity={chosen} act={act} />}
      {chosen && <LazyDirectoryEntry key={`${chosen.id} ${chosen.name} listed`} identity={chosen} />}
      {chosen && <Remove key={chosen.id} identity={chosen} onRemove={() => remove(chosen.id)} />}
      <NewIdentityForm act={act} />
      <ImportIdentity act={act} />
    </>
  )
}

function chosenOf(list: readonly StoredIdentity[] | null): StoredIdentity | undefined {
  return list?.find((identity) => identity.chosen)
}

/** One engine for as long as the dialog is open. */
function useIdentities(
  onList: (list: readonly StoredIdentity[]) => void,
  onProblem: (problem: ErrorCode) => void,
): RefObject<IdentitiesHandle> {
  const handle = useRef<IdentitiesHandle | null>(null)
  useEffect(() => {
    let open = true
    void Identities.open().then(async (identities) => {
      if (!open) return identities.close()
      handle.current = identities
      try {
        const list = await identities.list()
        if (open) onList(list)
      } catch (error) {
        if (open) onProblem(error instanceof KeymootError ? error.code : "internal")
      }
    })
    return () => {
      open = false
      handle.current?.close()
      handle.current = null
    }
  }, [onList, onProblem])
  return handle
}

function Rename({ identity, act }: { readonly identity: StoredIdentity; readonly act: Act }) {
  const { t } = useTranslation()
  const [name, setName] = useState(identity.name)
  return (
    <form
      className="identity-form"
      onSubmit={(event) => {
        event.preventDefault()
        void act((handle) => handle.rename(identity.id, name))
      }}
    >
      <TextField
        label={t("identity.name")}
        error={null}
        value={name}
        onValue={(typed) => setName(cutName(typed))}
        autoComplete="off"
      />
      <button type="submit" className="button" disabled={name.trim() === "" || name.trim() === identity.name}>
        {t("identity.rename")}
      </button>
    </form>
  )
}

function Remove({ identity, onRemove }: { readonly identity: StoredIdentity; readonly onRemove: () => void }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button ref={opener} type="button" className="link-button" onClick={() => setAsking(true)}>
        {t("identity.remove")}
      </button>
      {asking && (
        <ForgetStep
          question={t("identity.removeHint", { name: identity.name })}
          forget={t("identity.removeNow")}
          opener={opener}
          onForget={onRemove}
          onKeep={() => setAsking(false)}
        />
      )}
    </>
  )
}
