import { X } from "lucide-react"
import { Identity, KeymootError } from "@keymoot/core"
import { useEffect, useId, useRef, useState } from "react"
import type { KeyboardEvent } from "react"
import { useTranslation } from "react-i18next"
import { LazyFindPeople } from "../directory/LazyDirectory.tsx"
import { TextField } from "../ui/TextField.tsx"
import type { NamedPerson } from "./named-person.ts"

/** Pasted text is longer, and is read at once; typed text when Enter is pressed. */
const PASTED_CHARACTERS_MIN = 40

type RosterFieldProps = {
  readonly people: readonly NamedPerson[]
  readonly onPeople: (people: readonly NamedPerson[]) => void
  /** The form was submitted with an empty list. */
  readonly missing: boolean
}

/** The roster: cards are pasted one by one, and shown by their names. */
export function RosterField({ people, onPeople, missing }: RosterFieldProps) {
  const { t } = useTranslation()
  const [text, setText] = useState("")
  const [error, setError] = useState<string | null>(null)
  const [news, setNews] = useState("")
  const listId = useId()
  const latest = useRef(0)
  const inputRef = useRef<HTMLInputElement>(null)
  const empty = missing && people.length === 0
  useEffect(() => {
    if (empty) inputRef.current?.focus()
  }, [empty])

  async function read(card: string): Promise<void> {
    const turn = ++latest.current
    setError(null)
    try {
      const person = await Identity.readCard(card)
      if (turn !== latest.current) return
      if (people.some(({ id }) => id === person.id)) return setError(t("roster.twice", { name: person.name }))
      setText("")
      setNews(t("roster.added", { name: person.name }))
      onPeople([...people, { id: person.id, name: person.name, card }])
    } catch (failure) {
      if (turn === latest.current) setError(t(isBadCard(failure) ? "roster.invalid" : "problem.codes.internal"))
    }
  }

  function change(value: string): void {
    latest.current++
    setText(value)
    setError(null)
    if (value.length >= PASTED_CHARACTERS_MIN) void read(value)
  }

  function remove(person: NamedPerson): void {
    setNews(t("roster.removed", { name: person.name }))
    onPeople(people.filter((other) => other !== person))
    inputRef.current?.focus()
  }

  return (
    <div className="roster">
      {people.length > 0 && (
        <>
          <p className="roster-title" id={listId}>
            {t("roster.people", { count: people.length })}
          </p>
          <ul className="plain-list roster-list" aria-labelledby={listId}>
            {people.map((person) => (
              <li key={person.id}>
                <bdi>{person.name}</bdi>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t("roster.remove", { name: person.name })}
                  onClick={() => remove(person)}
                >
                  <X aria-hidden />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <TextField
        label={t("roster.card")}
        error={error ?? (empty ? t("roster.missing") : null)}
        value={text}
        onValue={change}
        inputRef={inputRef}
        autoComplete="off"
        spellCheck={false}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== "Enter") return
          event.preventDefault()
          if (text !== "") void read(text)
        }}
      />
      <p className="hint">{t("roster.hint")}</p>
      <LazyFindPeople onCard={(card) => void read(card)} />
      <p className="visually-hidden" role="status">
        {news}
      </p>
    </div>
  )
}

function isBadCard(error: unknown): boolean {
  return error instanceof KeymootError && error.code === "invalid-card"
}
