/** A chat in as few lines as show that the built package works, for every bundler of this folder. */
import { Conference, Identity } from "@keymoot/core"

const MARKUP = `
  <form><input aria-label="Your name" required /> <button>Enter</button></form>
  <p role="status"></p>
  <ol></ol>
  <form><input aria-label="Message" required /> <button>Send</button></form>
  <p role="alert"></p>`

/** @param {HTMLElement} root what the framework has rendered for it */
export function mount(root) {
  root.innerHTML = MARKUP
  const [enter, say] = root.querySelectorAll("form")
  enter.addEventListener("submit", (event) => {
    event.preventDefault()
    join(enter.querySelector("input").value, root, say).catch((error) => {
      root.querySelector("[role=alert]").textContent = error.message
    })
  })
}

async function join(name, root, say) {
  const identity = await Identity.open({ name })
  const server = new URLSearchParams(location.search).get("server")
  const url = location.hash.slice(1)
  const conference = await (url ? Conference.join({ url, identity }) : Conference.create({ server, identity }))
  location.hash = conference.invitation.url
  conference.on("view", ({ members }) => {
    const names = members.map((member) => member.name).join(" and ")
    root.querySelector("[role=status]").textContent = `Encrypted for ${names}.`
  })
  const chat = conference.channel("chat", { history: true })
  chat.on("message", ({ from, text }) => {
    root.querySelector("ol").insertAdjacentElement("beforeend", document.createElement("li")).textContent =
      `${from.name}: ${text}`
  })
  say.addEventListener("submit", (event) => {
    event.preventDefault()
    chat.send(say.querySelector("input").value)
    say.reset()
  })
}
