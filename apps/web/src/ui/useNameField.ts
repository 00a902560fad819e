import { type RefObject, useEffect, useRef, useState } from "react"
import { cutName } from "./cut-name.ts"

export type NameFieldState = {
  readonly value: string
  readonly missing: boolean
  readonly inputRef: RefObject<HTMLInputElement>
  readonly onValue: (value: string) => void
  /** The name, or null with the field marked and focused. */
  readonly take: () => string | null
}

/** Starts with the name used last, as soon as it is loaded and unless the person has typed already. */
export function useNameField(lastName: string): NameFieldState {
  const [typed, setTyped] = useState<string | null>(null)
  const [missing, setMissing] = useState(false)
  const inputRef = useRef<HTMLInputElement>(null)
  const value = typed ?? lastName
  useEffect(() => inputRef.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    const input = inputRef.current
    // It may come while the person begins to type: the first key then replaces it.
    if (typed === null && input !== null && input === document.activeElement) input.select()
  }, [lastName])
  return {
    value,
    missing: missing && value.trim() === "",
    inputRef,
    onValue: (value) => setTyped(cutName(value)),
    take: () => {
      const name = value.trim().replace(/\s+/gu, " ")
      if (name !== "") return name
      setMissing(true)
      inputRef.current?.focus()
      return null
    },
  }
}
