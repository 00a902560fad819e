import type { MemberId, SharedFile } from "@keymoot/core"
import { expect, it } from "vitest"
import { fetchPictures, type PictureSources, REFUSALS_MAX } from "../../src/board/pictures/fetchPictures.ts"
import { PICTURE_BYTES_MAX } from "../../src/board/elements/limits.ts"
import type { PictureBudget } from "../../src/board/pictures/pictureBudget.ts"
import type { FileState } from "../../src/session/files.ts"
import type { PictureNews } from "../../src/session/pictures.ts"

const [ADA, EVE] = ["ada", "eve"] as [MemberId, MemberId]
const said = (ticket: string) => ({ ticket, owner: EVE })

/** A conference of which only the files are there, and places for so many pictures. A ticket says "id size". */
function conference(places = Infinity) {
  const bringing = new Map<string, (content: Blob | null) => void>()
  const states = new Map<string, FileState>()
  const authors = new Map<string, MemberId | null>()
  const seen = { brought: [] as string[], shown: [] as string[], invalid: 0, news: {} as Partial<PictureNews> }
  const room = { places, bytesMax: Infinity, asked: 0, taken: [] as [MemberId | null, number][], released: false }
  const budget: PictureBudget = {
    hasRoom(_owner, bytes) {
      room.asked++
      return room.taken.length < room.places && bytes <= room.bytesMax
    },
    take: ({ owner, bytes }) => void room.taken.push([owner, bytes]),
    giveUp: () => undefined,
    keepPlaced: () => room.released,
  }
  const sources: PictureSources = {
    open(ticket, owner) {
      const [id = "", size] = ticket.split(" ")
      if (size === undefined) throw new Error("no ticket")
      return { id, sizeBytes: Number(size), owner } as SharedFile
    },
    authorOf: (id) => (authors.has(id) ? authors.get(id)! : EVE),
    bring(file) {
      seen.brought.push(file.id)
      return new Promise((resolve) => bringing.set(file.id, resolve))
    },
    stateOf: (id) => states.get(id),
    show: async (id, content) => {
      seen.shown.push(id)
      return content.size > 0
    },
    tell: (news) => (seen.news = news),
    onInvalid: () => seen.invalid++,
  }
  const fetched = fetchPictures(sources, budget)
  const come = async (id: string, content: Blob | null) => {
    bringing.get(id)?.(content)
    await new Promise((turn) => setTimeout(turn))
  }
  return { fetched, seen, states, room, come, authors }
}

it("fetches a picture of others once, when its ticket is here", () => {
  const { fetched, seen } = conference()
  fetched.want("p", undefined)
  fetched.want("p", said("p 100"))
  fetched.want("p", said("p 100"))
  fetched.has({ id: "mine", owner: ADA, sizeBytes: 7 })
  fetched.want("mine", said("mine 100"))
  expect(seen).toMatchObject({ brought: ["p"], invalid: 0 })
})

it("fetches and reports a picture without a place only when places are divided anew", () => {
  const { fetched, seen, room } = conference(2)
  fetched.has({ id: "mine", owner: ADA, sizeBytes: 7 })
  for (const id of ["a", "b", "b", "c"]) fetched.want(id, said(`${id} 100`))
  fetched.count()
  expect(seen).toMatchObject({ brought: ["a"], invalid: 0, news: { coming: 1, beyond: 2 } })
  room.places = 3
  fetched.lookForMissing()
  expect(seen).toMatchObject({ brought: ["a", "b"], news: { coming: 2, beyond: 1 } })
  expect(room.taken).toEqual([
    [ADA, 7],
    [EVE, 100],
    [EVE, 100],
  ])
})

it.each([
  ["of one size", () => 100, 2],
  ["each smaller than the one before", (n: number) => 10_000 - n, REFUSALS_MAX + 1],
])("judges few of the pictures that wait, %s, when one is deleted", (_sizes, sizeOf, judgedMax) => {
  const { fetched, room } = conference(1)
  const ids = Array.from({ length: 5_000 }, (_, n) => `p${n}`)
  for (const [n, id] of ids.entries()) fetched.want(id, said(`${id} ${sizeOf(n)}`))
  Object.assign(room, { asked: 0, places: 2, released: true })
  fetched.onBoard(new Set(ids.slice(1)))
  expect(room.taken).toHaveLength(2)
  expect(room.asked).toBeLessThanOrEqual(judgedMax)
})

