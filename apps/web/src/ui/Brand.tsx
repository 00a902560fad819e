import { useTranslation } from "react-i18next"

export function Brand() {
  const { t } = useTranslation()
  return (
    <span className="brand">
      <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
        <rect width="32" height="32" rx="8" className="brand-ground" />
        <g fill="none" stroke="#fff" strokeWidth="2.6">
          <circle cx="16" cy="10" r="3.4" />
          <circle cx="9.6" cy="21" r="3.4" />
          <circle cx="22.4" cy="21" r="3.4" />
          <path d="M14.3 13l-3 5M17.7 13l3 5M13 21h6" />
        </g>
      </svg>
      <span className="brand-name">{t("product")}</span>
    </span>
  )
}
