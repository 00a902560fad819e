import type { ChannelMessage, ConferenceHandle, ErrorCode, SharedFile } from "@keymoot/core"
import { KeymootError } from "@keymoot/core"
import { expect, it, vi } from "vitest"
import { previewOf } from "../../src/files/preview.ts"
import { FAILED_SHARES_MAX, FILE_STATES_MAX, openFiles, SHARING_MAX } from "../../src/session/files.ts"
import type { Entry } from "../../src/session/order.ts"

vi.mock("../../src/files/preview.ts", { spy: true })

/** A conference of which only the channel of files is there. A file's id is bound to its owner, as `files.open` does it. */
function open({ fetchesSmall = true, keptBytes = 10, isRead = false, refused = null as ErrorCode | null } = {}) {
  const fetched: string[] = []
  const waiting: (AbortSignal | undefined)[] = []
  const listeners = new Map<string, (value: never) => void>()
  const removed: string[] = []
  const shown: Entry[] = []
  const told: string[][] = []
  const reading: ((content: Blob) => void)[] = []
  const handle = {
    channel: () => ({
      on: (event: string, listener: (value: never) => void) => listeners.set(event, listener),
      // A key is never agreed, so the message waits until it is withdrawn.
      send: (_: string, { signal }: { readonly signal?: AbortSignal }) => {
        waiting.push(signal)
        return new Promise((_resolve, reject) => {
          if (refused) reject(new KeymootError(refused, ""))
          signal?.addEventListener("abort", () => reject(new KeymootError("aborted", "")))
        })
      },
    }),
    files: {
      offer: (content: File) =>
        content.name.startsWith("bad")
          ? Promise.reject(new Error())
          : isRead
            ? { ticket: "plan", remove: async () => void removed.push(content.name) }
            : new Promise(() => {}),
      open(ticket: string, owner: string) {
        const id = `${ticket} of ${owner}`
        const remove = async (): Promise<void> => void removed.push(id)
        return {
          id,
          owner,
          name: id,
          type: ticket.startsWith("photo") ? "image/png" : "",
          blob: () => new Promise<Blob>((resolve) => reading.push(resolve)),
          sizeBytes: Number(ticket.split(" of ")[1] ?? 10),
          keptBytes: async () => keptBytes,
          fetch: async () => void fetched.push(id),
          remove,
        } as unknown as SharedFile
      },
    },
  } as unknown as ConferenceHandle
  const files = openFiles(
    handle,
    {
      received: (message, file) => void shown.push({ kind: "file", id: message.id, message, file }),
      invalid: () => undefined,
      fetchesSmall: () => fetchesSmall,
      shownMembers: () => [],
      find: (id) => shown.find((entry) => entry.id === id),
      erased: (messages) => void told.push([...messages]),
      hold: () => () => undefined,
    },
    new AbortController().signal,
  )
  const share = (id: string, from: string, ticket: string): void =>
    listeners.get("message")?.({
      id,
      from: { id: from, self: from === "me" },
      text: ticket,
    } as unknown as ChannelMessage as never)
  const takeBack = (...messages: string[]): void => listeners.get("erased")?.(messages as never)
  return {
    share,
    takeBack,
    waiting,
    removed,
    told,
    fetched,
    reading,
    states: files.states,
    largeOwn: files.largeOwn,
    files,
  }
}

it("removes a file when its owner deletes the message", () => {
  const { share, takeBack, removed, told } = open()
  share("m1", "ada", "plan")
  takeBack("m1")
  expect(removed).toEqual(["plan of ada"])
  expect(told).toEqual([["m1"]])
})

it("withdraws a file that is cancelled while it waits for a key", async () => {
  const { files, waiting } = open({ isRead: true })
  files.share([new File(["secret"], "wrong.pdf")])
  await expect.poll(() => waiting.length).toBe(1)
  files.discard(files.sharing.get()[0]!.key)
  expect(waiting[0]?.aborted).toBe(true)
  expect(files.sharing.get()).toEqual([])
})

it("removes the copy of a file that is cancelled while it waits for a key", async () => {
  const { files, waiting, removed } = open({ isRead: true })
  files.share([new File(["secret"], "wrong.pdf")])
  await expect.poll(() => waiting.length).toBe(1)
  expect(removed).toEqual([])
  files.discard(files.sharing.get()[0]!.key)
  await expect.poll(() => removed).toEqual(["wrong.pdf"])
})

it.each([
  ["removes", "unseen-readers", ["plan.pdf"]],
  ["removes", "queue-full", ["plan.pdf"]],
  // The ticket may have been sent.
  ["keeps", "closed", []],
] as const)("%s the copy of a file when its ticket fails with %s", async (_, refused, expected) => {
  const { files, removed } = open({ isRead: true, refused })
  files.share([new File(["secret"], "plan.pdf")])
  await expect.poll(() => files.sharing.get()[0]?.failed).toBe(refused)
  expect(removed).toEqual(expected)
})

