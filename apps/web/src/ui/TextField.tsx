import { useId } from "react"
import type { FormEvent, InputHTMLAttributes, Ref } from "react"

type TextFieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "onChange" | "className"> & {
  readonly label: string
  readonly error: string | null
  readonly value: string
  readonly onValue: (value: string) => void
  readonly inputRef?: Ref<HTMLInputElement>
}

export function TextField({ label, error, value, onValue, inputRef, ...input }: TextFieldProps) {
  const id = useId()
  const take = (event: FormEvent<HTMLInputElement>): void => onValue(event.currentTarget.value)
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
        // React's `onChange` ignores an input event after a script of the page has set the value, since it tracks that
        // assignment. The next drawing would then clear the field. It still takes a change without an input event.
        onInput={take}
        onChange={take}
      />
      {error !== null && (
        <p id={`${id}-error`} className="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
