import { useTranslation } from "react-i18next"
import { TextField } from "../ui/TextField.tsx"

type OpensFieldProps = {
  /** The input's value: local time, or empty for now. */
  readonly opensAt: string
  readonly onOpensAt: (opensAt: string) => void
  /** The form was submitted with an incomplete time, a past one, or one too far ahead. */
  readonly wrong: boolean
}

/** Chooses when a conference opens. */
export function OpensField({ opensAt, onOpensAt, wrong }: OpensFieldProps) {
  const { t } = useTranslation()
  return (
    <TextField
      label={t("schedule.opens")}
      error={wrong ? t("schedule.wrong") : null}
      type="datetime-local"
      value={opensAt}
      onValue={onOpensAt}
    />
  )
}
