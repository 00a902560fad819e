import "../src/styles/base.css"
import "../src/styles/screens.css"
import "../src/styles/conference.css"
import "../src/styles/chat.css"
import type { Knock, ConferencePreview, Member, Person } from "@keymoot/core"
import { Suspense } from "react"
import type { ReactNode } from "react"
import { createRoot } from "react-dom/client"
import type { Problem } from "../src/problem.ts"
import { ConferenceScreen } from "../src/conference/lazyConference.ts"
import { UpdateNote } from "../src/pwa/UpdateNote.tsx"
import { newerBuild } from "../src/pwa/update.ts"
import EarlyScreen from "../src/schedule/EarlyScreen.tsx"
import { EnterScreen } from "../src/screens/EnterScreen.tsx"
import type { Preview } from "../src/screens/usePreview.ts"
import { InsecureScreen } from "../src/screens/InsecureScreen.tsx"
import { NowhereScreen } from "../src/screens/NowhereScreen.tsx"
import { ProblemScreen } from "../src/screens/ProblemScreen.tsx"
import { WorkingScreen } from "../src/screens/WorkingScreen.tsx"
import { openSession } from "../src/session/session.ts"
import { encodeReply } from "../src/session/reply.ts"
import { remainsOf } from "../src/session/remains.ts"
import type { Remains } from "../src/session/remains.ts"
import type { Session } from "../src/session/session.ts"
import { startSettings } from "../src/settings/settings.ts"
import { PageDirection } from "../src/ui/PageDirection.tsx"
import { AT_MS, openStory, without } from "./conference.ts"
import type { Scene } from "./conference.ts"

type Story = ReturnType<typeof openStory>

const CERTIFIED = { policy: "ca", authority: { name: "Acme Ltd", fingerprint: "a".repeat(64) } } as const
const FEW = ["Ada", "Bob", "Eve"]
const MANY = [...FEW, "Grace", "Linus", "Margaret"]
const LONG = "Maximiliane von und zu Wolkenkuckucksheim-Oberniederhausen"
const RTL = "عبد الرحمن بن محمد الأندلسي"

function conference(scene: Scene, happen: (story: Story, session: Session) => void = () => undefined): ReactNode {
  const story = openStory(scene)
  const session = openSession(story.handle)
  happen(story, session)
  return (
    <Suspense>
      <ConferenceScreen
        session={session}
        onLeave={() => undefined}
        onClose={() => undefined}
        onLate={() => undefined}
      />
    </Suspense>
  )
}

function problem(which: Problem, retry = true, remains: Remains | null = null): ReactNode {
  const nothing = () => undefined
  return <ProblemScreen problem={which} remains={remains} onRetry={retry ? nothing : null} onStart={nothing} />
}

/** The content of a conference with messages and drawings. */
function remains(): Remains {
  const story = openStory({ names: FEW })
  const session = openSession(story.handle)
  session.boardWriter.set(() => "{}")
  talk(story)
  return remainsOf(session)!
}

function entering(preview: Preview, lastName = ""): ReactNode {
  const nothing = () => undefined
  return (
    <EnterScreen
      preview={preview}
      problem={null}
      lastName={lastName}
      onJoin={nothing}
      onFinal={nothing}
      onInstead={nothing}
    />
  )
}

function invited(
  creator: Partial<ConferencePreview["creator"]>,
  admission: ConferencePreview["admission"] = { policy: "link" },
): ReactNode {
  const id = "0".repeat(32) as Member["id"]
  return entering({
    kind: "seen",
    preview: {
      id: "5".repeat(32),
      title: `The roof, and what became of it: ${RTL}`,
      timeFrame: { opensAtMs: AT_MS, endsAtMs: AT_MS + 86_400_000, latestEndMs: AT_MS + 172_800_000 },
      admission,
      history: "everything",
      keyAgreement: "tgdh",
      creator: { id, name: LONG, self: false, verified: false, changedKey: false, ...creator },
    },
  })
}

