import { type DirectoryPage, Identity, type ListedConference } from "@keymoot/core"
import { useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { DirectoryProblem } from "./DirectoryProblem.tsx"
import { MoreButton } from "./MoreButton.tsx"
import { useDirectory } from "./useDirectory.ts"
import { keyDigits } from "../ui/keyDigits.ts"

type NamedConferencesProps = {
  /** The name, or null with its field marked and focused. */
  readonly takeName: () => string | null
  /** Ids of the conferences to which this browser can return. */
  readonly kept: ReadonlySet<string>
  readonly onReturn: (id: string) => void
}

/** The conferences of this server whose guest list names this person. Asking shows the server who asks. */
export function NamedConferences({ takeName, kept, onReturn }: NamedConferencesProps) {
  const { t } = useTranslation()
  const { problem, working, act } = useDirectory()
  const [page, setPage] = useState<DirectoryPage<ListedConference> | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLUListElement>(null)

  async function look(after?: string): Promise<void> {
    const name = takeName()
    if (name === null) return
    const open = (): Promise<Identity> => Identity.open({ name })
    const next = await act(open, (directory) => directory.conferences(after === undefined ? {} : { after }))
    if (next === null) return
    setPage({ entries: [...(after === undefined ? [] : (page?.entries ?? [])), ...next.entries], next: next.next })
  }

  return (
    <div>
      <button ref={button} type="button" className="button wide" onClick={() => void look()}>
        {t("directory.named")}
      </button>
      <p className="hint">{t("directory.namedHint")}</p>
      {problem !== null && (
        <DirectoryProblem problem={problem} working={working} opener={button} onRetry={() => void look()} />
      )}
      <p role="status">
        {working
          ? t("identity.working")
          : page &&
            (page.entries.length === 0 ? t("directory.notNamed") : t("mine.count", { count: page.entries.length }))}
      </p>
      {page && page.entries.length > 0 && (
        <ul ref={list} tabIndex={-1} className="plain-list kept-list" aria-label={t("directory.namedList")}>
          {page.entries.map((one) => (
            <Named key={one.id} conference={one} onReturn={kept.has(one.id) ? () => onReturn(one.id) : null} />
          ))}
        </ul>
      )}
      {page?.next != null && <MoreButton list={list} onMore={() => void look(page.next!)} />}
    </div>
  )
}

type NamedProps = { readonly conference: ListedConference; readonly onReturn: (() => void) | null }

function Named({ conference: { opensAtMs, endsAtMs, creator, signed }, onReturn }: NamedProps) {
  const { t, i18n } = useTranslation()
  const said = (ms: number) => new Date(ms).toLocaleString(i18n.language, { dateStyle: "medium", timeStyle: "short" })
  const name = creator?.name ?? ""
  return (
    <li>
      <span className="kept">
        <bdi>{name === "" ? t("directory.bySomebody") : t("directory.by", { name })}</bdi>
        <span className="hint">{t("directory.frame", { from: said(opensAtMs), to: said(endsAtMs) })}</span>
        {!signed && <span className="field-error">{t("directory.unsigned")}</span>}
        {signed && creator && (
          <span className={creator.standing === "changed-key" ? "field-error" : "hint"}>
            {t(`directory.standings.${creator.standing}`, { digits: keyDigits(creator.publicKey ?? "") })}
          </span>
        )}
        {onReturn === null && signed && <span className="hint">{t("directory.askForLink")}</span>}
      </span>
      {onReturn !== null && (
        <button type="button" className="button" onClick={onReturn}>
          {t("directory.return")}
        </button>
      )}
    </li>
  )
}
