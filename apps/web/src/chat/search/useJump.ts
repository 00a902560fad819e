import { type RefObject, useEffect } from "react"
import { DRAWN_ENTRIES } from "../../session/conversation.ts"
import type { Entry } from "../../session/order.ts"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"

type Chat = {
  readonly transcript: readonly Entry[]
  readonly drawn: number
  readonly setDrawn: (drawn: number) => void
  readonly list: RefObject<HTMLDivElement>
  /** The list no longer follows new messages. */
  readonly stay: () => void
}

/** Shows the message of `session.jumpTo`, and draws the earlier ones down to it first. */
export function useJump(session: Session, { transcript, drawn, setDrawn, list, stay }: Chat): boolean {
  const wanted = useStore(session.jumpTo)
  useEffect(() => {
    if (wanted === null) return
    const place = transcript.findIndex(({ id }) => id === wanted)
    const needed = transcript.length - place
    if (place >= 0 && needed > drawn) return setDrawn(needed + DRAWN_ENTRIES / 2)
    session.jumpTo.set(null)
    const message = [...(list.current?.querySelectorAll<HTMLElement>("[data-message]") ?? [])].find(
      ({ dataset }) => dataset["message"] === wanted,
    )
    if (message === undefined) return
    stay()
    message.scrollIntoView({ block: "center" })
    message.animate([{ outline: "3px solid var(--accent)" }, { outline: "3px solid transparent" }], 2000)
  }, [session, wanted, transcript, drawn, setDrawn, list, stay])
  return wanted !== null
}
