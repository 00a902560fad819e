import { Conference, Identity } from "@keymoot/core"
import { Map as SharedMap } from "yjs"

const server = new URLSearchParams(location.search).get("server") ?? "http://localhost:8080"
const [enter, say] = document.forms

enter.addEventListener("submit", async (event) => {
  event.preventDefault()
  let identity
  try {
    identity = await Identity.open({ name: enter.elements.name.value })
    const url = location.hash.slice(1)
    const conference = await (url ? Conference.join({ url, identity }) : Conference.create({ server, identity }))
    history.replaceState(null, "", `#${conference.invitation.url}`)
    enter.hidden = true
    show(conference)
  } catch (error) {
    document.querySelector("[role=alert]").textContent = error.message
    await identity?.close()
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
    const counts = [...words.values()].map(countOf)
    document.querySelector("output").textContent = counts.reduce((sum, count) => sum + count, 0)
  })
  /** Where the next text that could not be sent comes back in the field. */
  let back = 0
  say.addEventListener("submit", async (event) => {
    event.preventDefault()
    const text = say.elements.text.value
    say.reset()
    back = 0
    const { id } = conference.self
    try {
      await chat.send(text)
      const entry = words.get(id)
      const mine = entry instanceof SharedMap ? entry : words.set(id, new SharedMap())
      mine.set("count", countOf(mine) + text.split(" ").length)
    } catch (error) {
      // Texts come back in their order, before what has been typed since.
      say.elements.text.setRangeText(`${text} `, back, back)
      back += text.length + 1
      document.querySelector("[role=alert]").textContent = error.message
    }
  })
}

/** Anybody may write anything into a shared document: an unchecked value would make each later message fail. */
function countOf(entry) {
  const count = entry instanceof SharedMap ? entry.get("count") : 0
  return Number.isFinite(count) ? count : 0
}

function itemOf({ from, text }) {
  const item = document.createElement("li")
  item.textContent = `${from.name}: ${text}`
  return item
}
