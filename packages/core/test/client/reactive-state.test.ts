import { expect, test, vi } from "vitest"
import { Conference } from "../../src/client/conference.ts"
import { createConference } from "../../src/client/entering.ts"

vi.mock("../../src/client/entering.ts")

/** A reactive state of Vue or Svelte: each object that is read from it is a proxy, and can't be cloned. */
function reactive<T extends object>(state: T): T {
  const get = (target: T, key: PropertyKey): unknown => {
    const value: unknown = Reflect.get(target, key)
    return typeof value === "object" && value !== null ? reactive(value) : value
  }
  return new Proxy(state, { get })
}

test("takes arrays of a reactive state, which cannot be cloned", async () => {
  const posted: unknown[] = []
  // A worker gets a clone.
  const call = async (_: string, params: unknown): Promise<null> => (posted.push(structuredClone(params)), null)
  const info = { id: "c0", self: { id: "ada" }, view: { members: [] }, timeFrame: {}, url: "" }
  const connection = { listen: () => undefined, call }
  vi.mocked(createConference).mockResolvedValue({ connection, info } as never)
  const conference = await Conference.create({} as never)
  await conference.channel("chat").erase(reactive(["a message"]))
  const documents = [{ name: "board", text: "{}" }]
  await conference.evidence(reactive(documents))
  expect(posted).toEqual([
    { id: "c0", channel: "chat", messages: ["a message"] },
    { id: "c0", documents },
  ])
})