/** An open poll, a closed vote, and one whose result is hidden. */
function decide({ poll }: Story): void {
  const draft = { type: "poll", several: false, hidden: true, options: ["👍 For", "👎 Against", "🤷 Abstain"] }
  const roof = poll(1, { ...draft, question: `Shall we mend the roof? ${RTL}` }).id
  for (const index of [0, 1, 2]) poll(index, { type: "vote", of: roof, chosen: [index % 2], turn: 0 })
  poll(1, { type: "close", of: roof })
  poll(2, { ...draft, question: "Do we need a break?" })
  const lunch = { options: ["Soup", LONG, "Bread"], several: true, hidden: false, question: "Lunch?" }
  const { id } = poll(0, { type: "poll", ...lunch })
  for (const index of [0, 3, 4])
    poll(index, { type: "vote", of: id, chosen: index % 3 === 0 ? [0] : [0, index % 3], turn: 0 })
}

/** States of the connections to the first others. */
const TROUBLED = [
  {},
  { connection: "connecting" },
  { connection: "no-path" },
  { undecryptable: true, quality: "poor" },
  { quality: "fair" },
] as const

function personNamed(name: string, index: number): Person {
  return { id: `${index}`.padStart(32, "0") as Member["id"], name, fingerprint: "" }
}

function knockOf(name: string, index: number): Knock {
  const messages = [
    { text: "Grace from the roof committee. " + LONG, byHost: false },
    { text: "Which Grace?", byHost: true },
  ]
  return { ...personNamed(name, index), messages: index === 0 ? messages : [] }
}

