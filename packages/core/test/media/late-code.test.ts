/** The code of calls cannot be loaded at first, as on a bad line. */
import type { MemberId } from "@keymoot/transport"
import { beforeEach, expect, test, vi } from "vitest"
import type { MediaConfig } from "../../src/client/conference-media.ts"
import { EARLY_STATES_MAX, LazyMedia } from "../../src/client/lazy-media.ts"

const ids = ["a", "b", "c"].map((letter) => letter.repeat(32)) as MemberId[]
const [ADA, BOB, EVE] = ids as [MemberId, MemberId, MemberId]

let media: LazyMedia
let attempts: number
let isReachable: boolean

beforeEach(() => {
  ;[attempts, isReachable] = [0, false]
  vi.resetModules()
  vi.doMock(import("../../src/client/conference-media.ts"), async (load) => {
    attempts++
    if (!isReachable) throw new Error("the server is unreachable")
    return load()
  })
  const members = ids.map((id) => ({ id, name: id[0], self: id === ADA, role: "editor" }))
  media = new LazyMedia({
    info: { id: "conference", self: { id: ADA }, incarnation: 1 },
    connection: { call: async () => undefined },
    present: { view: { members }, onEvent: () => undefined },
  } as unknown as MediaConfig)
  inCall = []
  media.on("change", () => (inCall = media.participants.map(({ member }) => member.id)))
  media.onEvent({ type: "view", peers: ids.map((id) => ({ id, incarnation: 1 })) } as never)
})

const state = (from: MemberId, session: number): void =>
  media.onEvent({ type: "media", from, signal: { kind: "state", session, incarnation: 1, sources: [] } } as never)
/** A member enters, and the code cannot be loaded. */
async function inVain(from: MemberId, session: number): Promise<void> {
  const before = attempts
  state(from, session)
  await vi.waitFor(() => expect(attempts).toBe(before + 1))
  // The failure reaches the call in later turns.
  await new Promise((resolve) => setTimeout(resolve))
}
/** The members in the call as the last change has shown them. */
let inCall: readonly MemberId[]

test("shows all members of a call when its code came only with the second one", async () => {
  await inVain(BOB, 7)
  isReachable = true
  state(EVE, 8)
  await vi.waitFor(() => expect(inCall).toEqual([BOB, EVE]))
})

test("shows no member that left the call before its code came", async () => {
  await inVain(BOB, 7)
  isReachable = true
  state(BOB, 0)
  state(EVE, 8)
  await vi.waitFor(() => expect(inCall).toEqual([EVE]))
})

test("keeps the states of a bounded number of members when many come and go", async () => {
  await inVain(BOB, 7)
  for (let number = 0; number < 10 * EARLY_STATES_MAX; number++) state(String(number).padStart(32, "0") as MemberId, 9)
  await vi.waitFor(() => expect(attempts).toBe(2))
  await new Promise((resolve) => setTimeout(resolve))
  isReachable = true
  state(EVE, 8)
  await vi.waitFor(() => expect(inCall).toEqual([EVE]))
})
