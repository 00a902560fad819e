import "../styles/diagnostics.css"
import type { Diagnostics } from "@keymoot/core"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import { formatBytes } from "../files/formatBytes.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { Modal } from "../ui/Modal.tsx"
import { CopyDiagnostics } from "./CopyDiagnostics.tsx"
import { Connections } from "./Connections.tsx"
import { ViewHistory } from "./ViewHistory.tsx"
import { nameFrom, type NameOf } from "./nameOf.ts"

/** The panel reads the state this often while it is open. */
const READ_MS = 1000

type DiagnosticsDialogProps = { readonly session: Session; readonly onClose: () => void }
export type SectionProps = { readonly diagnostics: Diagnostics; readonly nameOf: NameOf }

export default function DiagnosticsDialog({ session, onClose }: DiagnosticsDialogProps) {
  const { t } = useTranslation()
  const diagnostics = useDiagnostics(session)
  const nameOf = nameFrom(useStore(session.log), useStore(session.view).members)
  return (
    <Modal title={t("diagnostics.title")} closeLabel={t("protection.close")} open onOpenChange={onClose}>
      <p className="hint">{t("diagnostics.lead")}</p>
      {diagnostics === null ? (
        <p role="status">{t("diagnostics.loading")}</p>
      ) : (
        <div className="diagnostics">
          <CopyDiagnostics diagnostics={diagnostics} />
          <Connections diagnostics={diagnostics} nameOf={nameOf} />
          <ViewHistory diagnostics={diagnostics} nameOf={nameOf} />
          <Queues diagnostics={diagnostics} />
          <SecurityEvents diagnostics={diagnostics} nameOf={nameOf} />
        </div>
      )}
    </Modal>
  )
}

/** Null until the first answer. */
function useDiagnostics({ handle }: Session): Diagnostics | null {
  const [diagnostics, setDiagnostics] = useState<Diagnostics | null>(null)
  useEffect(() => {
    const read = (): void =>
      void handle.diagnostics().then(setDiagnostics, () => undefined) /* The conference has ended. */
    read()
    const timer = setInterval(read, READ_MS)
    return () => clearInterval(timer)
  }, [handle])
  return diagnostics
}

function Queues({ diagnostics: { queues } }: Pick<SectionProps, "diagnostics">) {
  const { t, i18n } = useTranslation()
  const format = (bytes: number): string => formatBytes(bytes, i18n.language)
  return (
    <section>
      <h3>{t("diagnostics.queues")}</h3>
      <dl className="facts">
        {queues.map(({ queue, bytes, bytesMax }) => (
          <div key={queue}>
            <dt>{t(`diagnostics.queue.${queue}`)}</dt>
            <dd>{t("diagnostics.fill", { bytes: format(bytes), bytesMax: format(bytesMax) })}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function SecurityEvents({ diagnostics: { security }, nameOf }: SectionProps) {
  const { t, i18n } = useTranslation()
  const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: "medium" })
  return (
    <section>
      <h3>{t("diagnostics.security")}</h3>
      {security.length === 0 && <p className="hint">{t("diagnostics.none")}</p>}
      <ol className="security-log">
        {security.toReversed().map(({ atMs, code, member }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- Several may be equal, and none has a state.
          <li key={`${security.length - index}`} data-kind="event">
            <time dateTime={new Date(atMs).toISOString()}>{time.format(atMs)}</time>
            <span>
              {t(`security.codes.${code}`, { name: member === null ? t("security.somebody") : nameOf(member) })}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
