import type { DirectoryPage, ListedPerson } from "@keymoot/core"
import { Search, UserPlus } from "lucide-react"
import { useState } from "react"
import type { KeyboardEvent } from "react"
import { useTranslation } from "react-i18next"
import { isComposing } from "../ui/isComposing.ts"
import { TextField } from "../ui/TextField.tsx"
import { DirectoryProblem } from "./DirectoryProblem.tsx"
import { useDirectory } from "./useDirectory.ts"

type FindPeopleProps = { readonly onCard: (card: string) => void }

/** Search by name in this server's directory. Each result says what is known about it. */
export function FindPeople({ onCard }: FindPeopleProps) {
  const { t } = useTranslation()
  const { problem, working, act } = useDirectory()
  const [name, setName] = useState("")
  const [found, setFound] = useState<DirectoryPage<ListedPerson> | null>(null)

  async function search(after?: string): Promise<void> {
    if (name.trim() === "") return
    const page = await act(
      async () => null,
      (directory) => directory.find(name, after === undefined ? {} : { after }),
    )
    if (page === null) return
    const former = after === undefined ? [] : (found?.entries ?? [])
    setFound({ entries: [...former, ...page.entries], next: page.next })
  }

  return (
    <details className="advanced">
      <summary>{t("directory.find")}</summary>
      <div className="link-form">
        <TextField
          label={t("directory.name")}
          error={null}
          value={name}
          onValue={setName}
          autoComplete="off"
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key !== "Enter" || isComposing(event)) return
            event.preventDefault()
            void search()
          }}
        />
        <button type="button" className="button" disabled={working} onClick={() => void search()}>
          <Search aria-hidden /> {t("directory.search")}
        </button>
      </div>
      <p className="hint">{t("directory.findHint")}</p>
      {problem !== null && <DirectoryProblem problem={problem} onRetry={() => void search()} />}
      <p role="status" className="hint">
        {found &&
          (found.entries.length === 0 ? t("directory.nobody") : t("directory.found", { count: found.entries.length }))}
      </p>
      {found && found.entries.length > 0 && (
        <ul className="plain-list roster-list" aria-label={t("directory.results")}>
          {found.entries.map((person) => (
            <Found key={person.fingerprint} person={person} onCard={onCard} />
          ))}
        </ul>
      )}
      {found?.next != null && (
        <button type="button" className="button wide" disabled={working} onClick={() => void search(found.next!)}>
          {t("directory.more")}
        </button>
      )}
    </details>
  )
}

function Found({ person, onCard }: FindPeopleProps & { readonly person: ListedPerson }) {
  const { t } = useTranslation()
  const { name, fingerprint, standing, card } = person
  return (
    <li>
      <span>
        <bdi>{name}</bdi>
        <span className={standing === "changed-key" || standing === "unchecked" ? "field-error" : "hint"}>
          {t(`directory.standings.${standing}`, { digits: fingerprint.slice(0, 8) })}
        </span>
      </span>
      {card !== null && (
        <button
          type="button"
          className="icon-button"
          aria-label={t("directory.add", { name })}
          onClick={() => onCard(card)}
        >
          <UserPlus aria-hidden />
        </button>
      )}
    </li>
  )
}
