import { afterEach, expect, test } from "vitest"
import { Room, securedWith } from "./harness.ts"

const room = new Room()
afterEach(() => room.close())

test("a call is refused in Node with the reason", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  const { media } = bob
  const states: string[] = []
  media.on("change", () => states.push(media.state))
  await expect(media.enter()).rejects.toMatchObject({
    code: "unsupported-browser",
    message: "Voice and video work in browsers only.",
  })
  const changes = [media.state, ...states].filter((state, i, all) => state !== all[i - 1])
  expect(changes).toEqual(["out", "entering", "out"])
  expect(media.participants).toEqual([])
  await expect(media.publish("camera", {} as MediaStreamTrack)).rejects.toMatchObject({ code: "closed" })
})
