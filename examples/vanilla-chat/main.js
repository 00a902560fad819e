import { Conference, Identity } from "@keymoot/core"

const SERVER = new URLSearchParams(location.search).get("server") ?? "http://localhost:8080"

const [enter, say] = document.forms
const messages = document.querySelector("#messages")
const status = document.querySelector("#status")
const alert = document.querySelector("[role=alert]")

enter.addEventListener("submit", async (event) => {
  event.preventDefault()
  let identity
  try {
    identity = await Identity.open({ name: enter.elements.name.value })
    // The part after # is sent to no server: a good place for an invitation.
    const url = location.hash.slice(1)
    const conference = await (url
      ? Conference.join({ url, identity })
      : Conference.create({ server: SERVER, identity }))
    history.replaceState(null, "", `#${conference.invitation.url}`)
    show(conference)
  } catch (error) {
    // A KeymootError's message says what to do.
    alert.textContent = error.message
    await identity?.close()
  }
})

function show(conference) {
  enter.hidden = true
  document.querySelector("main").hidden = false
  conference.on("view", ({ members }) => {
    status.textContent = `Encrypted for ${members.map(({ name }) => name).join(" and ")}.`
  })
  conference.on("security", ({ code, detail }) => console.warn(code, detail))
  conference.on("closed", (reason) => (status.textContent = `Over: ${reason}.`))

  const chat = conference.channel("chat", { history: true })
  // In the order of all members: late messages, such as a newcomer's history, are inserted at their place.
  const log = chat.log()
  const showMessages = () => messages.replaceChildren(...log.getSnapshot().map(itemOf))
  log.subscribe(showMessages)
  showMessages()
  /** Where the next text that could not be sent comes back in the field. */
  let back = 0
  say.addEventListener("submit", async (event) => {
    event.preventDefault()
    const { value } = say.elements.text
    say.reset()
    back = 0
    await chat.send(value).catch((error) => {
      // Texts come back in their order, before what has been typed since.
      say.elements.text.setRangeText(`${value} `, back, back)
      back += value.length + 1
      alert.textContent = error.message
    })
  })
}

function itemOf({ from, text }) {
  const item = document.createElement("li")
  item.textContent = `${from.name}: ${text}`
  return item
}
