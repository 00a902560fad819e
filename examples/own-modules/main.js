import { Conference, Identity } from "@keymoot/core"

const SERVER = new URLSearchParams(location.search).get("server") ?? "http://localhost:8080"

const [enter, say] = document.forms
const messages = document.querySelector("#messages")
const status = document.querySelector("#status")
const alert = document.querySelector("[role=alert]")

const createWorker = () => new Worker(new URL("./engine-worker.js", import.meta.url), { type: "module" })

enter.addEventListener("submit", async (event) => {
  event.preventDefault()
  let identity
  try {
    identity = await Identity.open({ name: enter.elements.name.value, createWorker })
    const url = location.hash.slice(1)
    const own = { cipher: "own:aes-256-ctr-hmac", keyAgreement: "own:fresh-star" }
    const conference = await (url
      ? Conference.join({ url, identity })
      : Conference.create({ server: SERVER, identity, ...own }))
    history.replaceState(null, "", `#${conference.invitation.url}`)
    show(conference)
  } catch (error) {
    alert.textContent = error.message
    await identity?.close()
  }
})

function show(conference) {
  enter.hidden = true
  say.hidden = false
  document.title = `${conference.keyAgreement}, ${conference.cipher}`
  conference.on("view", ({ members }) => {
    status.textContent = `Encrypted for ${members.map(({ name }) => name).join(" and ")}.`
  })
  const chat = conference.channel("chat", { history: true })
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
