import { type ReactNode, useId } from "react"

type SelectFieldProps = {
  readonly label: string
  readonly value: string
  readonly disabled?: boolean
  readonly onValue: (value: string) => void
  readonly children: ReactNode
}

export function SelectField({ label, value, disabled = false, onValue, children }: SelectFieldProps) {
  const id = useId()
  return (
    <div className="bench-field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} disabled={disabled} onChange={({ target }) => onValue(target.value)}>
        {children}
      </select>
    </div>
  )
}

type NumbersFieldProps = {
  readonly label: string
  readonly hint: string
  readonly value: string
  readonly disabled: boolean
  readonly onValue: (value: string) => void
}

export function NumbersField({ label, hint, value, disabled, onValue }: NumbersFieldProps) {
  const id = useId()
  return (
    <div className="bench-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        aria-describedby={`${id}-hint`}
        inputMode="numeric"
        autoComplete="off"
        value={value}
        disabled={disabled}
        onChange={({ target }) => onValue(target.value)}
      />
      <small id={`${id}-hint`}>{hint}</small>
    </div>
  )
}

type CheckFieldProps = {
  readonly label: string
  readonly checked: boolean
  readonly disabled: boolean
  readonly onChecked: () => void
}

export function CheckField({ label, checked, disabled, onChecked }: CheckFieldProps) {
  return (
    <label className="bench-check">
      <input type="checkbox" checked={checked} disabled={disabled} onChange={onChecked} />
      {label}
    </label>
  )
}
