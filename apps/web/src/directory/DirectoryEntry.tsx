import type { StoredIdentity } from "@keymoot/core"
import { Identity } from "@keymoot/core"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import { DirectoryProblem } from "./DirectoryProblem.tsx"
import { useDirectory } from "./useDirectory.ts"

/** Whether others find this identity by name on this server. The server is asked when the section is opened. */
export function DirectoryEntry({ identity }: { readonly identity: StoredIdentity }) {
  const { t } = useTranslation()
  const { problem, working, act } = useDirectory()
  const [published, setPublished] = useState<boolean | null>(null)
  const [asking, setAsking] = useState(false)
  const { id, name } = identity
  const open = (): Promise<Identity> => Identity.open({ name, id })

  async function look(): Promise<void> {
    setPublished(await act(open, (directory) => directory.isPublished()))
  }

  async function change(publish: boolean): Promise<void> {
    setAsking(false)
    const done = await act(open, async (directory) => {
      await (publish ? directory.publish() : directory.withdraw())
      return true
    })
    if (done) setPublished(publish)
  }

  return (
    <details className="advanced" onToggle={(event) => event.currentTarget.open && published === null && void look()}>
      <summary>{t("directory.title")}</summary>
      <p className="hint">{t("directory.hint")}</p>
      {problem !== null && <DirectoryProblem problem={problem} onRetry={() => void look()} />}
      <p role="status" className={published === null ? "visually-hidden" : ""}>
        {published !== null && t(published ? "directory.listed" : "directory.notListed", { name })}
      </p>
      {published === false && !asking && (
        <button type="button" className="button" disabled={working} onClick={() => setAsking(true)}>
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
      {published === true && (
        <button type="button" className="button" disabled={working} onClick={() => void change(false)}>
          {t("directory.withdraw")}
        </button>
      )}
    </details>
  )
}