it("fetches a small picture that waits behind a large one, and another member's", () => {
  const { fetched, seen, room, authors } = conference(0)
  authors.set("hers", ADA)
  fetched.want("large", said("large 900"))
  fetched.want("small", said("small 100"))
  fetched.want("hers", { ticket: "hers 200", owner: ADA })
  Object.assign(room, { places: 3, bytesMax: 500 })
  fetched.lookForMissing()
  expect(seen.brought).toEqual(["small", "hers"])
})

it("fetches a waiting picture when others are deleted, unless it is deleted too", () => {
  const { fetched, seen, room } = conference(1)
  for (const id of ["a", "b", "c"]) fetched.want(id, said(`${id} 100`))
  fetched.onBoard(new Set(["a", "b"]))
  fetched.count()
  expect(seen).toMatchObject({ brought: ["a"], news: { beyond: 1 } })
  Object.assign(room, { released: true, places: 2 })
  fetched.onBoard(new Set(["b"]))
  fetched.count()
  expect(seen).toMatchObject({ brought: ["a", "b"], news: { beyond: 0 } })
  fetched.want("c", said("c 100"))
  fetched.count()
  expect(seen).toMatchObject({ brought: ["a", "b"], news: { beyond: 1 } })
})

it("gives no place to what is no picture by its ticket", () => {
  const { fetched, seen, room } = conference()
  for (let i = 0; i < 200; i++) fetched.want(`p${i}`, "garbage")
  expect(seen).toMatchObject({ brought: [], invalid: 200 })
  expect(room.taken).toEqual([])
})

it("fetches nothing that is too large or has no ticket of its own", () => {
  const { fetched, seen } = conference()
  fetched.want("large", said(`large ${PICTURE_BYTES_MAX + 1}`))
  fetched.want("one", said("other 100"))
  fetched.want("none", said("ticket"))
  fetched.want("number", 4711)
  expect(seen).toMatchObject({ brought: [], invalid: 4 })
})

it("says how many are on their way, and how much of them is here", async () => {
  const { fetched, seen, states, come } = conference()
  fetched.want("a", said("a 300"))
  fetched.want("b", said("b 100"))
  expect(seen.news).toEqual({ coming: 2, percent: 0, missing: 0, beyond: 0 })
  states.set("a", { kind: "coming", receivedBytes: 150, waiting: false })
  states.set("b", { kind: "coming", receivedBytes: 50, waiting: false })
  fetched.count()
  expect(seen.news).toEqual({ coming: 2, percent: 50, missing: 0, beyond: 0 })
  await come("a", new Blob(["picture"]))
  expect(seen.news).toEqual({ coming: 1, percent: 50, missing: 0, beyond: 0 })
  await come("b", new Blob(["picture"]))
  expect(seen).toMatchObject({ shown: ["a", "b"], invalid: 0, news: { coming: 0, percent: 0, missing: 0, beyond: 0 } })
})

it("retries a missing picture when somebody comes, and reports what is no picture", async () => {
  const { fetched, seen, come } = conference()
  fetched.want("a", said("a 100"))
  await come("a", null)
  expect(seen.news).toEqual({ coming: 0, percent: 0, missing: 1, beyond: 0 })
  fetched.lookForMissing()
  expect(seen.news).toEqual({ coming: 1, percent: 0, missing: 0, beyond: 0 })
  await come("a", new Blob([]))
  expect(seen).toMatchObject({
    brought: ["a", "a"],
    shown: ["a"],
    invalid: 1,
    news: { coming: 0, missing: 0, beyond: 0 },
  })
  fetched.lookForMissing()
  expect(seen.brought).toHaveLength(2)
})

it("fetches no picture that one member puts on the board in another's name", () => {
  const { fetched, seen, authors } = conference()
  authors.set("p", ADA)
  fetched.want("p", said("p 100"))
  expect(seen).toMatchObject({ brought: [], invalid: 1 })
})

it("charges a picture to the absent members when its author here is unknown", () => {
  const { fetched, seen, room, authors } = conference()
  authors.set("p", null)
  fetched.want("p", said("p 100"))
  expect(seen).toMatchObject({ brought: ["p"], invalid: 0 })
  expect(room.taken).toEqual([[null, 100]])
})
