import { CONFERENCE_MEMBERS_MAX, Identity, KeymootError } from "@keymoot/core"
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { LazyFindPeople } from "../directory/LazyDirectory.tsx"
import { DismissButton } from "../ui/feedback/DismissButton.tsx"
import { TextField } from "../ui/TextField.tsx"
import type { NamedPerson } from "./named-person.ts"

/** Pasted text is longer, and is read at once; typed text when Enter is pressed. */
const PASTED_CHARACTERS_MIN = 40
/** The creator takes one place on the roster. */
const OTHERS_MAX = CONFERENCE_MEMBERS_MAX - 1

type RosterFieldProps = {
  readonly people: readonly NamedPerson[]
  /** A change of the list as it is then: several cards may be read at the same time. */
  readonly onPeople: (change: (before: readonly NamedPerson[]) => readonly NamedPerson[]) => void
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
  const latest = useRef(people)
  /** Cards that are being read: Enter after a paste adds nobody twice. */
  const reading = useRef(new Set<string>())
  const inputRef = useRef<HTMLInputElement>(null)
  const empty = missing && people.length === 0
  useEffect(() => {
    if (empty) inputRef.current?.focus()
  }, [empty])
  useEffect(() => {
    latest.current = people
  }, [people])

  /** A card in the field counts until the person changes the field. */
  async function read(card: string, inField: boolean): Promise<void> {
    if (reading.current.has(card)) return
    const isInField = () => inputRef.current?.value === card
    setError(null)
    reading.current.add(card)
    try {
      const person = await Identity.readCard(card)
      if (inField && !isInField()) return
      // A person has one key under each name, and one place on the list.
      const isSame = ({ publicKey }: NamedPerson): boolean => publicKey === person.publicKey
      const listed = latest.current.find(isSame)
      if (listed) {
        const text = listed.id === person.id ? "roster.twice" : "roster.renamed"
        return setError(t(text, { name: listed.name, other: person.name }))
      }
      if (latest.current.length >= OTHERS_MAX) return setError(t("roster.full", { max: OTHERS_MAX }))
      if (isInField()) setText("")
      setNews(t("roster.added", { name: person.name }))
      const added = { id: person.id, name: person.name, publicKey: person.publicKey, card }
      onPeople((before) => (before.some(isSame) ? before : [...before, added]))
    } catch (failure) {
      if (!inField || isInField()) setError(t(isBadCard(failure) ? "roster.invalid" : "problem.codes.internal"))
    } finally {
      reading.current.delete(card)
    }
  }

  function change(value: string): void {
    setText(value)
    setError(null)
    if (value.length >= PASTED_CHARACTERS_MIN) void read(value, true)
  }

  function remove(person: NamedPerson): void {
    setNews(t("roster.removed", { name: person.name }))
    onPeople((before) => before.filter(({ id }) => id !== person.id))
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
                <DismissButton label={t("roster.remove", { name: person.name })} onClick={() => remove(person)} />
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
          if (text !== "") void read(text, true)
        }}
      />
      <p className="hint">{t("roster.hint")}</p>
      <LazyFindPeople onCard={(card) => void read(card, false)} />
      <p className="visually-hidden" role="status">
        {news}
      </p>
    </div>
  )
}

function isBadCard(error: unknown): boolean {
  return error instanceof KeymootError && error.code === "invalid-card"
}
