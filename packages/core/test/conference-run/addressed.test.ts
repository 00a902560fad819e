/** Messages for some members, large ones, requests and their answers, between whole engines. */
import type { MemberId } from "@keymoot/transport"
import { afterEach, expect, test, vi } from "vitest"
import type { ChannelMessage, Role } from "../../src/api/index.ts"
import type { Conference } from "../../src/client/conference.ts"
import { ignoreOwnRole } from "./admission/ignore-own-role.ts"
import { Room, securedWith } from "./harness.ts"
import { sendPiecesSlowly } from "./slow-pieces.ts"

let room = new Room()
afterEach(async () => {
  vi.restoreAllMocks()
  await room.close()
  room = new Room()
})

const WAIT = { timeout: 60_000 }

async function securedRoom(...names: string[]): Promise<Conference[]> {
  const ada = await room.create("Ada")
  const all = [ada]
  for (const name of names) all.push(await room.join(name, ada.invitation.url))
  await Promise.all(all.map((conference) => securedWith(conference, all.length)))
  return all
}

function record(conference: Conference, channel = "side"): ChannelMessage[] {
  const messages: ChannelMessage[] = []
  conference.channel(channel).on("message", (message) => messages.push(message))
  return messages
}
const texts = (messages: readonly ChannelMessage[]): string[] => messages.map(({ text }) => text)
const noise = (bytes: number): Uint8Array => {
  const all = new Uint8Array(bytes)
  for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(all.subarray(at, at + 65_536))
  return all
}

test("a message for some is shown to them and its sender, and all see one order", async () => {
  const [ada, bob, carl] = (await securedRoom("Bob", "Carl")) as [Conference, Conference, Conference]
  const heard = [ada, bob, carl].map((conference) => record(conference))
  const side = ada.channel("side")
  await side.send("for Bob", { targets: [bob.self.id] })
  await side.send("for both", { targets: [carl.self.id, bob.self.id], service: "safe" })
  const last = await side.send("for all")
  await expect.poll(() => heard.map((messages) => messages.at(-1)?.id), WAIT).toEqual([last.id, last.id, last.id])
  expect(heard.map(texts)).toEqual([
    ["for Bob", "for both", "for all"],
    ["for Bob", "for both", "for all"],
    ["for both", "for all"],
  ])
  expect(heard[2]!.map(({ id, position }) => [id, position])).toEqual(
    heard[0]!.slice(1).map(({ id, position }) => [id, position]),
  )
})

test("targets are members' ids, and a channel with a history has none", async () => {
  const [ada] = (await securedRoom()) as [Conference]
  const code = (targets: readonly string[], history = false): Promise<string> =>
    ada
      .channel(history ? "kept" : "side", { history })
      .send("x", { targets: targets as MemberId[] })
      .then(
        () => "sent",
        ({ code }) => code,
      )
  expect(await code([])).toBe("invalid-argument")
  expect(await code(["Bob"])).toBe("invalid-argument")
  expect(await code([ada.self.id], true)).toBe("invalid-argument")
  expect(await code([ada.self.id])).toBe("sent")
})

test("a large message reaches all in order with progress, without blocking channels", async () => {
  const [ada, bob] = (await securedRoom("Bob")) as [Conference, Conference]
  const heard = [ada, bob].map((conference) => record(conference))
  const large = noise(3 * 1024 * 1024)
  const sent: number[] = []
  const received: number[] = []
  let chatAfter = 0
  bob.channel("chat").on("message", () => void (chatAfter = received.length))
  bob.channel("side").on("progress", ({ from, received: pieces }) => {
    expect(from.name).toBe("Ada")
    received.push(pieces)
  })
  const side = ada.channel("side")
  const all = [
    side.send("before"),
    side.send(large, {
      onProgress: ({ sent: pieces, count }) => {
        sent.push(pieces)
        if (pieces === 5) void ada.channel("chat").send("quickly")
        expect(count).toBe(49)
      },
    }),
    side.send("after"),
  ]
  await Promise.all(all)
  await expect.poll(() => heard.map((messages) => messages.length), WAIT).toEqual([3, 3])
  for (const messages of heard) {
    expect([messages[0]!.text, messages[2]!.text]).toEqual(["before", "after"])
    expect(Buffer.compare(messages[1]!.data, large)).toBe(0)
  }
  expect(heard[1]!.map(({ id, position }) => [id, position])).toEqual(
    heard[0]!.map(({ id, position }) => [id, position]),
  )
  expect(sent).toEqual(Array.from({ length: 49 }, (_, i) => i + 1))
  expect(received).toEqual(sent.slice(0, -1))
  expect(chatAfter).toBeGreaterThan(0)
  expect(chatAfter).toBeLessThan(48)
})

