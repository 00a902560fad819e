import type { ReactNode } from "react"

type CheckProps = {
  readonly label: string
  /** What it means, or why it cannot be had. */
  readonly hint: ReactNode
  readonly checked: boolean
  readonly onChecked: (checked: boolean) => void
  readonly disabled?: boolean
}

/** A choice between yes and no, with a line below that says what yes means. */
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
