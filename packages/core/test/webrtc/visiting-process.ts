/** Two members who meet at the server in the first argument and close their identities; nothing else ends this process. */
import { Conference } from "../../src/index.ts"
import { openIdentityInNode } from "../../src/node/index.ts"
import { securedWith } from "../conference-run/waiting.ts"

const [server] = process.argv.slice(2)
if (server === undefined) throw new Error("usage: visiting-process SERVER")
const ada = await openIdentityInNode({ name: "Ada" })
const bob = await openIdentityInNode({ name: "Bob" })
const first = await Conference.create({ server, identity: ada })
const second = await Conference.join({ url: first.invitation.url, identity: bob })
await Promise.all([securedWith(first, 2), securedWith(second, 2)])
await first.channel("chat").send("hello")
await second.leave()
await Promise.all([ada.close(), bob.close()])
console.log("closed")
