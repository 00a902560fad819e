import { Conference } from "@keymoot/core"
import { openIdentityInNode } from "@keymoot/core/node"
import { aesCtrHmac } from "./cipher.js"
import { freshStar } from "./key-agreement.js"

const [where] = process.argv.slice(2)
if (!where) throw new Error("Usage: node bot.js <server, or invitation>")

const modules = { ciphers: [aesCtrHmac], keyAgreements: [freshStar] }
const identity = await openIdentityInNode({ name: "Own bot", modules })
const conference = where.includes("#")
  ? await Conference.join({ url: where, identity })
  : await Conference.create({ server: where, identity, cipher: aesCtrHmac.name, keyAgreement: freshStar.name })
console.log(`${conference.cipher}, ${conference.keyAgreement}: ${conference.invitation.url}`)
conference.on("view", ({ members }) => console.log(`secured with ${members.map(({ name }) => name).join(", ")}`))

const chat = conference.channel("chat", { history: true })
chat.on("message", ({ from, text }) => console.log(`${from.name}: ${text}`))
await chat.send("hello")

process.once("SIGINT", async () => {
  await conference.leave()
  await identity.close()
  process.exit()
})