test("delivers all of what was sent when its sender leaves behind a large message", async () => {
  const [ada, bob] = (await securedRoom("Bob")) as [Conference, Conference]
  const heard = record(bob)
  sendPiecesSlowly()
  const large = noise(600_000)
  const sent = [ada.channel("side").send(large), ada.channel("side").send("goodbye")]
  await ada.leave()
  await Promise.all(sent)
  await expect.poll(() => heard.length, WAIT).toBe(2)
  expect(Buffer.compare(heard[0]!.data, large)).toBe(0)
  expect(heard[1]!.text).toBe("goodbye")
})

test("sends what waits behind a large message as it was at the call", async () => {
  const [ada, bob] = (await securedRoom("Bob")) as [Conference, Conference]
  const heard = record(bob)
  sendPiecesSlowly()
  const side = ada.channel("side")
  // Node's buffers share their memory with their slices.
  const bytes = Buffer.of(1, 2, 3)
  const readers = [bob.self.id]
  const sent = [side.send(noise(600_000)), side.send(bytes, { readers })]
  bytes.fill(9)
  readers[0] = "0".repeat(32) as typeof ada.self.id
  await Promise.all(sent)
  await expect.poll(() => heard.length, WAIT).toBe(2)
  expect([...heard[1]!.data]).toEqual([1, 2, 3])
})

test("leaves after the time for its last pieces when these do not go", async () => {
  const [ada] = (await securedRoom()) as [Conference]
  const patience = new AbortController()
  sendPiecesSlowly(Infinity)
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal)
  void ada.channel("side").send(noise(600_000))
  let left = false
  const leaving = ada.leave().then(() => (left = true))
  await new Promise((done) => setImmediate(done))
  expect(left).toBe(false)
  patience.abort()
  await leaving
})

test("leaves without waiting when nothing goes in pieces", async () => {
  const [ada] = (await securedRoom()) as [Conference]
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(new AbortController().signal)
  void ada.channel("side").send("goodbye")
  await ada.leave()
})

test("two large messages on two channels to different members both arrive", async () => {
  const [ada, bob, carl] = (await securedRoom("Bob", "Carl")) as [Conference, Conference, Conference]
  const heard = [record(bob, "one"), record(carl, "two"), record(carl, "one")]
  const [one, two] = [noise(400_000), noise(500_000)]
  await Promise.all([
    ada.channel("one").send(one, { targets: [bob.self.id] }),
    ada.channel("two").send(two),
    ada.channel("one").send("small, for all"),
  ])
  await expect.poll(() => heard.map((messages) => messages.length), WAIT).toEqual([2, 1, 1])
  expect(Buffer.compare(heard[0]![0]!.data, one)).toBe(0)
  expect(Buffer.compare(heard[1]![0]!.data, two)).toBe(0)
})

test("large messages during a join reach all members, and newcomers get whole ones", async () => {
  const [ada, bob] = (await securedRoom("Bob")) as [Conference, Conference]
  const [atBob, atCarl] = [record(bob), [] as ChannelMessage[]]
  const side = ada.channel("side")
  const large = noise(600_000)
  // One after another, so that one is under way when the view changes.
  const over = new AbortController()
  let count = 0
  const sending = (async () => {
    for (; !over.signal.aborted; count++) await side.send(large)
  })()
  const carl = await room.join("Carl", ada.invitation.url)
  carl.channel("side").on("message", (message) => atCarl.push(message))
  await Promise.all([ada, bob, carl].map((conference) => securedWith(conference, 3)))
  over.abort()
  await sending
  await side.send("next")
  await expect.poll(() => [atBob.at(-1)?.text, atCarl.at(-1)?.text], WAIT).toEqual(["next", "next"])
  expect(atBob).toHaveLength(count + 1)
  expect(atCarl.length).toBeLessThanOrEqual(count + 1)
  for (const { data } of [...atBob.slice(0, -1), ...atCarl.slice(0, -1)]) expect(Buffer.compare(data, large)).toBe(0)
})

test("cancels a large message, and delivers the next", async () => {
  const [ada, bob] = (await securedRoom("Bob")) as [Conference, Conference]
  const heard = record(bob)
  const enough = new AbortController()
  const onProgress = ({ sent }: { sent: number }): void => void (sent === 3 && enough.abort())
  const side = ada.channel("side")
  const calledOff = side.send(noise(2 * 1024 * 1024), { signal: enough.signal, onProgress })
  const behind = new AbortController()
  const waits = side.send("never", { signal: behind.signal })
  behind.abort()
  await expect(waits).rejects.toMatchObject({ code: "aborted" })
  await expect(calledOff).rejects.toMatchObject({ code: "aborted" })
  const large = noise(200_000)
  await side.send(large)
  await expect.poll(() => heard.length, WAIT).toBe(1)
  expect(Buffer.compare(heard[0]!.data, large)).toBe(0)
  await expect(side.send(new Uint8Array(8 * 1024 * 1024 + 1))).rejects.toMatchObject({ code: "too-large" })
})

