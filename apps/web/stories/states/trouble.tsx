import { without } from "../conference.ts"
import { FEW, MANY } from "../people.ts"
import { conference, type States } from "../scenes.tsx"
import { talk } from "../talk.ts"

/** Connections, the server, storage and keys that fail. */
export const trouble: States = {
  unreachable: () =>
    conference({ names: FEW }, (story) => story.emit("view", ...without(story, story.members.slice(2)))),
  partitioned: () =>
    conference({ names: MANY }, (story) => story.emit("view", ...without(story, story.members.slice(3)))),
  "server unreachable": () => conference({ names: FEW, server: "down" }, talk),
  offline: () =>
    conference({ names: FEW, server: "down" }, (story) =>
      story.emit("view", ...without(story, story.members.slice(1))),
    ),
  "storage full": () => conference({ names: FEW, storage: "failing" }, talk),
  "board not sent": () => conference({ names: FEW }, (story) => story.boardUnsent()),
  "not deleted": () =>
    conference({ names: FEW, mute: true }, (story, session) => {
      session.erase(story.say(0, "I did not mean that.").id)
      session.send("Nor does this get through.")
    }),
  "another key": () => conference({ names: FEW, as: [{}, { changedKey: true }] }, talk),
  relayed: () => conference({ names: FEW, path: "relayed-by-server" }),
}
