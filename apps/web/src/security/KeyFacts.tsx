import { KeyRound } from "lucide-react"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import { isOwnModule, KeymootError } from "@keymoot/core"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { cipherName } from "./cipher-names.ts"

const AGE_SHOWN_EVERY_MS = 5000

/** Epoch, age and kind of the key, and a button for a new one. */
export function KeyFacts({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const { epoch, securedAtMs } = useStore(session.view)
  const nowMs = useNow()
  const { keyAgreement } = session.handle
  return (
    <>
      <dl className="facts">
        <dt>{t("security.epoch")}</dt>
        <dd>{epoch}</dd>
        <dt>{t("security.module")}</dt>
        <dd>{isOwnModule(keyAgreement) ? keyAgreement : t(`security.modules.${keyAgreement}`)}</dd>
        <dt>{t("security.authenticity")}</dt>
        <dd>{t(`security.authenticities.${session.handle.authenticity}`)}</dd>
        <dt>{t("security.cipher")}</dt>
        <dd>{cipherName(session.handle.cipher)}</dd>
        <dt>{t("security.postQuantum")}</dt>
        <dd>{t(`security.postQuantumModes.${session.handle.postQuantum}`)}</dd>
        <dt>{t("security.since")}</dt>
        <dd>{securedAtMs === null ? t("security.notYet") : new Date(securedAtMs).toLocaleString(i18n.language)}</dd>
        <dt>{t("security.age")}</dt>
        <dd>{securedAtMs === null ? t("security.notYet") : formatAge(nowMs - securedAtMs, i18n.language)}</dd>
      </dl>
      <RefreshKey session={session} />
    </>
  )
}

function RefreshKey({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const { id, status } = useStore(session.view)
  const [asked, setAsked] = useState<{ readonly view: string; readonly refused: boolean } | null>(null)
  const waiting = asked?.view === id && !asked.refused

  function refresh(): void {
    setAsked({ view: id, refused: false })
    session.handle.refreshKey().catch((error: unknown) => {
      if (error instanceof KeymootError) setAsked({ view: id, refused: true })
    })
  }

  return (
    <>
      <button type="button" className="button wide" disabled={status !== "secured" || waiting} onClick={refresh}>
        <KeyRound aria-hidden /> {t("security.refresh")}
      </button>
      <p className="hint" role="status">
        {waiting && t("security.refreshing")}
        {asked?.refused === true && asked.view === id && t("problem.codes.too-soon")}
      </p>
    </>
  )
}

function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), AGE_SHOWN_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return nowMs
}

/** Largest first; in seconds. */
const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const

/** In the largest unit that fits: "12 seconds", "3 minutes", "2 days". */
function formatAge(ageMs: number, language: string): string {
  const seconds = Math.max(0, Math.floor(ageMs / 1000))
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? ["second", 1]
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(
    Math.floor(seconds / size),
  )
}
