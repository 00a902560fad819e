import type { ConferenceView } from "@keymoot/core"
import type { TFunction } from "i18next"
import { KeyRound, Lock } from "lucide-react"
import { Popover } from "radix-ui"
import { useId } from "react"
import { useTranslation } from "react-i18next"
import { missingForKey } from "../roster/missing.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { SecurityPanel } from "./SecurityPanel.tsx"

/** The lock that says how many people can read this; opened, it explains why. */
export function SecurityLock({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const view = useStore(session.view)
  const id = useId()
  const secured = view.status === "secured"
  return (
    <Popover.Root open={useStore(session.securityOpen)} onOpenChange={session.securityOpen.set}>
      <Popover.Trigger
        className="lock"
        data-secured={secured}
        aria-label={t("lock.name")}
        aria-describedby={`${id}-state`}
      >
        {secured ? <Lock aria-hidden /> : <KeyRound aria-hidden />}
        <span id={`${id}-state`} className="lock-text" role="status">
          {missingForKey(view, session.handle) > 0 ? t("lock.waiting") : describeLock(view, t)}
          <Verified view={view} />
        </span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="popover"
          align="start"
          sideOffset={8}
          collisionPadding={8}
          aria-labelledby={`${id}-title`}
        >
          <SecurityPanel session={session} titleId={`${id}-title`} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function describeLock(view: ConferenceView, t: TFunction): string {
  if (view.status === "joining") return t("lock.joining")
  if (view.status !== "secured") return t("lock.agreeing")
  return view.members.length === 1 ? t("lock.alone") : t("lock.encrypted", { count: view.members.length })
}

/** On a phone only screen readers have it: the panel shows it, too. */
function Verified({ view: { status, members } }: { readonly view: ConferenceView }) {
  const { t } = useTranslation()
  const count = members.filter(({ verified, self }) => verified && !self).length
  if (status !== "secured" || count === 0) return null
  return <span className="lock-verified"> · {t("lock.verified", { count })}</span>
}
