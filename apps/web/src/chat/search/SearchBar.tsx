import { ChevronDown, ChevronUp, Search } from "lucide-react"
import { type RefObject, useMemo, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import { DismissButton } from "../../ui/feedback/DismissButton.tsx"
import { isComposing } from "../../ui/isComposing.ts"
import { onText } from "../../ui/onText.ts"
import { useFocusBack } from "../../ui/useFocusBack.ts"
import { QUERY_LENGTH_MAX, searchChat } from "./search.ts"

/** Searches this page's copy of the chat. Nothing of the query leaves the page. */
export function SearchBar({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  if (!open)
    return (
      <button ref={button} type="button" className="icon-button chat-search-button" onClick={() => setOpen(true)}>
        <Search aria-label={t("talk.search")} />
      </button>
    )
  return <OpenSearch session={session} button={button} onClose={() => setOpen(false)} />
}

type OpenSearchProps = {
  readonly session: Session
  readonly button: RefObject<HTMLButtonElement>
  readonly onClose: () => void
}

function OpenSearch({ session, button, onClose }: OpenSearchProps) {
  const { t } = useTranslation()
  useFocusBack(() => button.current)
  const [query, setQuery] = useState("")
  const [at, setAt] = useState(0)
  const transcript = useStore(session.shownTranscript)
  const marks = useStore(session.marks)
  const found = useMemo(() => searchChat(transcript, marks, query), [transcript, marks, query])
  const shown = Math.min(at, Math.max(0, found.length - 1))

  function go(to: number): void {
    if (found.length === 0) return
    const next = (to + found.length) % found.length
    setAt(next)
    session.jumpTo.set(found[next]!)
  }

  return (
    <form
      className="chat-search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        go(query === "" ? 0 : shown)
      }}
      onKeyDown={(event) => event.key === "Escape" && !isComposing(event) && onClose()}
    >
      <input
        autoFocus
        type="search"
        aria-label={t("talk.search")}
        placeholder={t("talk.search")}
        value={query}
        maxLength={QUERY_LENGTH_MAX}
        {...onText((typed) => {
          setQuery(typed)
          setAt(0)
          const [newest] = searchChat(transcript, marks, typed)
          if (newest !== undefined) session.jumpTo.set(newest)
        })}
      />
      <span className="hint" role="status">
        {query.trim() !== "" &&
          (found.length === 0 ? t("talk.nothingFound") : t("talk.found", { at: shown + 1, all: found.length }))}
      </span>
      <button type="button" className="icon-button" aria-label={t("talk.older")} onClick={() => go(shown + 1)}>
        <ChevronUp aria-hidden />
      </button>
      <button type="button" className="icon-button" aria-label={t("talk.newer")} onClick={() => go(shown - 1)}>
        <ChevronDown aria-hidden />
      </button>
      <DismissButton label={t("talk.closeSearch")} onClick={onClose} />
    </form>
  )
}
