import { ChevronDown } from "lucide-react"
import { DropdownMenu } from "radix-ui"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { Failure } from "../ui/feedback/Failure.tsx"
import { Modal } from "../ui/Modal.tsx"
import { timeOf } from "./timeOf.ts"

const MINUTE_MS = 60_000
/** Minutes by which a host can extend the conference at once. */
const LONGER = [30, 60, 180] as const

/** The end of the conference; for a host that may change it, a menu. */
export function EndTime({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const { endsAtMs, maySetEnd } = useStore(session.admission)
  const said = t("bar.endsAt", { time: timeOf(endsAtMs, i18n.language) })
  if (!maySetEnd) return <p className="end-time">{said}</p>
  return <EndMenu session={session} said={said} endsAtMs={endsAtMs} />
}

type EndMenuProps = { readonly session: Session; readonly said: string; readonly endsAtMs: number }

function EndMenu({ session: { handle }, said, endsAtMs }: EndMenuProps) {
  const { t, i18n } = useTranslation()
  const [asking, setAsking] = useState(false)
  const [failed, setFailed] = useState(false)
  const { latestEndMs } = handle.timeFrame

  function set(end: number | "now"): void {
    setFailed(false)
    setAsking(false)
    handle.setEnd(end).catch(() => setFailed(true))
  }

  return (
    <div className="end-time">
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="link-button" aria-label={t("ending.change", { said })}>
          {said} <ChevronDown aria-hidden />
        </DropdownMenu.Trigger>
        <DropdownMenu.Content className="popover menu" align="start" collisionPadding={8}>
          <DropdownMenu.Label className="menu-label">
            {t("ending.latest", { time: timeOf(latestEndMs, i18n.language) })}
          </DropdownMenu.Label>
          {LONGER.map((minutes) => (
            <DropdownMenu.Item
              key={minutes}
              className="menu-item"
              disabled={endsAtMs + minutes * MINUTE_MS > latestEndMs}
              onSelect={() => set(endsAtMs + minutes * MINUTE_MS)}
            >
              {minutes < 60 ? t("ending.longer", { count: minutes }) : t("ending.hours", { count: minutes / 60 })}
            </DropdownMenu.Item>
          ))}
          <DropdownMenu.Separator className="menu-line" />
          <DropdownMenu.Item className="menu-item danger" onSelect={() => setAsking(true)}>
            {t("ending.now")}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Root>
      {failed && <Failure text={t("hosts.failed")} />}
      <Modal title={t("ending.title")} closeLabel={t("hosts.cancel")} open={asking} onOpenChange={setAsking}>
        <p>{t("ending.hint")}</p>
        <div className="actions">
          <button type="button" className="button primary danger" onClick={() => set("now")}>
            {t("ending.now")}
          </button>
          <button type="button" className="button" onClick={() => setAsking(false)}>
            {t("hosts.cancel")}
          </button>
        </div>
      </Modal>
    </div>
  )
}
