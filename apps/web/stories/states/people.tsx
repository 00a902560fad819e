import type { Knock } from "@keymoot/core"
import { FEW, LONG, MANY, personNamed, RTL } from "../people.ts"
import { conference, type States, whenShown } from "../scenes.tsx"
import { chatter, crowd, discuss, talk } from "../talk.ts"

const CERTIFIED = { policy: "ca", authority: { name: "Acme Ltd", fingerprint: "a".repeat(64) } } as const
const APPROVAL = { policy: "approval" } as const
const HOST = { role: "host", rank: 1, mayRemove: false, maySetRole: false } as const

/** People, their roles, and what they write. */
export const people: States = {
  replies: () => conference({ names: FEW }, discuss),
  "reply being written": () =>
    conference({ names: FEW }, (story, session) => {
      talk(story)
      session.replyingTo.set(story.say(2, `And the walls? ${"They are damp. ".repeat(20)}`).id)
    }),
  mentioned: () =>
    conference({ names: FEW }, (story) =>
      whenShown(() => {
        // Read otherwise, before the banner could show it.
        document.querySelectorAll<HTMLElement>(".drawer [role=tab]")[1]?.dispatchEvent(pressed())
        setTimeout(() => story.say(1, "What do you think, @Ada?"), 100)
      }),
    ),
  "shared picture": () =>
    conference({ names: FEW }, (story) => {
      story.share(1, "The roof from the north.png")
      story.share(0, `${LONG}.png`)
    }),
  "my role changed": () =>
    conference({ names: FEW, viewer: true }, (story) =>
      whenShown(() => {
        const members = story.members.map((member) => (member.self ? { ...member, role: "editor" as const } : member))
        story.emit("status", { ...story.handle.view, members })
      }, ".excalidraw"),
    ),
  "raised hand": () => conference({ names: FEW }, (_, { presence }) => presence.raiseHand(true)),
  viewer: () => conference({ names: FEW, viewer: true }, talk),
  "equal names": () => conference({ names: ["Ada", "Bob", "bob", LONG] }),
  "own other device": () =>
    conference({ names: ["Ada", "Ada", "Bob"], as: [{}, { publicKey: "0".repeat(32), verified: false }] }),
  "ranks of hosts": () => conference({ names: MANY, as: [{ rank: 1 }, { ...HOST, rank: 0 }, { ...HOST, rank: 2 }] }),
  "only host": () => conference({ names: [...FEW, LONG, RTL], admission: APPROVAL }, talk),
  "no host here": () => conference({ names: FEW, admission: APPROVAL, as: [{ role: "editor", rank: null }] }, talk),
  "no host vouched": () => conference({ names: FEW, viewer: true, admissionState: { vouched: false } }),
  "waiting for a host": () =>
    conference({ names: ["Ada"], title: "The roof", admissionState: { waiting: true, hostHere: true } }),
  "waiting without a host": () =>
    conference({ names: ["Ada"], title: "The roof", admissionState: { waiting: true, hostHere: false } }),
  "messages while waiting": () => {
    const { messages } = knockOf("Grace", 0)
    return conference({ names: ["Grace"], admissionState: { waiting: true, hostHere: true, messages } })
  },
  knocks: () => conference({ names: FEW, admissionState: { knocks: ["Grace", LONG, RTL].map(knockOf) } }),
  "many knocks": () => conference({ names: FEW, admissionState: { knocks: [...MANY, LONG, RTL].map(knockOf) } }),
  "sent while away": () =>
    conference({ names: FEW }, ({ passOn, say }) => {
      passOn("Shall we begin with the roof?", true)
      passOn("I would begin with the walls.", false)
      say(0, "The roof.")
    }),
  certified: () => conference({ names: FEW, admission: CERTIFIED }),
  crowd: () => conference({ names: crowd(), title: `${LONG}: ${RTL}` }, chatter),
}

function pressed(): MouseEvent {
  return new MouseEvent("mousedown", { bubbles: true, button: 0 })
}

function knockOf(name: string, index: number): Knock {
  const messages = [
    { text: "Grace from the roof committee. " + LONG, byHost: false },
    { text: "Which Grace?", byHost: true },
  ]
  const trust = { verified: index === 1, changedKey: index === 2 }
  return { ...personNamed(name, index), ...trust, messages: index === 0 ? messages : [] }
}
