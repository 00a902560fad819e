import type { ChannelMessage, ConferenceHandle, Member } from "@keymoot/core"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { openConversation } from "../../src/session/conversation.ts"
import { appendLine, LOG_LINES_MAX, type LogLine } from "../../src/session/log.ts"
import {
  TRANSCRIPT_CHARACTERS_MAX,
  TRANSCRIPT_ENTRIES_MAX,
  insertEntry,
  withoutTexts,
} from "../../src/session/order.ts"
import type { Entry } from "../../src/session/order.ts"

const ada = { id: "ada", name: "Ada", self: false } as unknown as Member

function message(epoch: number, sequence: number, view = `view${epoch}`, from = ada, text = ""): Entry {
  const id = `${epoch} ${view} ${sequence}`
  return {
    kind: "message",
    id,
    message: { id, from, text, position: { epoch, view, sequence } } as unknown as ChannelMessage,
  }
}
const ids = (entries: readonly Entry[]) => entries.map((entry) => entry.id)
const read = (entries: readonly Entry[]) => {
  let transcript: readonly Entry[] = []
  for (const entry of entries) transcript = insertEntry(transcript, entry)
  return transcript
}

const opened = (on: (_: string, listener: (view: { epoch: number }) => void) => void = () => undefined) =>
  openConversation({ on } as unknown as ConferenceHandle, new AbortController().signal)

describe("the chat", () => {
  it("stands in the same order on every screen, however the messages came", () => {
    const all = [
      message(1, 1),
      message(1, 2),
      message(2, 1, "a"),
      message(2, 9, "a"),
      message(2, 1, "b"),
      message(10, 1),
    ]
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
        expect(ids(read(shuffled))).toEqual(ids(all))
      }),
    )
  })

  it("shows a message once, though it comes as my own delivery and from the channel", () => {
    const once = read([message(1, 1), message(1, 2)])
    expect(insertEntry(once, message(1, 1))).toBe(once)
    expect(insertEntry(once, message(1, 2))).toBe(once)
  })

  it("keeps the place of what its author took back, and nothing of what it said", () => {
    const said = read([message(1, 1), message(1, 2)])
    const [first] = ids(said)
    const after = withoutTexts(said, new Set([first!]))
    expect(ids(after)).toEqual(ids(said))
    expect(after[0]).toMatchObject({ message: { text: "", data: new Uint8Array() } })
    expect(after[1]).toBe(said[1])
    expect(withoutTexts(said, new Set(["elsewhere"]))).toBe(said)
  })

  it("says who came before what was written with them", () => {
    const notice: Entry = {
      kind: "notice",
      id: "view view2",
      atMs: 0,
      position: { epoch: 2, view: "view2", sequence: -1 },
      joined: [ada],
      returned: [],
      left: [],
      lost: [],
      removed: [],
    }
    expect(ids(read([message(1, 1), message(2, 0), notice]))).toEqual(["1 view1 1", "view view2", "2 view2 0"])
  })

  it("says who was lost before what was said apart, on both sides", () => {
    const lost = (view: string): Entry => ({
      kind: "notice",
      id: `lost ${view}`,
      atMs: 0,
      position: { epoch: 2, view, sequence: -1 },
      joined: [],
      returned: [],
      left: [ada],
      lost: [ada],
      removed: [],
    })
    const said = [message(2, 0, "a"), message(2, 0, "b")]
    for (const view of ["a", "b"])
      expect(ids(read([message(1, 0), lost(view), ...said]))).toEqual(["1 view1 0", `lost ${view}`, "2 a 0", "2 b 0"])
  })

  it("keeps the newest when there are more than the page holds", () => {
    const many = read(Array.from({ length: TRANSCRIPT_ENTRIES_MAX + 3 }, (_, i) => message(1, i)))
    expect(many).toHaveLength(TRANSCRIPT_ENTRIES_MAX)
    expect(many[0]?.id).toBe("1 view1 3")
    expect(insertEntry(many, message(0, 1))).toBe(many)
  })
})

describe("a message that a newcomer transferred with an earlier place", () => {
  const forger = { by: ada, authorKnown: true }
  const own = { ...ada, self: true }
  const at = (sequence: number, from: Member, transferred: unknown = null): Entry => ({
    kind: "message",
    id: "moved",
    message: { id: "moved", from, text: "", position: { epoch: 2, view: "b", sequence }, transferred } as never,
  })

  it("is shown once, at its own place, when it is delivered", () => {
    const chat = opened()
    for (const entry of [at(1, own, forger), message(2, 2, "b"), at(3, own), at(3, own)]) chat.add(entry)
    expect(ids(chat.transcript.get())).toEqual(["2 b 2", "moved"])
    expect(chat.incomplete.get()).toBe(false)
  })

  it.each([
    ["counted when it came", 1, 1],
    ["from before this person joined", 2, 1],
  ])("is unread once if it was %s", (_, joinedIn, count) => {
    const chat = opened((_, listener) => listener({ epoch: joinedIn }))
    chat.add(at(1, ada, forger))
    chat.add(at(3, ada))
    expect(chat.unread.get()).toBe(count)
  })
})

