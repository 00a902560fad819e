import { useSyncExternalStore } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import { DismissButton } from "../../ui/feedback/DismissButton.tsx"
import { useFocusBack } from "../../ui/useFocusBack.ts"
import { type Quoted, quoteOf } from "./quote.ts"

type QuoteProps = { readonly session: Session; readonly of: string }

/** Above a reply: the message it answers, as this page has it. Pressed, it leads there. */
export function Quote({ session, of }: QuoteProps) {
  const { t } = useTranslation()
  const quoted = useQuote(session, of)
  if (quoted.name === null) return <p className="quote hint">{quoted.text}</p>
  return (
    <button
      type="button"
      className="quote"
      aria-label={t("talk.goToQuote", { name: quoted.name, text: quoted.text })}
      onClick={() => session.jumpTo.set(of)}
    >
      <QuotedText quoted={quoted} />
    </button>
  )
}

/** Above the message field, until the reply is sent. */
export function ReplyingTo({ session }: { readonly session: Session }) {
  const of = useStore(session.replyingTo)
  return of === null ? null : <Answered session={session} of={of} />
}

function Answered({ session, of }: QuoteProps) {
  const { t } = useTranslation()
  const quoted = useQuote(session, of)
  useFocusBack(() => document.querySelector<HTMLElement>(".composer textarea"), true)
  return (
    <div className="replying-to">
      <p className="quote" aria-label={t("talk.replyingTo", { name: quoted.name ?? "" })}>
        <QuotedText quoted={quoted} />
      </p>
      <DismissButton label={t("talk.noReply")} onClick={() => session.replyingTo.set(null)} />
    </div>
  )
}

function QuotedText({ quoted: { name, text } }: { readonly quoted: Quoted }) {
  return (
    <>
      <bdi className="quote-from">{name}</bdi>
      <span dir="auto">{text}</span>
    </>
  )
}

function useQuote({ shownTranscript, find, marks }: Session, of: string): Quoted {
  const { t } = useTranslation()
  const entry = useSyncExternalStore(shownTranscript.subscribe, () => find(of))
  const marked = useSyncExternalStore(marks.subscribe, () => marks.get().get(of))
  return quoteOf(entry, marked, t)
}
