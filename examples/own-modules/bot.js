import { Conference } from "@keymoot/core"
import { openIdentityInNode } from "@keymoot/core/node"
import { aesCtrHmac } from "./cipher.js"

const [where] = process.argv.slice(2)
if (!where) throw new Error("Usage: node bot.js <server, or invitation>")

const identity = await openIdentityInNode({ name: "Own bot", modules: { ciphers: [aesCtrHmac] } })
const conference = where.includes("#")
  ? await Conference.join({ url: where, identity })
  : await Conference.create({ server: where, identity, cipher: aesCtrHmac.name })
console.log(`${conference.cipher}: ${conference.invitation.url}`)

const chat = conference.channel("chat", { history: true })
chat.on("message", ({ from, text }) => console.log(`${from.name}: ${text}`))
await chat.send("hello")

process.once("SIGINT", async () => {
  await conference.leave()
  await identity.close()
  process.exit()
})
