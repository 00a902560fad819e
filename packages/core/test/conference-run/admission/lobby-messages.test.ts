import { afterEach, expect, test, vi } from "vitest"
import { AdmissionDriver } from "../../../src/admission/admission-driver.ts"
import { decodeNotice } from "../../../src/admission/statements/notice.ts"
import type { Conference } from "../../../src/client/conference.ts"
import { OutsideTalk, UNANSWERED_MAX } from "../../../src/outside/outside-talk.ts"
import { Room, securedWith } from "../harness.ts"

let room = new Room()
afterEach(async () => {
  vi.restoreAllMocks()
  await room.close()
  room = new Room()
})

const WAIT = { timeout: 60_000 }
const admission = { policy: "approval" } as const
const closing = (conference: Conference): Promise<string> => new Promise((resolve) => conference.on("closed", resolve))
const heard = (host: Conference): string[] =>
  host.admissionState.knocks.flatMap(({ messages }) => messages.map(({ text }) => text))

/** Writes as soon as a host's key is there. */
const write = (guest: Conference, text: string): Promise<void> =>
  vi.waitFor(() => guest.sendLobbyMessage(text), { timeout: 60_000, interval: 50 })

test("a waiting person and a host write to each other, and no other member hears it", async () => {
  const ada = await room.create("Ada", { admission })
  const { url } = ada.invitation
  const bob = await room.join("Bob", url)
  await expect(bob.sendLobbyMessage("too early")).rejects.toMatchObject({ code: "no-answer" })
  await write(bob, "Bob from the roof committee")
  await expect.poll(() => heard(ada), WAIT).toEqual(["Bob from the roof committee"])
  await ada.sendLobbyMessage("Which Bob?", bob.self.id)
  await expect.poll(() => bob.admissionState.messages.at(-1), WAIT).toEqual({ text: "Which Bob?", byHost: true })
  await ada.admit(bob.self.id)
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  await expect(bob.sendLobbyMessage("inside")).rejects.toMatchObject({ code: "not-permitted" })

  // The key of the next epoch reaches the next person, and a member that is no host gets nothing.
  const eve = await room.join("Eve", url)
  await write(eve, "me too")
  await expect.poll(() => heard(ada), WAIT).toEqual(["me too"])
  expect(bob.admissionState).toMatchObject({ knocks: [] })
  await expect(bob.sendLobbyMessage("hello", eve.self.id)).rejects.toMatchObject({ code: "not-permitted" })
  const refused = closing(eve)
  await ada.sendLobbyMessage("This is for the committee only.", eve.self.id)
  await ada.refuse(eve.self.id)
  expect(await refused).toBe("refused")
  expect(eve.admissionState.messages.at(-1)?.text).toBe("This is for the committee only.")
  await expect(ada.sendLobbyMessage("still there?", eve.self.id)).rejects.toMatchObject({ code: "invalid-argument" })
})

test("a host loses no message of a waiting person when all come in one frame", async () => {
  const ada = await room.create("Ada", { admission })
  const { receive } = AdmissionDriver.prototype
  const arrived: (() => void)[] = []
  vi.spyOn(AdmissionDriver.prototype, "receive").mockImplementation(function (this: AdmissionDriver, from, bytes) {
    if (decodeNotice(bytes)?.type !== "outsideMessage") return receive.call(this, from, bytes)
    arrived.push(() => receive.call(this, from, bytes))
  })
  const bob = await room.join("Bob", ada.invitation.url)
  const lines = Array.from({ length: UNANSWERED_MAX }, (_, i) => `line ${i}`)
  for (const line of lines) await write(bob, line)
  // The first tells its reply key.
  await expect.poll(() => arrived.length, WAIT).toBe(1 + UNANSWERED_MAX)
  for (const take of arrived) take()
  await expect.poll(() => heard(ada), WAIT).toEqual(lines)
})

test("shows a host the newest messages when a waiting person floods it", async () => {
  const ada = await room.create("Ada", { admission })
  const bob = await room.join("Bob", ada.invitation.url)
  for (let i = 0; i < UNANSWERED_MAX; i++) await write(bob, `line ${i}`)
  await expect(bob.sendLobbyMessage("once more")).rejects.toMatchObject({ code: "queue-full" })
  vi.spyOn(OutsideTalk.prototype, "mayWrite", "get").mockReturnValue(true)
  for (let i = 0; i < 3; i++) await bob.sendLobbyMessage(`spam ${i}`)
  await expect.poll(() => heard(ada), WAIT).toEqual(["line 3", "spam 0", "spam 1", "spam 2"])
  await ada.sendLobbyMessage("Patience.", bob.self.id)
  await expect.poll(() => bob.admissionState.messages.at(-1)?.text, WAIT).toBe("Patience.")
  for (const wrong of ["", "  ", "x".repeat(1025), "a\u0000b"]) {
    await expect(bob.sendLobbyMessage(wrong)).rejects.toMatchObject({ code: "invalid-argument" })
  }
})
