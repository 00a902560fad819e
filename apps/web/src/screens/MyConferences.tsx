import { Conference, type KeptConference } from "@keymoot/core"
import { Trash2 } from "lucide-react"
import { useId, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { LazyNamedConferences } from "../directory/LazyDirectory.tsx"
import { isEndedEarly } from "../ending/timeOf.ts"
import { type Problem, problemOf } from "../problem.ts"
import { isolated } from "../i18n/isolated.ts"
import { ForgetStep } from "../ui/ForgetStep.tsx"
import { ProblemText } from "./ProblemText.tsx"

type MyConferencesProps = {
  /** The name, or null with its field marked and focused. */
  readonly takeName: () => string | null
  readonly onReturn: (id: string) => void
}

/**
 * The conferences that this browser can return to. Folded, and read only when unfolded: on a shared computer nobody
 * sees a title in passing. The list stores nothing that a reload would not need.
 */
export function MyConferences({ takeName, onReturn }: MyConferencesProps) {
  const { t } = useTranslation()
  const [kept, setKept] = useState<readonly KeptConference[] | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const summary = useRef<HTMLElement>(null)

  async function act(doing: () => Promise<unknown>): Promise<void> {
    setProblem(null)
    try {
      await doing()
    } catch (error) {
      setProblem(problemOf(error))
    }
    await Conference.kept().then(setKept, (error: unknown) => setProblem(problemOf(error)))
  }

  function forget(ids: readonly string[]): void {
    // The focused element is removed.
    summary.current?.focus()
    void act(() => Promise.all(ids.map((id) => Conference.forget({ id }))))
  }

  return (
    <details className="advanced" onToggle={(event) => event.currentTarget.open && void act(async () => {})}>
      <summary ref={summary}>{t("mine.title")}</summary>
      <p className="hint">{t("mine.hint")}</p>
      {problem !== null && <ProblemText problem={problem} />}
      {kept !== null && (
        <>
          <p role="status" className={kept.length === 0 ? "" : "visually-hidden"}>
            {kept.length === 0 ? t("mine.none") : t("mine.count", { count: kept.length })}
          </p>
          <ul className="plain-list kept-list" aria-label={t("mine.title")}>
            {kept.map((one) => (
              <Kept key={one.id} kept={one} onReturn={onReturn} onForget={() => forget([one.id])} />
            ))}
          </ul>
          {kept.length > 1 && <ForgetAll count={kept.length} onForget={() => forget(kept.map(({ id }) => id))} />}
          <LazyNamedConferences takeName={takeName} kept={new Set(kept.map(({ id }) => id))} onReturn={onReturn} />
        </>
      )}
    </details>
  )
}

function ForgetAll({ count, onForget }: { readonly count: number; readonly onForget: () => void }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button ref={opener} type="button" className="button wide" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden /> {t("mine.forgetAll")}
      </button>
      {asking && (
        <ForgetStep
          question={t("mine.forgetHint", { count })}
          opener={opener}
          onForget={onForget}
          onKeep={() => setAsking(false)}
        />
      )}
    </>
  )
}

type KeptProps = Pick<MyConferencesProps, "onReturn"> & { readonly kept: KeptConference; readonly onForget: () => void }

function Kept({ kept: { id, about, people, enteredAtMs }, onReturn, onForget }: KeptProps) {
  const { t, i18n } = useTranslation()
  const facts = useId()
  const [asking, setAsking] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const said = (ms: number) => new Date(ms).toLocaleString(i18n.language, { dateStyle: "medium", timeStyle: "short" })
  const listed = new Intl.ListFormat(i18n.language).format(people.map(isolated))
  const name =
    about?.title ||
    (people.length > 0 ? t("mine.with", { names: listed }) : t("mine.untitled", { time: said(enteredAtMs) }))
  const frame = about?.timeFrame
  return (
    <li>
      <button
        type="button"
        className="kept"
        aria-label={t("mine.return", { name })}
        aria-describedby={facts}
        onClick={() => onReturn(id)}
      >
        <bdi>{name}</bdi>
        <span id={facts} className="kept-facts">
          {about?.title && people.length > 0 && (
            <span className="hint">
              <bdi>{t("mine.with", { names: listed })}</bdi>
            </span>
          )}
          <span className="hint">{t("mine.entered", { time: said(enteredAtMs) })}</span>
          {frame && (
            <span className="hint">
              {frame.opensAtMs > Date.now()
                ? t("mine.opens", { time: said(frame.opensAtMs) })
                : isEndedEarly(frame)
                  ? t("ending.early")
                  : t(frame.endsAtMs > Date.now() ? "mine.ends" : "mine.ended", { time: said(frame.endsAtMs) })}
            </span>
          )}
        </span>
      </button>
      <button
        ref={opener}
        type="button"
        className="icon-button"
        aria-label={t("mine.forget", { name })}
        onClick={() => setAsking(true)}
      >
        <Trash2 aria-hidden />
      </button>
      {asking && (
        <ForgetStep
          question={t("mine.forgetHint", { count: 1 })}
          opener={opener}
          onForget={onForget}
          onKeep={() => setAsking(false)}
        />
      )}
    </li>
  )
}
