import { type ReactNode, useId } from "react"

type ChoiceProps<T extends string | number> = {
  readonly label: string
  readonly choices: readonly T[]
  readonly chosen: string | number
  readonly onChoose: (choice: T) => void
  readonly describe: (choice: T) => ReactNode
  /** A hint about the chosen value. */
  readonly hint?: string
}

/** One of several, with its label. */
export function Choice<T extends string | number>({
  label,
  choices,
  chosen,
  onChoose,
  describe,
  hint,
}: ChoiceProps<T>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={chosen}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChoose(choices[event.currentTarget.selectedIndex]!)}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {describe(choice)}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
    </div>
  )
}
