/** A process with one member in Node. It enters a conference, and does nothing there. */
import { Conference } from "@keymoot/core"
import { openIdentityInNode } from "@keymoot/core/node"

/** `enter`: creates a conference without `url`, and answers with the link. */
export type Command =
  | { readonly act: "enter"; readonly server: string; readonly url: string | null }
  /** Answered once so many members are secured. */
  | { readonly act: "meet"; readonly members: number }
  /** Answered with the processor time used so far, in ms. */
  | { readonly act: "count" }
export type Answer =
  { readonly ok: true; readonly value: string | number } | { readonly ok: false; readonly why: string }

let entered: Conference | null = null

async function obey(command: Command): Promise<string | number> {
  if (command.act === "count") {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  if (command.act === "enter") {
    const { server, url } = command
    const identity = await openIdentityInNode({ name: `Member ${process.pid}` })
    entered = await (url === null
      ? Conference.create({ server, identity, localCopy: false })
      : Conference.join({ url, identity, localCopy: false }))
    return entered.invitation.url
  }
  const conference = entered!
  const isMet = (): boolean =>
    conference.view.status === "secured" && conference.view.members.length === command.members
  await new Promise<void>((met) => {
    if (isMet()) return met()
    const stop = conference.on("view", () => {
      if (!isMet()) return
      stop()
      met()
    })
  })
  return command.members
}

process.on("message", (command: Command) => {
  obey(command).then(
    (value) => process.send!({ ok: true, value } satisfies Answer),
    (error: unknown) => process.send!({ ok: false, why: String(error) } satisfies Answer),
  )
})
// The process that started it has ended.
process.on("disconnect", () => process.exit())
