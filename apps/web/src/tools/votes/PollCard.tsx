import { useId, useState } from "react"
import { useTranslation } from "react-i18next"
import { listNames } from "../../conference/names.ts"
import { optionsIn } from "../../i18n/quickVotes.ts"
import type { Session } from "../../session/session.ts"
import type { Poll } from "./polls.ts"
import { Failure } from "../../ui/feedback/Failure.tsx"

type PollCardProps = {
  readonly session: Session
  readonly poll: Poll
  readonly isViewer: boolean
  readonly mayClose: boolean
}

/** One vote: its options, my choice, and the result as soon as it is shown. */
export function PollCard({ session, poll, isViewer, mayClose }: PollCardProps) {
  const { t, i18n } = useTranslation()
  const id = useId()
  const [failed, setFailed] = useState(false)
  const options = optionsIn(i18n.language, poll.options)
  const { question, several, from, own, closed, mine, voted } = poll
  const showsResult = closed || !poll.hidden

  async function report(sending: Promise<boolean>): Promise<void> {
    setFailed(false)
    setFailed(!(await sending))
  }

  function choose(at: number, on: boolean): void {
    const chosen = several ? mine.filter((one) => one !== at) : []
    void report(session.vote(poll.id, on ? [...chosen, at] : chosen))
  }

  return (
    <li className="poll" data-closed={closed}>
      <fieldset className="poll-options" aria-describedby={`${id}-state`}>
        <legend>
          <bdi>{question}</bdi>
        </legend>
        <p className="hint">
          {own ? t("polls.mine") : t("polls.from", { name: from.name })}
          {!closed && !isViewer && ` · ${t(several ? "polls.chooseSeveral" : "polls.choose")}`}
        </p>
        {options.map((option, at) => (
          <Option
            key={option}
            label={option}
            votes={showsResult ? poll.voters[at]!.length : null}
            share={voted.length > 0 ? poll.voters[at]!.length / voted.length : 0}
          >
            <input
              type={several ? "checkbox" : "radio"}
              name={id}
              checked={mine.includes(at)}
              disabled={closed || isViewer}
              onChange={(event) => choose(at, event.currentTarget.checked)}
            />
          </Option>
        ))}
      </fieldset>
      <p id={`${id}-state`} className="hint">
        {t("polls.voted", { count: voted.length })} {closed ? t("polls.closed") : poll.hidden && t("polls.waits")}
      </p>
      {showsResult && voted.length > 0 && <Voters options={options} voters={poll.voters} />}
      {poll.unknown > 0 && <p className="hint">{t("polls.unknown", { count: poll.unknown })}</p>}
      {failed && <Failure text={t("polls.failed")} />}
      {!closed && mayClose && (
        <button type="button" className="button" onClick={() => void report(session.closePoll(poll.id))}>
          {t("polls.close")}
        </button>
      )}
    </li>
  )
}

type OptionProps = {
  readonly label: string
  /** Null while the result is hidden. */
  readonly votes: number | null
  /** Share of the people who voted, 0 to 1. */
  readonly share: number
  readonly children: React.ReactNode
}

function Option({ label, votes, share, children }: OptionProps) {
  const { t } = useTranslation()
  return (
    <label className="poll-option">
      {children}
      <span className="poll-label">
        <bdi>{label}</bdi>
      </span>
      {votes !== null && (
        <>
          <span className="poll-votes">{t("polls.votes", { count: votes })}</span>
          <span className="poll-bar" aria-hidden="true">
            <span style={{ inlineSize: `${100 * share}%` }} />
          </span>
        </>
      )}
    </label>
  )
}

function Voters({ options, voters }: Pick<Poll, "options" | "voters">) {
  const { t, i18n } = useTranslation()
  return (
    <details className="poll-voters">
      <summary>{t("polls.who")}</summary>
      <dl>
        {options.map((option, at) =>
          voters[at]!.length === 0 ? null : (
            <div key={option}>
              <dt>
                <bdi>{option}</bdi>
              </dt>
              <dd>{listNames(voters[at]!, i18n.language)}</dd>
            </div>
          ),
        )}
      </dl>
    </details>
  )
}
