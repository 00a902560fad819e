/** A process with several members in Node. They join one by one, draw, and leave on command. */
import { Conference, type Identity } from "@keymoot/core"
import { openIdentityInNode } from "@keymoot/core/node"
import { pen } from "./pen.ts"

export type Command = { readonly act: "come" | "go" | "draw" | "rest"; readonly url: string; readonly count?: number }

/** Rate of a person's pen. */
const CHANGES_PER_SECOND = 30

const here: { readonly conference: Conference; readonly identity: Identity }[] = []
let timers: NodeJS.Timeout[] = []

async function obey({ act, url, count = here.length }: Command): Promise<void> {
  if (act === "come") {
    const identity = await openIdentityInNode({ name: `Drawer ${here.length + 1}` })
    here.push({ identity, conference: await Conference.join({ url, identity }) })
  } else if (act === "go") {
    const { conference, identity } = here.pop()!
    await conference.leave()
    await identity.close()
  } else if (act === "draw") {
    timers = here
      .slice(0, count)
      .map(({ conference }, place) => setInterval(pen(conference.document("board"), place), 1000 / CHANGES_PER_SECOND))
  } else for (const timer of timers.splice(0)) clearInterval(timer)
}

process.on("message", (command: Command) => {
  obey(command).then(
    () => process.send!("done"),
    (error: unknown) => {
      process.send!(`failed: ${error instanceof Error ? error.message : `${error}`}`)
    },
  )
})
// The process that started it has ended.
process.on("disconnect", () => process.exit())
