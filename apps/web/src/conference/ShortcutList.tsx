import "../styles/settings.css"
import { useTranslation } from "react-i18next"
import { KEYS, SHORTCUTS } from "./shortcuts.ts"

export function ShortcutList() {
  const { t } = useTranslation()
  return (
    <>
      <dl className="shortcuts">
        {SHORTCUTS.map((shortcut) => (
          <div key={shortcut}>
            <dt>{t(`shortcuts.${shortcut}`)}</dt>
            <dd>
              <kbd>{KEYS[shortcut]}</kbd>
            </dd>
          </div>
        ))}
        <div>
          <dt>{t("shortcuts.talk")}</dt>
          <dd>
            <kbd>{t("shortcuts.space")}</kbd>
          </dd>
        </div>
      </dl>
      <p className="hint">{t("shortcuts.ofBoard")}</p>
    </>
  )
}
