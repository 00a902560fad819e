import type { ChannelMessage, ConferenceHandle } from "@keymoot/core"
import { expect, it } from "vitest"
import { openMarking } from "../../src/session/marking.ts"
import type { Entry } from "../../src/session/order.ts"
import { store } from "../../src/store.ts"

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** A conference of which only the channel of marks is there; `refuse` names the steps of a deletion that do not get through. */
function open() {
  const refuse = new Set<"mark" | "erase">()
  const done: string[] = []
  let held = 0
  const transcript = store<readonly Entry[]>([{ id: "ada/1" } as Entry])
  const step = async (name: "mark" | "erase", what: string): Promise<void> => {
    if (refuse.has(name)) throw new Error("not sent")
    done.push(what)
  }
  const channel = {
    on: () => undefined,
    async send(text: string) {
      await step("mark", "mark")
      const position = { epoch: 1, view: "v", sequence: 1 }
      return { id: "ada/2", from: { id: "ada", self: true }, text, position } as unknown as ChannelMessage
    },
    erase: (ids: readonly string[]) => step("erase", `erase changes ${ids}`),
  }
  const marking = openMarking(
    { channel: () => channel } as unknown as ConferenceHandle,
    {
      transcript,
      channelOf: () => ({ erase: (ids) => step("erase", `erase ${ids}`) }),
      invalid: () => undefined,
      shownMembers: () => [],
      hold: () => {
        held++
        return () => held--
      },
    },
    new AbortController().signal,
  )
  return { marking, refuse, done, held: () => held, evict: () => transcript.set([]) }
}

it("takes a message back, and holds the person until that is sent", async () => {
  const { marking, done, held } = open()
  marking.erase("ada/1")
  expect(marking.erasing.get()).toEqual(new Map([["ada/1", "waiting"]]))
  expect(held()).toBe(1)
  await turn()
  expect(done).toEqual(["mark", "erase ada/1"])
  expect(marking.erasing.get()).toEqual(new Map())
  expect(held()).toBe(0)
})

it.each(["mark", "erase"] as const)(
  "says that a deletion failed at its %s, and does it when it is tried again",
  async (at) => {
    const { marking, refuse, done, held } = open()
    refuse.add(at)
    marking.erase("ada/1")
    await turn()
    expect(marking.erasing.get()).toEqual(new Map([["ada/1", "failed"]]))
    expect(held()).toBe(0)
    refuse.clear()
    marking.erase("ada/1")
    await turn()
    expect(done.slice(-2)).toEqual(["mark", "erase ada/1"])
    expect(marking.erasing.get()).toEqual(new Map())
  },
)

it("asks for one deletion once, however often it is pressed", async () => {
  const { marking, done } = open()
  marking.erase("ada/1")
  marking.erase("ada/1")
  await turn()
  expect(done).toEqual(["mark", "erase ada/1"])
})

it("keeps a typed change, and holds the person until it is sent or given up", async () => {
  const { marking, refuse, done, held } = open()
  marking.setEdit("ada/1", "The rof")
  expect(held(), "only begun").toBe(0)
  marking.setEdit("ada/1", "The roof")
  expect(held()).toBe(1)
  refuse.add("mark")
  marking.sendEdit("ada/1")
  expect(marking.edits.get().get("ada/1")).toEqual({ text: "The roof", state: "sending" })
  expect(held()).toBe(1)
  await turn()
  expect(marking.edits.get().get("ada/1")).toEqual({ text: "The roof", state: "failed" })
  expect(held()).toBe(1)
  refuse.clear()
  marking.sendEdit("ada/1")
  await turn()
  expect(done).toEqual(["mark"])
  expect(marking.edits.get()).toEqual(new Map())
  expect(held()).toBe(0)
  marking.setEdit("ada/1", "The roofs")
  marking.setEdit("ada/1", null)
  expect(held()).toBe(0)
})

it("holds the person while a change is sent whose form was closed", async () => {
  const { marking, done, held } = open()
  marking.setEdit("ada/1", "The roof")
  marking.sendEdit("ada/1")
  marking.setEdit("ada/1", null)
  expect(held()).toBe(1)
  marking.setEdit("ada/1", "The roof")
  marking.setEdit("ada/1", "The roofs")
  await turn()
  expect(done).toEqual(["mark"])
  expect(marking.edits.get().get("ada/1")).toEqual({ text: "The roofs", state: "typing" })
  expect(held()).toBe(1)
})

it("gives up the change of a message that is deleted", async () => {
  const { marking, held } = open()
  marking.setEdit("ada/1", "The roof")
  marking.erase("ada/1")
  await turn()
  expect(marking.edits.get()).toEqual(new Map())
  expect(held()).toBe(0)
})

it("gives up the change of a message when the chat no longer holds it", () => {
  const { marking, held, evict } = open()
  marking.setEdit("ada/1", "The rof")
  marking.setEdit("ada/1", "The roof")
  evict()
  expect(marking.edits.get()).toEqual(new Map())
  expect(held()).toBe(0)
})

it("gives up a change that fails when the chat no longer holds its message", async () => {
  const { marking, refuse, held, evict } = open()
  marking.setEdit("ada/1", "The roof")
  refuse.add("mark")
  marking.sendEdit("ada/1")
  evict()
  expect(held(), "still being sent").toBe(1)
  await turn()
  expect(marking.edits.get()).toEqual(new Map())
  expect(held()).toBe(0)
})
