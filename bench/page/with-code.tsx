import type { ReactNode } from "react"

/** What stands between backticks is to be typed. */
export function withCode(text: string): ReactNode {
  return text.split("`").map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))
}