it("keeps a file when another member repeats its ticket and takes that back", () => {
  const { share, takeBack, removed, told } = open()
  share("m2", "mallory", "plan")
  share("m1", "ada", "plan")
  takeBack("m2")
  expect(removed).toEqual(["plan of mallory"])
  expect(told, "the repetition goes all the same").toEqual([["m2"]])
})

it("keeps the state of so many files when a member shares more", () => {
  const { share, states } = open()
  for (let i = 0; i <= FILE_STATES_MAX; i++) share(`m${i}`, "mallory", `file ${i}`)
  expect(states.get().size).toBe(FILE_STATES_MAX)
  expect(states.get().has("file 0 of mallory")).toBe(false)
})

it("fetches small files of others unasked, and no large ones", async () => {
  const { share, fetched, states } = open({ keptBytes: 0 })
  share("m1", "ada", "plan of 5242880")
  share("m2", "ada", "film of 5242881")
  await expect.poll(() => fetched).toEqual(["plan of 5242880 of ada"])
  expect(states.get().get("film of 5242881 of ada")).toEqual({ kind: "away", keptBytes: 0 })
})

it("fetches nothing unasked when the setting is off", async () => {
  const { share, fetched, states } = open({ keptBytes: 1, fetchesSmall: false })
  share("m1", "ada", "plan")
  await expect.poll(() => states.get().get("plan of ada")).toEqual({ kind: "away", keptBytes: 1 })
  expect(fetched).toEqual([])
})

it("reads the next picture when the one before is read", async () => {
  const { share, reading, states } = open()
  for (const ticket of ["photo 1", "photo 2", "photo 3"]) share(ticket, "mallory", ticket)
  await expect.poll(() => [...states.get().values()].map(({ kind }) => kind)).toEqual(["here", "here", "here"])
  for (const count of [1, 2, 3]) {
    await expect.poll(() => reading).toHaveLength(count)
    await new Promise((resolve) => setImmediate(resolve))
    expect(reading).toHaveLength(count)
    reading.at(-1)?.(new Blob(["no picture"]))
  }
})

it("counts my large files until their messages are deleted", () => {
  const { share, takeBack, largeOwn } = open()
  share("m1", "me", "film of 5242881")
  share("m2", "me", "plan of 10")
  share("m3", "ada", "film of 5242881")
  expect(largeOwn()).toBe(1)
  takeBack("m1")
  expect(largeOwn()).toBe(0)
})

const dropped = (count: number, name: string): File[] =>
  Array.from({ length: count }, (_, at) => new File(["x"], `${name} ${at}`))

it("accounts for each file when more are dropped than can wait", () => {
  const { files } = open()
  files.share(dropped(30, "photo"))
  const items = files.sharing.get()
  expect(items.filter(({ failed }) => failed === null)).toHaveLength(SHARING_MAX)
  expect(items.at(-1)).toMatchObject({ name: "photo 20", failed: "queue-full", others: 9 })
})

it("shares files while others that failed are still listed", async () => {
  const { files } = open()
  files.share(dropped(SHARING_MAX, "bad"))
  await expect.poll(() => files.sharing.get().every(({ failed }) => failed !== null)).toBe(true)
  files.share(dropped(1, "photo"))
  expect(files.sharing.get().at(-1)).toMatchObject({ name: "photo 0", failed: null })
})

it("forgets the oldest failed files beyond the bound, and none that wait", () => {
  const { files } = open()
  files.share(dropped(SHARING_MAX, "photo"))
  for (let i = 0; i <= FAILED_SHARES_MAX; i++) files.share([new File(["x"], `late ${i}`)])
  const names = files.sharing.get().map(({ name }) => name)
  expect(names).toHaveLength(SHARING_MAX + FAILED_SHARES_MAX)
  expect(names.slice(SHARING_MAX - 1, SHARING_MAX + 1)).toEqual(["photo 19", "late 1"])
})

it("shows no preview when the picture is deleted while it is read", async () => {
  vi.mocked(previewOf).mockImplementation(async () => new Blob(["drawn"]))
  const { share, takeBack, reading, files } = open()
  share("m1", "ada", "photo 1")
  share("m2", "ada", "photo 2")
  await expect.poll(() => reading).toHaveLength(1)
  takeBack("m1")
  reading[0]!(new Blob(["picture"]))
  await expect.poll(() => reading).toHaveLength(2)
  reading[1]!(new Blob(["picture"]))
  await expect.poll(() => files.previews.get().has("photo 2 of ada")).toBe(true)
  expect([...files.previews.get().keys()]).toEqual(["photo 2 of ada"])
  vi.mocked(previewOf).mockRestore()
})

it("fetches no file that is deleted before this device has looked for it", async () => {
  const { share, takeBack, fetched } = open({ keptBytes: 0 })
  share("m1", "ada", "plan")
  takeBack("m1")
  share("m2", "ada", "map")
  await expect.poll(() => fetched).toContain("map of ada")
  expect(fetched).toEqual(["map of ada"])
})
