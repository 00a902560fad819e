import type { ReactNode } from "react"

/** Shows text between backticks as code. */
export function withCode(text: string): ReactNode {
  return text.split("`").map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))
}
