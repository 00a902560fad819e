import { Identity, type StoredIdentity } from "@keymoot/core"
import { type RefObject, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { useFocusBack } from "../ui/useFocusBack.ts"
import { DirectoryProblem } from "./DirectoryProblem.tsx"
import { useDirectory } from "./useDirectory.ts"

/** `name`: under which the server lists this identity; null for none that this device knows. */
type Entry = { readonly name: string | null }

/** Whether others find this identity by name on this server. The server is asked when the section is opened. */
export function DirectoryEntry({ identity }: { readonly identity: StoredIdentity }) {
  const { t } = useTranslation()
  const { problem, working, act } = useDirectory()
  const [entry, setEntry] = useState<Entry | null>(null)
  const [asking, setAsking] = useState(false)
  const summary = useRef<HTMLElement>(null)
  const publish = useRef<HTMLButtonElement>(null)
  const withdraw = useRef<HTMLButtonElement>(null)
  const { id, name } = identity
  const open = (): Promise<Identity> => Identity.open({ name, id })

  async function look(): Promise<void> {
    if (working) return
    setEntry(await act(open, async (directory) => ({ name: await directory.publishedName() })))
  }

  async function change(listed: boolean): Promise<void> {
    if (working) return
    const done = await act(open, async (directory) => {
      await (listed ? directory.publish() : directory.withdraw())
      return true
    })
    setAsking(false)
    if (done) setEntry({ name: listed ? name : null })
  }

  const found = entry?.name ?? null

  return (
    <details className="advanced" onToggle={(event) => event.currentTarget.open && entry === null && void look()}>
      <summary ref={summary}>{t("directory.title")}</summary>
      <p className="hint">{t("directory.hint")}</p>
      {problem !== null && (
        <DirectoryProblem problem={problem} working={working} opener={summary} onRetry={() => void look()} />
      )}
      <p role="status" className={entry === null && !working ? "visually-hidden" : ""}>
        {working
          ? t("identity.working")
          : entry && (found === null ? t("directory.notListed") : t("directory.listed", { name: found }))}
      </p>
      {entry !== null && found !== name && !asking && (
        <button ref={publish} type="button" className="button" onClick={() => setAsking(true)}>
          {t("directory.publish")}
        </button>
      )}
      {asking && (
        <PublishQuestion
          name={name}
          openers={[publish, withdraw]}
          onYes={() => void change(true)}
          onNo={() => working || setAsking(false)}
        />
      )}
      {entry !== null && found === null && !asking && <p className="hint">{t("directory.elsewhere")}</p>}
      {(entry !== null || problem === "certificate-mismatch") && !asking && (
        <button ref={withdraw} type="button" className="button" onClick={() => void change(false)}>
          {t("directory.withdraw")}
        </button>
      )}
    </details>
  )
}

type PublishQuestionProps = {
  readonly name: string
  /** The first of them that is there afterwards gets the focus. */
  readonly openers: readonly RefObject<HTMLElement>[]
  readonly onYes: () => void
  readonly onNo: () => void
}

/** Stays while the name is published: its button has the focus. */
function PublishQuestion({ name, openers, onYes, onNo }: PublishQuestionProps) {
  const { t } = useTranslation()
  useFocusBack(() => openers.find(({ current }) => current !== null)?.current)
  return (
    <div className="alarm-text" role="group" aria-label={t("directory.publish")}>
      <p>{t("directory.question", { name, server: location.host })}</p>
      <div className="actions">
        <button type="button" className="button" autoFocus onClick={onNo}>
          {t("directory.no")}
        </button>
        <button type="button" className="button" onClick={onYes}>
          {t("directory.yes")}
        </button>
      </div>
    </div>
  )
}
