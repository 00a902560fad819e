/** One person can appear as many members: identities cost nothing where a link is the invitation. */
import { expect, test } from "vitest"
import { GroupCore } from "../../src/group/core.ts"
import type { GroupInput, GroupOutput } from "../../src/view/group-types.ts"
import { memberIdFromBytes, type MemberId } from "../../src/members/ids.ts"
import { LINK_STATES_MAX } from "../../src/bounds/overlay-bounds.ts"
import { decodeLinkMessage, encodeLinkMessage } from "../../src/wire/frame.ts"
import { MEMBERS_MAX } from "../../src/wire/messages.ts"
import { times } from "./cores.ts"

const idOf = (n: number): MemberId => memberIdFromBytes(Uint8Array.of(...new Uint8Array(14), n >> 8, n & 255))

test("a heartbeat fits when the overlay reaches as many members as it admits", () => {
  const self = { id: idOf(0), incarnation: 1 }
  const core = new GroupCore({ self, conferenceTag: new Uint8Array(32), epochFloor: 0, ...times })
  const outputs: GroupOutput[] = []
  const step = (input: GroupInput): void => void outputs.push(...core.step(input))
  step({ type: "tick", nowMs: 0 })
  for (let n = 1; n <= LINK_STATES_MAX; n++) step({ type: "linkUp", peer: idOf(n), incarnation: 1, distant: n > 1 })
  step({ type: "tick", nowMs: times.heartbeatMs })

  const heartbeats = outputs.flatMap((output) => (output.type === "heartbeat" ? [output] : []))
  const said = heartbeats.map((output) => decodeLinkMessage(encodeLinkMessage(output)))
  expect(said.at(-1)).toMatchObject({ type: "heartbeat", heartbeat: heartbeats.at(-1)!.heartbeat })
  expect(heartbeats.at(-1)!.heartbeat.up).toHaveLength(MEMBERS_MAX)
})
