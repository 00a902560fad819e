import type { FormEvent } from "react"

type TextElement = HTMLInputElement | HTMLTextAreaElement
type Handlers<T> = Readonly<Record<"onInput" | "onChange", (event: FormEvent<T>) => void>>

/**
 * Handlers of a text field. `take` may get the same text twice.
 *
 * React's `onChange` ignores an input event after a script of the page has set the value, since it tracks that assignment.
 * The next drawing would then clear the field. It still takes a change without an input event.
 */
export function onText<T extends TextElement>(take: (text: string) => void): Handlers<T> {
  const handle = ({ currentTarget }: FormEvent<T>): void => take(currentTarget.value)
  return { onInput: handle, onChange: handle }
}
