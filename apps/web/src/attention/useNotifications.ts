import type { AdmissionState } from "@keymoot/core"
import { useEffect } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import type { Readable } from "../store.ts"
import type { Poll } from "../tools/votes/polls.ts"
import { type Notify, openNotify } from "./notify.ts"
import { handsOfOthers } from "./waiting.ts"

const opened = new WeakMap<Session, Notify>()

/** One for each session: the screen of a waiting person and that of the conference share its minimum interval. */
function notifyOf(session: Session): Notify {
  const notify = opened.get(session) ?? openNotify(() => performance.now())
  opened.set(session, notify)
  return notify
}

/** If the person wants notifications: without content, and one at a time. */
export function useNotifications(session: Session): void {
  const { t } = useTranslation()
  useEffect(() => {
    const notify = notifyOf(session)
    const { id } = session.handle
    const tell = <T>(source: Readable<T>, countOf: (value: T) => number, text: string) =>
      whenItGrows(source, countOf, () => notify(text, id))
    const isOpen = ({ closed, own, mine }: Poll): boolean => !closed && !own && mine.length === 0
    const stops = [
      // First: a mention is an unread message as well.
      tell(session.mentions, ({ length }) => length, t("talk.newMention")),
      tell(session.unread, (unread) => unread, t("settings.newMessage")),
      tell(session.admission, ({ knocks }) => knocks.length, t("settings.newKnock")),
      tell(session.presence.doing, (doing) => handsOfOthers(doing, session.handle.self.id), t("room.newHand")),
      tell(session.polls, (polls) => polls.filter(isOpen).length, t("polls.new")),
      tell(session.rings, (rings) => rings, t("timer.over")),
    ]
    return () => stops.forEach((stop) => stop())
  }, [session, t])
}

/** As `useNotifications`, for a person that waits for a host. */
export function useWaitingNotifications(session: Session): void {
  const { t } = useTranslation()
  useEffect(() => {
    const { handle, admission } = session
    const listening = new AbortController()
    const notify = notifyOf(session)
    const answered = (): void => notify(t("settings.answered"), handle.id)
    // The engine keeps the last lines only, so their number may stay the same.
    const linesOf = ({ messages }: AdmissionState): string => JSON.stringify(messages)
    let before = linesOf(admission.get())
    const stop = admission.subscribe(() => {
      const state = admission.get()
      if (!state.waiting) answered()
      else if (linesOf(state) !== before && state.messages.at(-1)?.byHost) notify(t("settings.newMessage"), handle.id)
      before = linesOf(state)
    })
    handle.on("closed", (reason) => reason === "refused" && answered(), listening)
    return () => {
      stop()
      listening.abort()
    }
  }, [session, t])
}

function whenItGrows<T>(source: Readable<T>, countOf: (value: T) => number, act: () => void): () => void {
  let before = countOf(source.get())
  return source.subscribe(() => {
    const count = countOf(source.get())
    if (count > before) act()
    before = count
  })
}
