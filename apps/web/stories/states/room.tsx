import { embed } from "../../src/embed/embedding.tsx"
import { newerBuild } from "../../src/pwa/update.ts"
import { AT_MS } from "../diagnostics.ts"
import { drawing } from "../drawing.ts"
import { without } from "../conference.ts"
import { FEW, LONG, MANY, personNamed, RTL } from "../people.ts"
import { appOf, conference, nothing, room, sessionOf, type States, whenShown } from "../scenes.tsx"
import { decide, talk } from "../talk.ts"

const MINUTE_MS = 60_000

/** The room without faults: its beginning, its tools, its board and its end. */
export const inRoom: States = {
  alone: () => conference({ names: ["Ada"] }),
  "alone in writing": () =>
    conference({ names: ["Ada"], board: drawing(0) }, ({ say }) => void say(0, "Is anybody here?")),
  connecting: () => conference({ names: ["Ada"], status: "joining" }),
  agreeing: () => conference({ names: FEW, status: "agreeing" }),
  secured: () => conference({ names: FEW, title: "The roof", board: drawing(0) }, talk),
  tools: () =>
    conference({ names: MANY }, (story, session) => {
      session.startTimer(300_000)
      session.pauseTimer()
      decide(story)
      session.panelWanted.set("tools")
    }),
  "no votes yet": () => conference({ names: FEW }, (_, session) => session.panelWanted.set("tools")),
  "vote asked for": () => conference({ names: MANY }, decide),
  "timer ended": () => conference({ names: FEW }, (_, session) => session.startTimer(1000)),
  "slides without frames": () => conference({ names: FEW }, (_, session) => session.slidesOpen.set(true)),
  slides: () => conference({ names: FEW, board: drawing(3) }, (_, session) => session.slidesOpen.set(true)),
  "brought here": () => conference({ names: FEW, as: [{}, { role: "host", rank: 1 }] }, (story) => story.bring(1)),
  "board to be moved": () =>
    conference({ names: FEW, admission: { policy: "approval" }, board: drawing(0) }, (_, session) =>
      session.moveOn.set(async () => {}),
    ),
  "ten minutes left": () => conference(endingIn(9 * MINUTE_MS), talk),
  "two minutes left": () => conference(endingIn(1.5 * MINUTE_MS), talk),
  "copy after the end": () => conference({ ...copy(Date.now() - 1), names: FEW, board: drawing(0) }, talk),
  "copy that may go on": () =>
    conference({ ...copy(Date.now() + 60 * MINUTE_MS), names: FEW, board: drawing(0) }, talk),
  "return after the end": () => conference({ names: ["Ada"] }, (_, session) => session.late.set(true)),
  "copy without the server": () =>
    conference({ ...copy(Date.now() + 60 * MINUTE_MS, Date.now() + MINUTE_MS), names: FEW, board: drawing(0) }, talk),
  ring: () => conference({ names: MANY, keyAgreement: "bd", structure: "ring" }, talk),
  chain: () => conference({ names: MANY, keyAgreement: "gdh", structure: "chain" }, talk),
  star: () => conference({ names: MANY, keyAgreement: "ckd", structure: "star" }, talk),
  quorum: () => conference({ names: MANY, keyAgreement: "majority", structure: "quorum" }, talk),
  "waiting for people": () =>
    conference({
      names: ["Ada"],
      status: "agreeing",
      keyAgreement: "majority",
      admission: { policy: "roster", people: MANY.map(personNamed) },
    }),
  pictures: () =>
    conference({ names: FEW }, (_, { pictures }) => {
      const news = { adding: 1, coming: 3, percent: 40, missing: 2, beyond: 1, refused: "tooLarge" } as const
      pictures.set(news)
      // The board here has none of them, and reports it.
      pictures.subscribe(() => pictures.set(news))
    }),
  "receiving the board": () => conference({ names: FEW }, (story) => story.boardComes(1)),
  "in a frame": () => {
    const session = sessionOf({ names: FEW }, talk)
    // The window around this one gets a message for each change.
    Object.assign(window, { parent: { postMessage: nothing } })
    const app = appOf({ kind: "conference", session, after: "joining" }, "Ada")
    embed(app, document.getElementById("app")!, ["https://school.example"])
    return room(session)
  },
  "everything at once": () =>
    conference({ names: [...MANY, LONG, RTL], server: "down", storage: "failing" }, (story) => {
      story.emit("view", ...without(story, story.members.slice(3)))
      story.handle.document("board").awareness.setLocalStateField("doing", { typing: false, idle: false, hand: true })
      newerBuild.set(true)
    }),
  merged: () =>
    conference({ names: MANY }, (story) => {
      story.emit("view", ...without(story, story.members.slice(3)))
      const joined = story.members.slice(3)
      const change = { joined, left: [], lost: [], removed: [], cause: "joined" } as const
      whenShown(() => story.emit("view", { ...story.handle.view, id: "v9", epoch: 9 }, change), ".banner")
    }),
}

function endingIn(ms: number) {
  const endsAtMs = Date.now() + ms
  const timeFrame = { endsAtMs, latestEndMs: endsAtMs + 90 * MINUTE_MS }
  return { names: FEW, timeFrame, admissionState: { endsAtMs } }
}

/** @param latestEndMs until then a host may have extended it */
function copy(latestEndMs: number, endsAtMs = AT_MS) {
  return { title: "The roof", copyOnly: true, timeFrame: { endsAtMs, latestEndMs } }
}
