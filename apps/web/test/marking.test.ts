import type { ChannelMessage, ConferenceHandle } from "@keymoot/core"
import { expect, it } from "vitest"
import { openMarking } from "../src/session/marking.ts"

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** A conference of which only the channel of marks is there; `refuse` names the steps of a deletion that do not get through. */
function open() {
  const refuse = new Set<"mark" | "erase">()
  const done: string[] = []
  let held = 0
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
  return { marking, refuse, done, held: () => held }
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
