import { Conference } from "@keymoot/core"
import { createFileStore, openIdentityInNode } from "@keymoot/core/node"

const [url, keyFile = "bot-identity.json"] = process.argv.slice(2)
if (!url) throw new Error("Usage: node bot.js <invitation> [file of its identity]")

const identity = await openIdentityInNode({ name: "Ping bot", store: createFileStore(keyFile) })
const conference = await Conference.join({ url, identity })
/** The last views of this run. */
let views = []
conference.on("view", ({ id, members }) => {
  views = [...views.slice(-9), id]
  console.log(`secured with ${members.map(({ name }) => name).join(", ")}`)
})

const chat = conference.channel("chat", { history: true })
chat.on("message", async ({ from, text, transferred, position }) => {
  // A bot answers new messages; transferred history is older than its arrival. To show a chat, take `chat.log()`: it is
  // in order.
  if (from.self || transferred || text !== "ping") return
  // Messages of an earlier run, which the bot's own copy keeps, come again. They belong to views of that run.
  if (!views.includes(position.view)) return
  // A host can make the bot a viewer, for instance.
  await chat.send("pong").catch(({ message }) => console.error(message))
})

// The conference has ended, or a host has removed the bot. It comes back by itself from a server that restarts.
conference.on("closed", async (reason) => {
  console.log(`closed: ${reason}`)
  await identity.close()
})

process.once("SIGINT", async () => {
  await conference.leave()
  await identity.close()
  process.exit()
})
