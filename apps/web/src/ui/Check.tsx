import type { ReactNode } from "react"

type CheckProps = {
  readonly label: string
  /** Its meaning, or why it is unavailable. */
  readonly hint: ReactNode
  readonly checked: boolean
  readonly onChecked: (checked: boolean) => void
  readonly disabled?: boolean
}

/** A choice between yes and no, with a line below that explains yes. */
export function Check({ label, hint, checked, onChecked, disabled = false }: CheckProps) {
  return (
    <div className="field">
      <label className="check">
        <input
          type="checkbox"
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChecked(event.currentTarget.checked)}
        />
        {label}
      </label>
      <p className="hint">{hint}</p>
    </div>
  )
}
