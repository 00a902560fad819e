import "../styles/settings.css"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import { formatBytes } from "../files/formatBytes.ts"
import { SMALL_FILE_BYTES_MAX } from "../files/selfFetching.ts"
import { LANGUAGES } from "../i18n/index.ts"
import { Choice } from "../ui/Choice.tsx"
import { useStore } from "../store.ts"
import { Check } from "../ui/Check.tsx"
import { Modal } from "../ui/Modal.tsx"
import { ShortcutList } from "../conference/ShortcutList.tsx"
import { playSound } from "../attention/sound.ts"
import { IdentitySettings } from "./IdentitySettings.tsx"
import { notificationPermission, turnNotifications } from "./notifications.ts"
import { change, settings, THEMES } from "./settings.ts"

type SettingsDialogProps = {
  readonly onClose: () => void
  readonly onIdentity: (() => void) | null
  readonly onDiagnostics: (() => void) | null
}

const BY_BROWSER = ""
/** The build writes it. */
const NOTICES = "/third-party-notices.txt"

export default function SettingsDialog({ onClose, onIdentity, onDiagnostics }: SettingsDialogProps) {
  const { t, i18n } = useTranslation()
  const { theme, language, fetchSmallFiles } = useStore(settings)
  return (
    <Modal title={t("settings.title")} closeLabel={t("protection.close")} open onOpenChange={onClose}>
      <Choice
        label={t("settings.theme")}
        choices={THEMES}
        chosen={theme}
        onChoose={(chosen) => change({ theme: chosen })}
        describe={(choice) => t(`settings.themes.${choice}`)}
      />
      <Choice
        label={t("settings.language")}
        choices={[BY_BROWSER, ...LANGUAGES]}
        chosen={language ?? BY_BROWSER}
        onChoose={(chosen) => change({ language: chosen === BY_BROWSER ? null : chosen })}
        describe={(choice) => (choice === BY_BROWSER ? t("settings.byBrowser") : nameOfLanguage(choice))}
      />
      <Notifications />
      <Sounds />
      <Check
        label={t("settings.fetchSmallFiles")}
        hint={t("settings.fetchSmallFilesHint", { size: formatBytes(SMALL_FILE_BYTES_MAX, i18n.language) })}
        checked={fetchSmallFiles}
        onChecked={(on) => change({ fetchSmallFiles: on })}
      />
      <details className="advanced">
        <summary>{t("shortcuts.title")}</summary>
        <ShortcutList />
      </details>
      {onDiagnostics !== null && (
        <button
          type="button"
          className="button"
          onClick={() => {
            onClose()
            onDiagnostics()
          }}
        >
          {t("diagnostics.title")}
        </button>
      )}
      <h3>{t("identity.title")}</h3>
      {onIdentity === null ? (
        <p className="hint">{t("identity.inUse")}</p>
      ) : (
        <IdentitySettings onIdentity={onIdentity} />
      )}
      <p className="notices">
        <a href={NOTICES} target="_blank" rel="noreferrer">
          {t("settings.notices")}
        </a>
        {/* Not in this tab: on arrival there it discards the invitation that the person reads. */}
        {onIdentity !== null && (
          <>
            <a href="/verify" target="_blank" rel="noreferrer">
              {t("evidence.check")}
            </a>
            <a href="/bench" target="_blank" rel="noreferrer">
              {t("settings.bench")}
            </a>
          </>
        )}
      </p>
      <p className="hint">{t("settings.version", { version: import.meta.env["VITE_VERSION"] as string })}</p>
    </Modal>
  )
}

/** The browser asks the person first. */
function Notifications() {
  const { t } = useTranslation()
  const { notifications } = useStore(settings)
  const [refused, setRefused] = useState(false)
  const permission = notificationPermission()
  const isRefused = refused || permission === "denied"
  const allowed = isRefused ? "settings.notificationsRefused" : "settings.notificationsHint"

  return (
    <Check
      label={t("settings.notifications")}
      hint={t(permission === null ? "settings.notificationsMissing" : allowed)}
      checked={notifications && permission === "granted"}
      disabled={permission === null}
      onChecked={(on) => void turnNotifications(on).then((allowed) => setRefused(!allowed))}
    />
  )
}

function Sounds() {
  const { t } = useTranslation()
  const { sounds } = useStore(settings)
  return (
    <Check
      label={t("settings.sounds")}
      hint={t("settings.soundsHint")}
      checked={sounds}
      onChecked={(on) => {
        change({ sounds: on })
        // As a preview, and because the browser requires a user gesture.
        if (on) playSound()
      }}
    />
  )
}

/** "Deutsch", "Français": each in its own language. */
function nameOfLanguage(tag: string): string {
  const name = new Intl.DisplayNames(tag, { type: "language" }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}
