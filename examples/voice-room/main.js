import { Conference, Identity } from "@keymoot/core"

const server = new URLSearchParams(location.search).get("server") ?? "http://localhost:8080"
const [enter] = document.forms
const call = document.querySelector("#call")
const devices = [...document.querySelectorAll(".device")]
const alert = document.querySelector("[role=alert]")

/** Runs an action of a person. A KeymootError's message says what to do, and so does that of a refused device. */
async function attempt(action) {
  alert.textContent = ""
  try {
    await action()
  } catch (error) {
    alert.textContent = error.message
  }
}

enter.addEventListener("submit", (event) => {
  event.preventDefault()
  attempt(async () => {
    const identity = await Identity.open({ name: enter.elements.name.value })
    const url = location.hash.slice(1)
    const entering = url ? Conference.join({ url, identity }) : Conference.create({ server, identity })
    // Another attempt opens another identity.
    entering.catch(() => identity.close())
    const conference = await entering
    history.replaceState(null, "", `#${conference.invitation.url}`)
    enter.hidden = true
    document.querySelector("#controls").hidden = false
    show(conference)
  })
})

function show(conference) {
  const { media } = conference
  conference.on("view", ({ members }) => {
    document.querySelector("#status").textContent = `Encrypted for ${members.map(({ name }) => name).join(" and ")}.`
  })
  call.addEventListener("click", () => attempt(() => (media.state === "in" ? media.leave() : media.enter())))
  for (const button of devices)
    button.addEventListener("click", () => attempt(() => toggle(media, button.dataset.purpose)))
  // All that the page shows follows from the state. The event says only that it has changed.
  media.on("change", () => {
    call.textContent = media.state === "in" ? "Leave call" : "Join call"
    for (const button of devices) {
      button.disabled = media.state !== "in"
      button.setAttribute("aria-pressed", `${media.published.has(button.dataset.purpose)}`)
    }
    stopUnused(media)
    showPeople(media.participants)
  })
  media.on("speaking", ({ id }, speaking) => figures.get(id)?.figure.toggleAttribute("data-speaking", speaking))
  // A device that was unplugged, or a host has made this person a viewer.
  media.on("ended", (purpose) => (alert.textContent = `Your ${purpose} is off.`))
}

/** Own tracks by purpose. The package does not stop tracks: they are the page's. */
const opened = new Map()
/** Purposes whose device is being opened. */
const opening = new Set()

async function toggle(media, purpose) {
  if (media.published.has(purpose)) return media.unpublish(purpose)
  if (opening.has(purpose)) return
  opening.add(purpose)
  try {
    const wanted = purpose === "camera" ? { video: { height: 360 } } : { audio: true }
    const [track] = (await navigator.mediaDevices.getUserMedia(wanted)).getTracks()
    await media.publish(purpose, track).finally(() => {
      opened.set(purpose, track)
      stopUnused(media)
    })
  } finally {
    opening.delete(purpose)
  }
}

/** Turns off each device that is no longer heard or seen: after leaving, and when a host has made this person a viewer. */
function stopUnused(media) {
  for (const [purpose, track] of opened) {
    if (media.published.get(purpose) === track) continue
    track.stop()
    opened.delete(purpose)
  }
}

/** Elements of the people in the call, by member. They stay, since a video that moves in the page starts again. */
const figures = new Map()

function showPeople(participants) {
  const present = new Set(participants.map(({ member }) => member.id))
  for (const [id, { figure }] of figures) {
    if (present.has(id)) continue
    figure.remove()
    figures.delete(id)
  }
  for (const { member, tracks, connection } of participants) {
    const shown = figures.get(member.id) ?? figureOf(member)
    shown.caption.textContent = connection === "connected" ? member.name : `${member.name} (connecting)`
    play(shown.audio, tracks.get("microphone"))
    play(shown.video, tracks.get("camera"))
    shown.video.hidden = !tracks.has("camera")
  }
}

function figureOf(member) {
  const [figure, video, audio, caption] = ["figure", "video", "audio", "figcaption"].map((name) =>
    document.createElement(name),
  )
  for (const element of [video, audio]) element.autoplay = true
  video.playsInline = video.muted = true
  figure.setAttribute("aria-label", member.name)
  figure.append(video, audio, caption)
  document.querySelector("#people").append(figure)
  figures.set(member.id, { figure, video, audio, caption })
  return figures.get(member.id)
}

function play(element, track) {
  if (element.srcObject?.getTracks()[0] === track) return
  element.srcObject = track ? new MediaStream([track]) : null
}
