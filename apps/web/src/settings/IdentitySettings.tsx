import { type ErrorCode, Identities, type IdentitiesHandle, KeymootError, type StoredIdentity } from "@keymoot/core"
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react"
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

type Action = (identities: IdentitiesHandle) => Promise<unknown>
/** For one form: runs its action, and says there why the last one failed. */
export type Acting = {
  /** Returns false if the action has failed, or if another one goes on. */
  readonly act: (action: Action) => Promise<boolean>
  readonly failure: ReactNode
}
type Form = "list" | "rename" | "certificate" | "remove" | "new" | "import"
type Problem = { readonly form: Form; readonly code: ErrorCode }

/** The identities of this device: choose, rename, create, import and remove. */
export function IdentitySettings({ onIdentity }: { readonly onIdentity: () => void }) {
  const { t } = useTranslation()
  const [list, setList] = useState<readonly StoredIdentity[] | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [working, setWorking] = useState(false)
  const fieldset = useRef<HTMLFieldSetElement>(null)
  const identities = useIdentities(setList, setProblem)

  async function act(form: Form, action: Action): Promise<boolean> {
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
      setProblem({ form, code: codeOf(error) })
      return false
    } finally {
      setWorking(false)
    }
  }

  function acting(form: Form): Acting {
    const failure = problem?.form === form && <Failure text={t(textOf(problem.code))} />
    return { act: (action) => act(form, action), failure }
  }

  async function remove(id: string): Promise<void> {
    // The focused element is removed.
    if (await act("remove", (handle) => handle.remove(id))) fieldset.current?.focus()
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
              onChange={() => void act("list", (handle) => handle.choose(identity.id))}
            />
            <bdi>{identity.name}</bdi>
            <span className="hint">{t("identity.key", { digits: keyDigits(identity.publicKey) })}</span>
          </label>
        ))}
        {list?.length === 0 && <p className="hint">{t("identity.none")}</p>}
      </fieldset>
      {acting("list").failure}
      {working && (
        <p className="hint" role="status">
          {t("identity.working")}
        </p>
      )}
      {chosen && <Rename key={`${chosen.id} ${chosen.name}`} identity={chosen} {...acting("rename")} />}
      {chosen && <CertificateForm key={`${chosen.id} certificate`} identity={chosen} {...acting("certificate")} />}
      {chosen && <LazyDirectoryEntry key={`${chosen.id} ${chosen.name} listed`} identity={chosen} />}
      {chosen && <Remove key={chosen.id} identity={chosen} onRemove={() => void remove(chosen.id)} />}
      {acting("remove").failure}
      <NewIdentityForm {...acting("new")} />
      <ImportIdentity {...acting("import")} />
    </>
  )
}

function chosenOf(list: readonly StoredIdentity[] | null): StoredIdentity | undefined {
  return list?.find((identity) => identity.chosen)
}

/** The key of a text. Both exceptions mean something else outside of this dialog. */
function textOf(code: ErrorCode) {
  if (code === "too-large") return "identity.full"
  return code === "already-open" ? "identity.inConference" : (`problem.codes.${code}` as const)
}

function codeOf(error: unknown): ErrorCode {
  return error instanceof KeymootError ? error.code : "internal"
}

/** One engine for as long as the dialog is open. */
function useIdentities(
  onList: (list: readonly StoredIdentity[]) => void,
  onProblem: (problem: Problem) => void,
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
        if (open) onProblem({ form: "list", code: codeOf(error) })
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

function Rename({ identity, act, failure }: { readonly identity: StoredIdentity } & Acting) {
  const { t } = useTranslation()
  const [name, setName] = useState(identity.name)
  return (
    <>
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
      {failure}
    </>
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
