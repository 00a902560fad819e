/** A process that is as many members as it is asked to be; who started it calls them by number. */
import { Conference } from "@keymoot/core"
import { openIdentityInNode } from "@keymoot/core/node"
import { createAgent, type Agent } from "./agent.ts"
import type { Answer, Call } from "./calls.ts"

const agents = new Map<number, Agent>()

async function obey({ member, method, args }: Call): Promise<unknown> {
  if (method === "open") {
    const identity = await openIdentityInNode({ name: `Member ${member}` })
    return void agents.set(member, createAgent(Conference, identity))
  }
  const agent = agents.get(member)!
  return (agent[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args)
}

process.on("message", (call: Call) => {
  obey(call).then(
    (value) => answer({ call: call.call, value }),
    (error: unknown) => answer({ call: call.call, error: error instanceof Error ? error.message : `${error}` }),
  )
})
// The process that started it has ended.
process.on("disconnect", () => process.exit())

function answer(it: Answer): void {
  process.send!(it)
}
