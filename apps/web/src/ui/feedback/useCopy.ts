import { useState } from "react"

/** Copies a text. `by-hand`: the browser does not allow that, so show the text for copying by hand. */
export function useCopy() {
  const [state, setState] = useState<"idle" | "copied" | "by-hand">("idle")
  async function copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      setState("copied")
    } catch {
      setState("by-hand")
    }
  }
  return { state, setState, copy }
}
