import type { MemberId } from "@keymoot/transport"
import { afterEach, expect, test, vi } from "vitest"
import type { ChannelMessage, ConferenceView } from "../../src/api.ts"
import { ANSWERING_MAX, Requests, REQUESTS_MAX } from "../../src/client/requests.ts"

const [ada, bob, eve] = ["a", "b", "e"].map((digit) => digit.repeat(32)) as [MemberId, MemberId, MemberId]
const viewOf = (...others: MemberId[]): ConferenceView =>
  ({ members: [{ id: ada, self: true }, ...others.map((id) => ({ id, self: false }))] }) as unknown as ConferenceView
const by = (id: MemberId, text = ""): ChannelMessage => ({ from: { id }, text }) as unknown as ChannelMessage

function requests() {
  const asked: string[] = []
  const answers: (string | Uint8Array | null)[] = []
  const of = new Requests({
    view: () => viewOf(bob, eve),
    sendRequest: async (_, subject) => void asked.push(subject),
    sendAnswer: async (_, __, data) => {
      if (data === "too large") throw new Error("too large")
      answers.push(data)
    },
  })
  return { of, asked, answers }
}

afterEach(() => vi.unstubAllGlobals())

test("only whom it asked can answer, and once", async () => {
  const { of, asked } = requests()
  const answer = of.ask(bob, new Uint8Array(0), undefined)
  of.onResponse(asked[0]!, by(eve, "forged"), false)
  of.onResponse("0".repeat(32), by(bob, "to nothing"), false)
  of.onResponse(asked[0]!, by(bob, "yes"), false)
  of.onResponse(asked[0]!, by(bob, "no"), false)
  expect((await answer).text).toBe("yes")
})

test("a request ends when whom it asked is gone, and with the conference", async () => {
  const { of } = requests()
  const ends = [bob, eve].map((to) => of.ask(to, new Uint8Array(0), undefined).catch(({ code }) => code))
  of.onView(viewOf(eve))
  expect(await ends[0]).toBe("no-answer")
  of.close()
  expect(await ends[1]).toBe("closed")
})

test("an answer that cannot be sent, and a handler that fails, are refusals; the error is not lost", async () => {
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

test("who floods with requests occupies a bounded number of turns, and so does who asks without end", async () => {
  const { of, answers } = requests()
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  of.answer(() => held.then(() => "late"), undefined)
  const flood = Array.from({ length: ANSWERING_MAX + 10 }, () => of.onRequest("1", by(eve)))
  await expect.poll(() => answers.length).toBe(10)
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
