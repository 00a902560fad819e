import "./keymoot-conference.js"

// The server, or an invitation link of it: ?src=https%3A%2F%2Fmeet.example%2F
const src = new URLSearchParams(location.search).get("src") ?? "http://localhost:8080/"
const status = document.querySelector("[role=status]")
const conference = document.createElement("keymoot-conference")
conference.setAttribute("src", src)

let people = 0
let state = ""
const show = () => (status.textContent = `In a conference of ${people}, ${state}.`)
conference.addEventListener("people", ({ detail }) => {
  people = detail.count
  show()
})
conference.addEventListener("security", ({ detail }) => {
  state = detail.state
  show()
})
conference.addEventListener("left", () => (status.textContent = "You have left."))
conference.addEventListener("ended", ({ detail }) => (status.textContent = `It ended: ${detail.reason}.`))
document.body.append(conference)
