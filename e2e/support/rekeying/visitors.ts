/** A process with members in Node that come and go on command. See `ComingAndGoing`. */
import { Conference, type Identity } from "@keymoot/core"
import { openIdentityInNode } from "@keymoot/core/node"

export type VisitorCommand = { readonly act: "come" | "go"; readonly url: string }

const here: { readonly conference: Conference; readonly identity: Identity }[] = []

async function obey({ act, url }: VisitorCommand): Promise<void> {
  if (act === "come") {
    const identity = await openIdentityInNode({ name: `Visitor ${here.length + 1}` })
    here.push({ identity, conference: await Conference.join({ url, identity }) })
    return
  }
  const { conference, identity } = here.pop()!
  await conference.leave()
  await identity.close()
}

process.on("message", (command: VisitorCommand) => {
  obey(command).then(
    () => process.send!("done"),
    (error: unknown) => process.send!(`failed: ${error instanceof Error ? error.message : String(error)}`),
  )
})
// The process that started it has ended.
process.on("disconnect", () => process.exit())
