import { type InputHTMLAttributes, type Ref, useId } from "react"
import { onText } from "./onText.ts"

type TextFieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "onChange" | "className"> & {
  readonly label: string
  readonly error: string | null
  readonly value: string
  readonly onValue: (value: string) => void
  readonly inputRef?: Ref<HTMLInputElement>
}

export function TextField({ label, error, value, onValue, inputRef, ...input }: TextFieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        ref={inputRef}
        value={value}
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : `${id}-error`}
        {...onText(onValue)}
      />
      {error !== null && (
        <p id={`${id}-error`} className="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
