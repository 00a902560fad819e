/**
 * A process with several members over real WebRTC. It obeys the process that started it, and reports each secured view
 * and each text.
 */
import type { ChannelMessage } from "../../src/api/index.ts"
import type { Conference, Identity } from "../../src/index.ts"
import { openIdentityInNode } from "../../src/node/index.ts"
import { joinPatiently } from "../webrtc/patient-join.ts"

export type Order =
  | { readonly act: "join"; readonly name: string; readonly url: string }
  | { readonly act: "leave" }
  | { readonly act: "say" }

export type News =
  | { readonly news: "view"; readonly name: string; readonly view: string; readonly members: number }
  | { readonly news: "text"; readonly name: string; readonly text: string }
  | { readonly news: "security"; readonly name: string; readonly text: string }

const here: { readonly name: string; readonly identity: Identity; readonly conference: Conference }[] = []
const report = (news: News): void => void process.send!(news)

async function obey(order: Order): Promise<void> {
  if (order.act === "join") await join(order)
  else if (order.act === "leave") await here.pop()!.conference.leave()
  else for (const { name, conference } of here) void conference.channel("chat").send(name)
}

async function join({ name, url }: Order & { readonly act: "join" }): Promise<void> {
  const identity = await openIdentityInNode({ name })
  const conference = await joinPatiently(url, identity)
  here.push({ name, identity, conference })
  conference.on("view", ({ id, members }) => report({ news: "view", name, view: id, members: members.length }))
  conference.on("security", ({ code, detail }) => report({ news: "security", name, text: `${code}: ${detail}` }))
  conference.channel("chat").on("message", ({ text }: ChannelMessage) => report({ news: "text", name, text }))
}

/** Members join at once. Anything else waits for them. */
let obeyed: Promise<unknown> = Promise.resolve()
process.on("message", (order: Order) => {
  const done = order.act === "join" ? obey(order) : obeyed.then(() => obey(order))
  obeyed = Promise.all([obeyed, done])
})
// The process that started it has ended.
process.on("disconnect", () => process.exit())
