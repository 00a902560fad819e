import { Conference, Identity } from "@keymoot/core"
import { Map as SharedMap } from "yjs"

const server = new URLSearchParams(location.search).get("server") ?? "http://localhost:8080"
const [enter, say] = document.forms

enter.addEventListener("submit", async (event) => {
  event.preventDefault()
  try {
    const identity = await Identity.open({ name: enter.elements.name.value })
    const url = location.hash.slice(1)
    const conference = await (url ? Conference.join({ url, identity }) : Conference.create({ server, identity }))
    history.replaceState(null, "", `#${conference.invitation.url}`)
    enter.hidden = true
    show(conference)
  } catch (error) {
    document.querySelector("[role=alert]").textContent = error.message
  }
})

function show(conference) {
  conference.on("view", ({ members }) => {
    document.querySelector("#status").textContent = `Encrypted for ${members.map(({ name }) => name).join(" and ")}.`
  })
  const chat = conference.channel("chat", { history: true })
  // In the order of all members: late messages, such as a newcomer's history, are inserted at their place.
  const log = chat.log()
  const showMessages = () => {
    document.querySelector("#messages").replaceChildren(...log.getSnapshot().map(itemOf))
  }
  log.subscribe(showMessages)
  showMessages()
  // A shared document beside the chat: the number of words of each member.
  const { doc } = conference.document("statistics")
  const words = doc.getMap("words")
  words.observeDeep(() => {
    const counts = [...words.values()].map((person) => person.get("count") ?? 0)
    document.querySelector("output").textContent = counts.reduce((sum, count) => sum + count, 0)
  })
  say.addEventListener("submit", async (event) => {
    event.preventDefault()
    const text = say.elements.text.value
    say.reset()
    const { id } = conference.self
    const mine = words.get(id) ?? words.set(id, new SharedMap())
    mine.set("count", (mine.get("count") ?? 0) + text.split(" ").length)
    await chat.send(text)
  })
}

function itemOf({ from, text }) {
  const item = document.createElement("li")
  item.textContent = `${from.name}: ${text}`
  return item
}
