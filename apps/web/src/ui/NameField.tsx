import { useTranslation } from "react-i18next"
import { TextField } from "./TextField.tsx"
import type { NameFieldState } from "./useNameField.ts"

/** "Your name", on every screen that asks for it. */
export function NameField({ field }: { readonly field: NameFieldState }) {
  const { t } = useTranslation()
  return (
    <TextField
      label={t("start.name")}
      error={field.missing ? t("start.nameMissing") : null}
      value={field.value}
      onValue={field.onValue}
      inputRef={field.inputRef}
      autoComplete="nickname"
    />
  )
}
