/** A member in a process of its own, to be killed: joins by the link in its first argument and writes now and then. */
import { Conference } from "../../src/index.ts"
import { openIdentityInNode } from "../../src/node/index.ts"

const [url, name] = process.argv.slice(2)
if (url === undefined || name === undefined) throw new Error("usage: member-process URL NAME")
const conference = await Conference.join({ url, identity: await openIdentityInNode({ name }) })
conference.on("view", (view) => console.log(`secured ${view.members.length}`))
const chat = conference.channel("chat", { history: true })
for (let i = 0; ; i++) await chat.send(`${name} ${i}`)
