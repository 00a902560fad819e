import type { Member } from "@keymoot/core"
import type { Doing } from "../session/presence.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

export function handsOfOthers(doing: ReadonlyMap<Member["id"], Doing>, self: Member["id"]): number {
  return [...doing].filter(([id, { hand }]) => hand && id !== self).length
}

/** The people that wait for somebody here: those who want to join, and the raised hands of others. */
export function usePeopleWaiting(session: Session): number {
  const { knocks } = useStore(session.admission)
  return knocks.length + handsOfOthers(useStore(session.presence.doing), session.handle.self.id)
}
