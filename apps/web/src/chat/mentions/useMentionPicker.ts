import type { Member } from "@keymoot/core"
import { type KeyboardEvent, type RefObject, useState } from "react"
import type { Session } from "../../session/session.ts"

/** People offered at a time. */
const OFFERED_MAX = 6
/** The letters typed after an `@`. */
const TYPED = /(?<![\p{L}\p{N}_])@([\p{L}\p{N}_]{0,30})$/u

type Offer = { readonly start: number; readonly people: readonly Member[]; readonly active: number }

/** Offers the people here while an `@` is typed. The keys that choose one do not reach the form. */
export function useMentionPicker(session: Session, field: RefObject<HTMLTextAreaElement>) {
  const [offer, setOffer] = useState<Offer | null>(null)

  function look(): void {
    const caret = field.current?.selectionStart ?? 0
    const typed = TYPED.exec(session.draft.get().slice(0, caret))
    const people = typed === null ? [] : peopleLike(session.view.get().members, typed[1]!)
    setOffer(typed === null || people.length === 0 ? null : { start: typed.index, people, active: 0 })
  }

  function choose({ name }: Member): void {
    if (offer === null) return
    const text = session.draft.get()
    const caret = field.current?.selectionStart ?? text.length
    const before = `${text.slice(0, offer.start)}@${name} `
    session.draft.set(before + text.slice(caret))
    setOffer(null)
    // After the new text is drawn.
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(before.length, before.length)
    })
  }

  /** Whether the key was for the list. Takes no key of an input method. */
  function onKey(event: KeyboardEvent): boolean {
    if (offer === null) return false
    const { people, active } = offer
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (step !== 0) setOffer({ ...offer, active: (active + step + people.length) % people.length })
    else if (event.key === "Enter" || event.key === "Tab") choose(people[active]!)
    else if (event.key === "Escape") setOffer(null)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }

  return { offer, look, onKey, choose, close: () => setOffer(null) }
}

/** Whose name, or a word of it, begins with these letters. */
function peopleLike(members: readonly Member[], typed: string): readonly Member[] {
  const start = typed.toLowerCase()
  const isLike = ({ name }: Member): boolean =>
    name
      .toLowerCase()
      .split(/\s+/u)
      .some((word) => word.startsWith(start))
  return members.filter((member) => !member.self && isLike(member)).slice(0, OFFERED_MAX)
}
