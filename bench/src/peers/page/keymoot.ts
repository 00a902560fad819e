/** A conference of two, in the built package: its engine in its worker, its links over the real server. */
import type * as Core from "@keymoot/core"
import type { Connect, Connection, Contestant } from "./contestant.ts"

export async function enterKeymoot(
  { role, keymoot }: Connection,
  tell: (invitation: string) => void,
): Promise<Core.Conference> {
  const { Conference, Identity } = window.keymoot
  const identity = await Identity.open({ name: role })
  const conference = await (role === "first"
    ? Conference.create({ server: keymoot.server, identity })
    : Conference.join({ url: keymoot.invitation, identity }))
  tell(conference.invitation.url)
  await new Promise<void>((secured) => {
    const look = ({ status, members }: Core.ConferenceView): void => {
      if (status === "secured" && members.length === 2) secured()
    }
    conference.on("status", look)
    conference.on("view", look)
    look(conference.view)
  })
  return conference
}

/** @param conference with one other member */
export function overChannel(conference: Core.Conference, service: "fifo" | "agreed"): Contestant {
  const channel = conference.channel("bench")
  return {
    // Sends under way are refused when the conference closes. The answers show which messages arrived.
    send: (bytes) => void channel.send(bytes, { service }).catch(() => {}),
    listen: (onMessage) => channel.on("message", ({ data, from }) => from.self || onMessage(data)),
  }
}

export const keymootFifo: Connect = async (to, tell) => overChannel(await enterKeymoot(to, tell), "fifo")
export const keymootAgreed: Connect = async (to, tell) => overChannel(await enterKeymoot(to, tell), "agreed")