test("a member is asked, and answers; large as both may be", async () => {
  const [ada, bob, carl] = (await securedRoom("Bob", "Carl")) as [Conference, Conference, Conference]
  const asked: string[] = []
  for (const conference of [bob, carl]) {
    conference.channel("ask").answer(({ from, text, data }) => {
      asked.push(conference.self.name)
      return data.length > 100 ? data.toReversed() : `${conference.self.name} to ${from.name}: ${text}`
    })
  }
  const ask = ada.channel("ask")
  const heard = record(carl, "ask")
  expect((await ask.request(bob.self.id, "ping")).text).toBe("Bob to Ada: ping")
  const answer = await ask.request(carl.self.id, "ping")
  expect([answer.text, answer.from.name]).toEqual(["Carl to Ada: ping", "Carl"])
  const large = noise(300_000)
  const reversed = await ask.request(bob.self.id, large)
  expect(Buffer.compare(reversed.data, large.toReversed())).toBe(0)
  expect((await ask.request(bob.self.id, "")).text).toBe("Bob to Ada: ")
  expect(asked).toEqual(["Bob", "Carl", "Bob", "Bob"])
  // Neither is a message of the channel.
  expect(heard).toEqual([])
})

test("reports a request that nobody answers, and can cancel it", async () => {
  const [ada, bob, carl] = (await securedRoom("Bob", "Carl")) as [Conference, Conference, Conference]
  const ask = ada.channel("ask")
  const why = (answer: Promise<unknown>): Promise<unknown> => answer.catch(({ code }) => code)
  expect(await why(ask.request(bob.self.id, "?"))).toBe("no-answer")
  expect(await why(ask.request("f".repeat(32) as MemberId, "?"))).toBe("no-answer")
  expect(await why(ask.request(ada.self.id, "?"))).toBe("invalid-argument")
  const asked: string[] = []
  for (const conference of [bob, carl])
    conference.channel("ask").answer(({ text }) => {
      asked.push(text)
      return new Promise<never>(() => undefined)
    })
  const patience = new AbortController()
  const calledOff = why(ask.request(bob.self.id, "in vain", { signal: patience.signal }))
  const left = why(ask.request(bob.self.id, "until you leave"))
  const closed = why(ask.request(carl.self.id, "until I leave"))
  await expect.poll(() => asked.length, WAIT).toBe(3)
  patience.abort()
  expect(await calledOff).toBe("aborted")
  await bob.leave()
  expect(await left).toBe("no-answer")
  await ada.leave()
  expect(await closed).toBe("closed")
})

async function becomes(conference: Conference, role: Role): Promise<void> {
  await expect.poll(() => conference.view.members.find(({ self }) => self)?.role, WAIT).toBe(role)
}

test("a viewer answers requests and makes none, and its addressed messages are ignored", async () => {
  const [ada, bob] = (await securedRoom("Bob")) as [Conference, Conference]
  bob.channel("ask").answer(() => "I only look on")
  await ada.setRole(bob.self.id, "viewer")
  await becomes(bob, "viewer")
  const refused = { code: "not-permitted" }
  await expect(bob.channel("ask").request(ada.self.id, "may I?")).rejects.toMatchObject(refused)
  await expect(bob.channel("ask").send("x", { targets: [ada.self.id] })).rejects.toMatchObject(refused)
  expect((await ada.channel("ask").request(bob.self.id, "well?")).text).toBe("I only look on")

  const heard = record(ada, "ask")
  const asked: string[] = []
  const reported: string[] = []
  ada.channel("ask").answer(({ text }) => {
    asked.push(text)
    return "Yes."
  })
  ada.on("security", ({ code }) => reported.push(code))
  ignoreOwnRole()
  const forbidden = [
    bob.channel("ask").send("forbidden", { targets: [ada.self.id] }),
    bob.channel("ask").request(ada.self.id, "forbidden"),
  ]
  void Promise.allSettled(forbidden)
  await expect.poll(() => reported, WAIT).toEqual(["beyond-role"])
  vi.restoreAllMocks()
  // Ada takes all messages of this view before the next one, in which Bob is an editor.
  await ada.setRole(bob.self.id, "editor")
  await becomes(bob, "editor")
  await bob.channel("ask").send("allowed", { targets: [ada.self.id] })
  await expect.poll(() => texts(heard), WAIT).toEqual(["allowed"])
  expect(asked).toEqual([])
})
