import type { MemberId } from "@keymoot/transport"
import { afterEach, expect, test, vi } from "vitest"
import type { ChannelMessage, ConferenceView } from "../../src/api/index.ts"
import type { EngineConnection } from "../../src/client/connection/engine-connection.ts"
import { ANSWERING_MAX, ANSWERING_OF_ONE_MAX, Requests, REQUESTS_MAX } from "../../src/client/connection/requests.ts"
import { Parts } from "../../src/client/parts.ts"
import { MessageKind } from "../../src/multicast/message-kind.ts"

const [ada, bob, eve] = ["a", "b", "e"].map((digit) => digit.repeat(32)) as [MemberId, MemberId, MemberId]
const viewOf = (...others: MemberId[]): ConferenceView =>
  ({ members: [{ id: ada, self: true }, ...others.map((id) => ({ id, self: false }))] }) as unknown as ConferenceView
const by = (id: MemberId, text = ""): ChannelMessage => ({ from: { id }, text }) as unknown as ChannelMessage

function requests() {
  const asked: string[] = []
  const answers: (string | Uint8Array | null)[] = []
  const of = new Requests({
    present: { view: viewOf(bob, eve) },
    channel: "chat",
    pieces: {
      send: async ({ kind, subject, data }) => {
        if (kind === MessageKind.request) {
          asked.push(subject)
          return null
        }
        const text = kind === MessageKind.refusal ? null : new TextDecoder().decode(data)
        if (text === "too large") throw new Error("too large")
        answers.push(text)
        return null
      },
    },
  })
  return { of, asked, answers }
}

afterEach(() => vi.unstubAllGlobals())

test("accepts an answer from the asked member only, and once", async () => {
  const { of, asked } = requests()
  const answer = of.ask(bob, new Uint8Array(0), undefined)
  of.onResponse(asked[0]!, by(eve, "forged"), false)
  of.onResponse("0".repeat(32), by(bob, "to nothing"), false)
  of.onResponse(asked[0]!, by(bob, "yes"), false)
  of.onResponse(asked[0]!, by(bob, "no"), false)
  expect((await answer).text).toBe("yes")
})

test("ends a request when the asked member is gone, and with the conference", async () => {
  const { of } = requests()
  const ends = [bob, eve].map((to) => of.ask(to, new Uint8Array(0), undefined).catch(({ code }) => code))
  of.onViewStart([ada, eve])
  expect(await ends[0]).toBe("no-answer")
  of.close()
  expect(await ends[1]).toBe("closed")
})

test("a request ends when the asked member was cut off and is back in the next view", async () => {
  const connection = { call: () => new Promise(() => undefined) } as unknown as EngineConnection
  const present = { view: viewOf(bob), onEvent: () => undefined }
  const parts = new Parts({ conference: "c0", connection, present, self: by(ada).from, incarnation: 1 })
  const members = [ada, bob]
  const meet = (transitional: readonly MemberId[]): void => {
    const newcomers = members.filter((id) => !transitional.includes(id))
    const viewStart = { view: { id: "d0", epoch: 1 }, present: members, newcomers, transitional, awaited: newcomers }
    parts.onViewStart({
      type: "viewStart",
      viewStart,
      peers: members.map((id) => ({ id, incarnation: 1, writes: true })),
    })
  }
  meet(members)
  const asked = parts.channel("chat", {}).request(bob, "?")
  meet([ada])
  parts.close()
  await expect(asked).rejects.toMatchObject({ code: "no-answer" })
})

test("refuses when an answer cannot be sent or a handler fails, and keeps the error", async () => {
  const { of, answers } = requests()
  const thrown: unknown[] = []
  vi.stubGlobal("queueMicrotask", (task: () => void) => {
    try {
      task()
    } catch (error) {
      thrown.push(error)
    }
  })
  await of.onRequest("1", by(bob))
  const failure = new Error("a bug in the handler")
  of.answer(({ text }) => {
    if (text === "fail") throw failure
    return text === "none" ? null : text
  }, undefined)
  for (const text of ["fail", "none", "too large", "echo"]) await of.onRequest("1", by(bob, text))
  expect(answers).toEqual([null, null, null, null, "echo"])
  expect(thrown).toEqual([failure])
})

test("answers a member that asks while another asks ten times what one may", async () => {
  const { of, answers } = requests()
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  of.answer(({ from }) => (from.id === eve ? held.then(() => "late") : "at once"), undefined)
  const flood = Array.from({ length: 10 * ANSWERING_OF_ONE_MAX }, () => of.onRequest("1", by(eve)))
  await of.onRequest("1", by(bob))
  expect(answers).toContain("at once")
  release()
  await Promise.all(flood)
  expect(answers.filter((data) => data === "late")).toHaveLength(ANSWERING_OF_ONE_MAX)
})

test("answers and asks a bounded number of times at once", async () => {
  const { of, answers } = requests()
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  of.answer(() => held.then(() => "late"), undefined)
  // As many members as it takes: one has a part of the turns only.
  const asker = (turn: number): MemberId => `${Math.floor(turn / ANSWERING_OF_ONE_MAX)}`.padStart(32, "0") as MemberId
  const flood = Array.from({ length: 10 * ANSWERING_MAX }, (_, turn) => of.onRequest("1", by(asker(turn))))
  await expect.poll(() => answers.length).toBe(9 * ANSWERING_MAX)
  release()
  await Promise.all(flood)
  expect(answers.filter((data) => data === "late")).toHaveLength(ANSWERING_MAX)

  const asked = Array.from({ length: REQUESTS_MAX }, () => of.ask(bob, new Uint8Array(0), undefined))
  await expect(of.ask(bob, new Uint8Array(0), undefined)).rejects.toMatchObject({ code: "queue-full" })
  of.close()
  expect((await Promise.allSettled(asked)).every(({ status }) => status === "rejected")).toBe(true)
})

test("a handler answers until its signal, and another takes its place", async () => {
  const { of, answers } = requests()
  const first = new AbortController()
  of.answer(() => "first", first.signal)
  await of.onRequest("1", by(bob))
  const off = of.answer(() => "second", undefined)
  first.abort()
  await of.onRequest("1", by(bob))
  off()
  await of.onRequest("1", by(bob))
  expect(answers).toEqual(["first", "second", null])
})
