import "../styles/tools.css"
import { useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { quickOptions } from "../i18n/quickVotes.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { TimerPart } from "./timer/TimerPart.tsx"
import { PollCard } from "./votes/PollCard.tsx"
import { PollForm } from "./votes/PollForm.tsx"
import type { PollFormState } from "./votes/openPolls.ts"
import type { PollDraft } from "./votes/polls.ts"

/** The shared timer and the votes. */
export default function ToolsPanel({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const polls = useStore(session.polls)
  const me = useStore(session.view).members.find(({ self }) => self)
  const { copyOnly } = session.handle
  const isViewer = me?.role === "viewer" || copyOnly
  const form = useStore(session.pollForm)
  /** Opened in this panel, and not filled in before it was shown. */
  const [isFresh, setFresh] = useState(false)
  const openers = { quick: useRef<HTMLButtonElement>(null), poll: useRef<HTMLButtonElement>(null) }
  const begin = (quick: boolean): void => {
    const options = quick ? [...quickOptions(i18n.language)] : ["", ""]
    const empty = { question: "", options, several: false, hidden: quick }
    setFresh(true)
    session.pollForm.set({ ...empty, quick, begunMs: performance.now(), state: "open" })
  }
  /** Changes or closes the form that is shown, unless another one has been begun meanwhile. */
  const change = (begunMs: number, to: Partial<PollFormState> | null): void => {
    const now = session.pollForm.get()
    if (now?.begunMs === begunMs) session.pollForm.set(to && { ...now, ...to })
  }
  const start = async ({ begunMs }: PollFormState, poll: PollDraft): Promise<void> => {
    change(begunMs, { state: "sending" })
    change(begunMs, (await session.openPoll(poll)) ? null : { state: "failed" })
  }
  return (
    <div className="people tools">
      <TimerPart session={session} isViewer={isViewer} />
      <section className="tool" aria-labelledby="votes-title">
        <h2 id="votes-title" className="panel-lead">
          {t("polls.title")}
        </h2>
        {!copyOnly && <p className="hint">{isViewer ? t("polls.viewer") : t("polls.hint")}</p>}
        {!isViewer && form === null && (
          <div className="actions">
            <button ref={openers.quick} type="button" className="button" onClick={() => begin(true)}>
              {t("polls.newVote")}
            </button>
            <button ref={openers.poll} type="button" className="button" onClick={() => begin(false)}>
              {t("polls.newPoll")}
            </button>
          </div>
        )}
        {form !== null && (
          <PollForm
            key={form.begunMs}
            form={form}
            isFresh={isFresh}
            opener={form.quick ? openers.quick : openers.poll}
            onChange={(to) => change(form.begunMs, to)}
            onStart={(poll) => void start(form, poll)}
          />
        )}
        {polls.length === 0 && form === null && <p className="hint">{t("polls.none")}</p>}
        <ul className="plain-list">
          {polls.map((poll) => (
            <PollCard
              key={poll.id}
              session={session}
              poll={poll}
              isViewer={isViewer}
              mayClose={!isViewer && (poll.own || me?.role === "host")}
            />
          ))}
        </ul>
      </section>
    </div>
  )
}