const STATES: Readonly<Record<string, () => ReactNode>> = {
  alone: () => conference({ names: ["Ada"] }),
  entering: () => invited({}),
  "entering, verified": () => invited({ verified: true }, { policy: "roster", people: FEW.map(personNamed) }),
  "entering, another key": () => invited({ changedKey: true }, { policy: "approval" }),
  "entering, unknown yet": () => entering({ kind: "looking" }),
  "not open yet": () => (
    <EarlyScreen
      opensAtMs={Date.UTC(2031, 0, 15, 9, 30)}
      invited={{ id: "5", title: "", url: "https://meet.example/c/5#s", opensAtMs: AT_MS, endsAtMs: AT_MS }}
      onEnter={() => undefined}
      onStart={() => undefined}
    />
  ),
  joining: () => <WorkingScreen what="joining" />,
  connecting: () => conference({ names: ["Ada"], status: "joining" }),
  agreeing: () => conference({ names: FEW, status: "agreeing" }),
  secured: () => conference({ names: FEW, title: "The roof" }, talk),
  replies: () => conference({ names: FEW }, discuss),
  "my role changed": () =>
    conference({ names: FEW, viewer: true }, (story) =>
      whenShown(() => {
        const members = story.members.map((member) => (member.self ? { ...member, role: "editor" as const } : member))
        story.emit("status", { ...story.handle.view, members })
      }),
    ),
  tools: () =>
    conference({ names: MANY }, (story, session) => {
      session.startTimer(300_000)
      session.pauseTimer()
      decide(story)
      session.panelWanted.set("tools")
    }),
  "raised hand": () => conference({ names: FEW }, (_, { presence }) => presence.raiseHand(true)),
  "slides without frames": () => conference({ names: FEW }, (_, session) => session.slidesOpen.set(true)),
  "call preview": () => conference({ names: FEW, inCall: 2 }, (_, session) => session.call.preview()),
  "call alone": () => conference({ names: FEW, inCall: 1 }, (_, session) => void session.call.join()),
  "in a call": () =>
    conference({ names: [...MANY, LONG], inCall: 7, inCallAs: TROUBLED }, (_, session) => void session.call.join()),
  "heard in a call": () => conference({ names: FEW, inCall: 3 }, (_, session) => void speak(session)),
  "shared screen": () => conference({ names: FEW, inCall: 3, screen: true }, (_, session) => void session.call.join()),
  "key changes in a call": () =>
    conference({ names: FEW, inCall: 3, status: "keyed" }, (_, session) => void session.call.join()),
  "muted by a host": () =>
    conference({ names: FEW, inCall: 3 }, (story, session) => {
      void session.call.join().then(() => story.emitMedia("request", "mute", story.members[1]!))
    }),
  "asked to unmute": () =>
    conference({ names: [...FEW, LONG], inCall: 4 }, (story, session) => {
      void session.call.join().then(() => story.emitMedia("request", "unmute", story.members[3]!))
    }),
  "device refused": () =>
    conference({ names: FEW, inCall: 2 }, (_, session) => {
      refuseDevices("NotAllowedError")
      void session.call.join().then(() => session.call.toggle("microphone"))
    }),
  "call before a reload": () => {
    sessionStorage.setItem("keymoot call", JSON.stringify({ conference: "5".repeat(32), toggles: ["microphone"] }))
    return conference({ names: FEW, inCall: 3 })
  },
  "listening to a call": () =>
    conference({ names: FEW, inCall: 3, viewer: true }, (_, session) => void session.call.join()),
  unreachable: () =>
    conference({ names: FEW }, (story) => story.emit("view", ...without(story, story.members.slice(2)))),
  partitioned: () =>
    conference({ names: MANY }, (story) => story.emit("view", ...without(story, story.members.slice(3)))),
  merged: () =>
    conference({ names: MANY }, (story) => {
      story.emit("view", ...without(story, story.members.slice(3)))
      const joined = story.members.slice(3)
      const change = { joined, left: [], lost: [], removed: [], cause: "joined" } as const
      whenShown(() => story.emit("view", { ...story.handle.view, id: "v9", epoch: 9 }, change))
    }),
  "server unreachable": () => conference({ names: FEW, server: "down" }, talk),
  offline: () =>
    conference({ names: FEW, server: "down" }, (story) =>
      story.emit("view", ...without(story, story.members.slice(1))),
    ),
  "storage full": () => conference({ names: FEW, storage: "failing" }, talk),
  pictures: () =>
    conference({ names: FEW }, (_, { pictures }) => {
      const news = { adding: 1, coming: 3, percent: 40, missing: 2, beyond: 1, refused: "tooLarge" } as const
      pictures.set(news)
      // The board here has none of them, and reports it.
      pictures.subscribe(() => pictures.set(news))
    }),
  "board not sent": () => conference({ names: FEW }, (story) => story.boardUnsent()),
  "receiving the board": () => conference({ names: FEW }, (story) => story.boardComes(1)),
  "not deleted": () => {
    return conference({ names: FEW, mute: true }, (story, session) => {
      session.erase(story.say(0, "I did not mean that.").id)
      session.send("Nor does this get through.")
    })
  },
  "sent while away": () =>
    conference({ names: FEW }, ({ passOn, say }) => {
      passOn("Shall we begin with the roof?", true)
      passOn("I would begin with the walls.", false)
      say(0, "The roof.")
    }),
  "another key": () => conference({ names: FEW, changedKey: 1 }, talk),
  viewer: () => conference({ names: FEW, viewer: true }, talk),
  "no host vouched": () => conference({ names: FEW, viewer: true, admissionState: { vouched: false } }),
  "waiting for a host": () => conference({ names: ["Ada"], title: "The roof", admissionState: { waiting: true } }),
  knocks: () => conference({ names: FEW, admissionState: { knocks: ["Grace", LONG, RTL].map(knockOf) } }),
  "many knocks": () => conference({ names: FEW, admissionState: { knocks: MANY.map(knockOf) } }),
  "waiting for people": () =>
    conference({
      names: ["Ada"],
      status: "agreeing",
      keyAgreement: "majority",
      admission: { policy: "roster", people: MANY.map(personNamed) },
    }),
  ring: () => conference({ names: MANY, keyAgreement: "bd", structure: "ring" }, talk),
  chain: () => conference({ names: MANY, keyAgreement: "gdh", structure: "chain" }, talk),
  star: () => conference({ names: MANY, keyAgreement: "ckd", structure: "star" }, talk),
  quorum: () => conference({ names: MANY, keyAgreement: "majority", structure: "quorum" }, talk),
  certified: () => conference({ names: FEW, admission: CERTIFIED }),
  relayed: () => conference({ names: FEW, path: "relayed-by-server" }),
  crowd: () => conference({ names: crowd(), title: `${LONG}: ${RTL}` }, chatter),
  "everything at once": () =>
    conference({ names: [...MANY, LONG, RTL], server: "down", storage: "failing" }, (story) => {
      story.emit("view", ...without(story, story.members.slice(3)))
      story.handle.document("board").awareness.setLocalStateField("doing", { typing: false, idle: false, hand: true })
      newerBuild.set(true)
    }),
  "conference over": () => problem("conference-over", false, remains()),
  "removed by a host": () => problem("removed", false, { ...remains(), board: null }),
  "wrong link": () => problem("invalid-link", false),
  "unknown conference": () => problem("unknown-conference", false),
  "expired link": () => entering({ kind: "failed", problem: "conference-over" }, LONG),
  "damaged link": () => entering({ kind: "failed", problem: "invalid-link" }),
  "link to another conference": () => entering({ kind: "failed", problem: "descriptor-mismatch" }),
  "no such page": () => <NowhereScreen onStart={() => undefined} />,
  "plain http": () => <InsecureScreen arrival={{ kind: "start" }} location={new URL("http://meet.example:8080/")} />,
  "link for another browser profile": () => problem("no-invitation", false),
  "not on the list": () => problem("not-admitted", false),
  "no storage": () => problem("storage-unavailable"),
}

