import { type RefObject, useEffect, useRef, useState } from "react"
import { cutName } from "./cut-name.ts"

export type NameFieldState = {
  readonly value: string
  readonly missing: boolean
  readonly inputRef: RefObject<HTMLInputElement>
  readonly onValue: (value: string) => void
  /** Shows the name used last again. A name typed before would rename the identity that the person has chosen since. */
  readonly dropTyped: () => void
  /** The name, or null with the field marked and focused. A name that is still loading then submits `form` again. */
  readonly take: (form?: HTMLFormElement) => string | null
}

/**
 * Starts with the name used last, as soon as it is loaded and unless the person has typed already.
 * @param lastName null until it is loaded
 */
export function useNameField(lastName: string | null): NameFieldState {
  const [typed, setTyped] = useState<string | null>(null)
  const [missing, setMissing] = useState(false)
  const inputRef = useRef<HTMLInputElement>(null)
  /** Submitted before the name was loaded. */
  const early = useRef<HTMLFormElement | null>(null)
  const value = typed ?? lastName ?? ""
  useEffect(() => inputRef.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    const input = inputRef.current
    const form = early.current
    early.current = null
    if (typed !== null || input === null || input !== document.activeElement) return
    // It may come while the person begins to type: the first key then replaces it.
    input.select()
    form?.requestSubmit()
  }, [lastName])
  return {
    value,
    missing: missing && value.trim() === "",
    inputRef,
    onValue: (value) => setTyped(cutName(value)),
    dropTyped: () => setTyped(null),
    take: (form) => {
      const name = value.trim().replace(/\s+/gu, " ")
      if (name !== "") return name
      setMissing(true)
      if (lastName === null) early.current = form ?? null
      inputRef.current?.focus()
      return null
    },
  }
}
