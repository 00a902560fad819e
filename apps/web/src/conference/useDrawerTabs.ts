import { MessageSquare, Users, Vote } from "lucide-react"
import { useTranslation } from "react-i18next"
import { usePeopleWaiting } from "../attention/waiting.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

/** The tabs of the drawer. `label`: the accessible name, which has the count in it. */
export function useDrawerTabs(session: Session) {
  const { t } = useTranslation()
  const unread = useStore(session.unread)
  const waiting = usePeopleWaiting(session)
  const chat = unread > 0 ? t("bar.chatUnread", { count: unread }) : t("bar.chat")
  const people = waiting > 0 ? t("room.peopleWaiting", { count: waiting }) : t("bar.people")
  return [
    { tab: "chat", Icon: MessageSquare, text: t("bar.chat"), label: chat, count: unread },
    { tab: "people", Icon: Users, text: t("bar.people"), label: people, count: waiting },
    { tab: "tools", Icon: Vote, text: t("polls.tools"), label: t("polls.tools"), count: 0 },
  ] as const
}

export type DrawerTab = ReturnType<typeof useDrawerTabs>[number]["tab"]
