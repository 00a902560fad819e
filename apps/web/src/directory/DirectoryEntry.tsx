import { Identity, type StoredIdentity } from "@keymoot/core"
import { useState } from "react"
import { useTranslation } from "react-i18next"
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
  const { id, name } = identity
  const open = (): Promise<Identity> => Identity.open({ name, id })

  async function look(): Promise<void> {
    if (working) return
    setEntry(await act(open, async (directory) => ({ name: await directory.publishedName() })))
  }

  async function change(publish: boolean): Promise<void> {
    setAsking(false)
    const done = await act(open, async (directory) => {
      await (publish ? directory.publish() : directory.withdraw())
      return true
    })
    if (done) setEntry({ name: publish ? name : null })
  }

  const found = entry?.name ?? null

  return (
    <details className="advanced" onToggle={(event) => event.currentTarget.open && entry === null && void look()}>
      <summary>{t("directory.title")}</summary>
      <p className="hint">{t("directory.hint")}</p>
      {problem !== null && <DirectoryProblem problem={problem} onRetry={() => void look()} />}
      <p role="status" className={entry === null ? "visually-hidden" : ""}>
        {entry !== null && (found === null ? t("directory.notListed") : t("directory.listed", { name: found }))}
      </p>
      {entry !== null && found !== name && !asking && (
        <button type="button" className="button" onClick={() => setAsking(true)}>
          {t("directory.publish")}
        </button>
      )}
      {asking && (
        <div className="alarm-text" role="group" aria-label={t("directory.publish")}>
          <p>{t("directory.question", { name, server: location.host })}</p>
          <div className="actions">
            <button type="button" className="button" autoFocus onClick={() => setAsking(false)}>
              {t("directory.no")}
            </button>
            <button type="button" className="button" onClick={() => void change(true)}>
              {t("directory.yes")}
            </button>
          </div>
        </div>
      )}
      {entry !== null && found === null && !asking && <p className="hint">{t("directory.elsewhere")}</p>}
      {(entry !== null || problem === "certificate-mismatch") && !asking && (
        <button type="button" className="button" onClick={() => void change(false)}>
          {t("directory.withdraw")}
        </button>
      )}
    </details>
  )
}
