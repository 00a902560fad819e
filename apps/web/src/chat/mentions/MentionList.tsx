import type { Member } from "@keymoot/core"
import { useTranslation } from "react-i18next"

type MentionListProps = {
  readonly id: string
  readonly people: readonly Member[]
  readonly active: number
  readonly onChoose: (person: Member) => void
}

/** Above the message field, which keeps the focus. */
export function MentionList({ id, people, active, onChoose }: MentionListProps) {
  const { t } = useTranslation()
  return (
    <ul id={id} className="mention-list" role="listbox" aria-label={t("talk.mention")}>
      {people.map((person, index) => (
        <li
          key={person.id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          // Before the field would lose the focus.
          onPointerDown={(event) => {
            event.preventDefault()
            onChoose(person)
          }}
        >
          <bdi>{person.name}</bdi>
        </li>
      ))}
    </ul>
  )
}
