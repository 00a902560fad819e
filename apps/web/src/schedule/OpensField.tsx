import { useTranslation } from "react-i18next"
import { TextField } from "../ui/TextField.tsx"

type OpensFieldProps = {
  /** As the input has it: local time, or empty for at once. */
  readonly opensAt: string
  readonly onOpensAt: (opensAt: string) => void
  /** The form was sent with a time that has passed, or that is too far away. */
  readonly wrong: boolean
}

/** When a conference opens. */
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