/** As this browser would show it on a machine whose person has refused. */
function refuseDevices(name: string): void {
  navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("refused", name))
}

/** Enters the call with a microphone that is silent, and a camera. */
async function speak({ call }: Session): Promise<void> {
  const sound = new AudioContext().createMediaStreamDestination().stream
  const picture = document.createElement("canvas").captureStream()
  navigator.mediaDevices.getUserMedia = async ({ audio } = {}) => (audio === undefined ? picture : sound)
  await call.join()
  for (const toggle of ["microphone", "camera"] as const) await call.toggle(toggle)
}

/** A return is news only to a person who saw the loss. */
function whenShown(run: () => void): void {
  if (document.querySelector(".drawer") !== null) run()
  else setTimeout(() => whenShown(run), 50)
}

function talk({ say, mark }: Story): void {
  const plan = say(1, "Shall we begin with the **roof**? `rain()` comes *first*.")
  say(2, "I have the plan: https://example.org/a-rather-long/address/that-must-wrap/somewhere?plan=roof")
  const mine = say(0, "Yes.")
  const gone = say(2, "This was wrong.")
  mark(2, { type: "delete", of: gone.id })
  mark(0, { type: "edit", of: mine.id, text: "Yes. The north side first, it leaks most." })
  mark(0, { type: "reaction", of: plan.id, emoji: "👍", on: true })
  mark(2, { type: "reaction", of: plan.id, emoji: "👍", on: true })
  mark(2, { type: "reaction", of: plan.id, emoji: "🎉", on: true })
}

/** Answers, mentions, a list and a link whose words are another address. */
function discuss({ say }: Story): void {
  const question = say(1, "Where do we begin? @Ada, @Eve")
  say(
    0,
    encodeReply(question.id, "- the north side\n- the windows\n\nSee [https://plan.example](https://other.example/x)"),
  )
  say(2, encodeReply("gone", "That was long ago."))
}

/** Sixty people, and five hundred messages of all kinds. */
function crowd(): readonly string[] {
  return Array.from({ length: 60 }, (_, i) =>
    i % 10 === 3 ? `${LONG} ${i}` : i % 10 === 6 ? `${RTL} ${i}` : `Person ${i}`,
  )
}

function chatter({ say }: Story): void {
  const texts = [
    "Yes.",
    "من الأفضل أن نبدأ بالسقف، ثم الجدران.",
    "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung".repeat(2),
    "A longer thought that takes more than one line, so that the list has messages of many heights in it.",
    '```\nconst roof = await mend({ side: "north", before: "rain" })\n```',
  ]
  for (let i = 0; i < 500; i++) say((i * 7) % 60, `${texts[i % texts.length]} ${i}`)
}

await startSettings()
const state = new URLSearchParams(location.search).get("state") ?? ""
const show = STATES[state]
const root = document.getElementById("app")
if (root === null || show === undefined) document.body.textContent = JSON.stringify(Object.keys(STATES))
else
  createRoot(root).render(
    <PageDirection>
      {show()}
      <UpdateNote />
    </PageDirection>,
  )
