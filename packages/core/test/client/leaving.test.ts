import { afterEach, expect, test, vi } from "vitest"
import { Conference } from "../../src/client/conference.ts"
import { createConference } from "../../src/client/entering.ts"

vi.mock("../../src/client/entering.ts")
afterEach(() => vi.restoreAllMocks())

test("leaves the call before it waits for messages that are being sent", async () => {
  const connection = { listen: () => undefined, call: async () => null }
  const info = { id: "conference", self: { id: "ada" }, view: { members: [] }, timeFrame: {}, url: "" }
  vi.mocked(createConference).mockResolvedValue({ connection, info } as never)
  const conference = await Conference.create({} as never)
  const leave = vi.spyOn(conference.media, "leave")
  const leaving = conference.leave()
  expect(leave).toHaveBeenCalledOnce()
  await leaving
})