describe("the incomplete chat", () => {
  it.each([
    ["there are more messages than it holds", TRANSCRIPT_ENTRIES_MAX, "", message(1, TRANSCRIPT_ENTRIES_MAX)],
    ["a message is older than all it holds", TRANSCRIPT_ENTRIES_MAX, "", message(0, 1)],
    [
      "there are more characters than it holds",
      20,
      "x".repeat(TRANSCRIPT_CHARACTERS_MAX / 20),
      message(2, 1, "v", ada, "x"),
    ],
  ])("says that messages are missing when %s", (_, count, text, last) => {
    const chat = opened()
    for (let i = 0; i < count; i++) chat.add(message(1, i, "view1", ada, text))
    chat.add(message(1, 0, "view1", ada, text))
    expect(chat.incomplete.get()).toBe(false)
    chat.add(last)
    expect(chat.incomplete.get()).toBe(true)
  })
})

const noticeOf = (epoch: number): Entry => ({
  kind: "notice",
  id: `notice ${epoch}`,
  atMs: 0,
  position: { epoch, view: `view${epoch}`, sequence: -1 },
  joined: [ada],
  returned: [],
  left: [],
  lost: [],
  removed: [],
})

describe("the chat of a conference with very many arrivals", () => {
  it.each([
    ["there are more of them than it holds", TRANSCRIPT_ENTRIES_MAX],
    ["one is older than all it holds", -1],
  ])("does not say that messages are missing when %s", (_, last) => {
    const chat = opened()
    for (let epoch = 0; epoch < TRANSCRIPT_ENTRIES_MAX; epoch++) chat.add(noticeOf(epoch))
    chat.add(noticeOf(last))
    expect(chat.transcript.get()).toHaveLength(TRANSCRIPT_ENTRIES_MAX)
    expect(chat.incomplete.get()).toBe(false)
  })

  it("says that messages are missing when a message is older than all it holds", () => {
    const chat = opened()
    for (let epoch = 1; epoch <= TRANSCRIPT_ENTRIES_MAX; epoch++) chat.add(noticeOf(epoch))
    chat.add(message(0, 1))
    expect(chat.incomplete.get()).toBe(true)
  })
})

describe("the chat in a flood", () => {
  const mallory = { id: "mallory", name: "Mallory", self: false } as unknown as Member
  const flood = (count: number, text: string): Entry[] =>
    Array.from({ length: count }, (_, i) => message(2, i, "view2", mallory, text))
  const said = Array.from({ length: 20 }, (_, i) => message(1, i))

  it("keeps what others said when one says ten times as much as the page holds", () => {
    const transcript = read([...said, ...flood(10 * TRANSCRIPT_ENTRIES_MAX, "")])
    expect(transcript).toHaveLength(TRANSCRIPT_ENTRIES_MAX)
    expect(ids(transcript.slice(0, said.length))).toEqual(ids(said))
  })

  it("keeps so many characters, and what others said, when one says ten times as many", () => {
    const text = "x".repeat(10_000)
    const transcript = read([...said, ...flood((10 * TRANSCRIPT_CHARACTERS_MAX) / text.length, text)])
    expect(ids(transcript.slice(0, said.length))).toEqual(ids(said))
    expect(transcript.length - said.length).toBe(TRANSCRIPT_CHARACTERS_MAX / text.length)
  })
})

describe("the security log", () => {
  it("counts a flood of the same event in one line, and keeps different ones apart", () => {
    let log: readonly LogLine[] = []
    const flood = { kind: "event", code: "bad-frame", member: ada, times: 1 } as const
    for (let i = 0; i < 1000; i++) log = appendLine(log, flood, i)
    expect(log).toMatchObject([{ times: 1000, atMs: 999 }])
    log = appendLine(log, { ...flood, member: null }, 1000)
    log = appendLine(log, { ...flood, code: "invalid-content", times: 7 }, 1001)
    expect(log).toMatchObject([{ times: 1000 }, { times: 1, member: null }, { times: 7 }])
  })

  it("forgets the oldest lines", () => {
    const nobody = { joined: [], returned: [], left: [], lost: [], removed: [] }
    let log: readonly LogLine[] = []
    for (let epoch = 1; epoch <= LOG_LINES_MAX + 1; epoch++)
      log = appendLine(log, { kind: "view", epoch, cause: "refreshed", ...nobody }, epoch)
    expect(log).toHaveLength(LOG_LINES_MAX)
    expect(log[0]).toMatchObject({ epoch: 2 })
    expect(new Set(log.map((line) => line.id)).size).toBe(LOG_LINES_MAX)
  })
})
