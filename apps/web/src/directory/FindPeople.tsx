import type { DirectoryPage, ListedPerson } from "@keymoot/core"
import { Search, UserPlus } from "lucide-react"
import { type KeyboardEvent, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { isComposing } from "../ui/isComposing.ts"
import { TextField } from "../ui/TextField.tsx"
import { DirectoryProblem } from "./DirectoryProblem.tsx"
import { MoreButton } from "./MoreButton.tsx"
import { useDirectory } from "./useDirectory.ts"
import { keyDigits } from "../ui/keyDigits.ts"

/** `query`: the name that was searched for, which the field may no longer show. */
type FoundPeople = DirectoryPage<ListedPerson> & { readonly query: string }
type FindPeopleProps = { readonly onCard: (card: string) => void }

/** Search by name in this server's directory. Each result says what is known about it. */
export function FindPeople({ onCard }: FindPeopleProps) {
  const { t } = useTranslation()
  const { problem, working, act } = useDirectory()
  const [name, setName] = useState("")
  const [found, setFound] = useState<FoundPeople | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLUListElement>(null)

  /** @param former the list that goes on with this page; null for a new one */
  async function search(former: FoundPeople | null): Promise<void> {
    const query = former?.query ?? name
    const after = former?.next ?? null
    if (query.trim() === "") return
    const page = await act(
      async () => null,
      (directory) => directory.find(query, after === null ? {} : { after }),
    )
    if (page === null) return
    setFound({ query, entries: [...(former?.entries ?? []), ...page.entries], next: page.next })
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
            void search(null)
          }}
        />
        <button ref={button} type="button" className="button" onClick={() => void search(null)}>
          <Search aria-hidden /> {t("directory.search")}
        </button>
      </div>
      <p className="hint">{t("directory.findHint")}</p>
      {problem !== null && (
        <DirectoryProblem problem={problem} working={working} opener={button} onRetry={() => void search(null)} />
      )}
      <p role="status" className="hint">
        {working
          ? t("identity.working")
          : found &&
            (found.entries.length === 0
              ? t("directory.nobody")
              : t("directory.found", { count: found.entries.length }))}
      </p>
      {found && found.entries.length > 0 && (
        <ul ref={list} tabIndex={-1} className="plain-list roster-list" aria-label={t("directory.results")}>
          {found.entries.map((person) => (
            <Found key={person.fingerprint} person={person} onCard={onCard} />
          ))}
        </ul>
      )}
      {found?.next != null && <MoreButton list={list} onMore={() => void search(found)} />}
    </details>
  )
}

function Found({ person, onCard }: FindPeopleProps & { readonly person: ListedPerson }) {
  const { t } = useTranslation()
  const { name, publicKey, standing, card } = person
  return (
    <li>
      <span>
        <bdi>{name}</bdi>
        <span className={standing === "changed-key" || standing === "unchecked" ? "field-error" : "hint"}>
          {t(`directory.standings.${standing}`, { digits: keyDigits(publicKey ?? "") })}
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
