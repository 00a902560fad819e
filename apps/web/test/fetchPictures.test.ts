import type { SharedFile } from "@keymoot/core"
import { expect, it } from "vitest"
import { fetchPictures } from "../src/board/fetchPictures.ts"
import { PICTURE_BYTES_MAX, PICTURES_BYTES_MAX, PICTURES_MAX } from "../src/board/limits.ts"
import type { FileState } from "../src/session/files.ts"
import type { PictureNews } from "../src/session/pictures.ts"

const MB = 1024 * 1024

/** A conference of which only the files are there. A ticket says "id size". */
function conference() {
  const bringing = new Map<string, (content: Blob | null) => void>()
  const states = new Map<string, FileState>()
  const seen = { brought: [] as string[], shown: [] as string[], invalid: 0, news: {} as Partial<PictureNews> }
  const fetched = fetchPictures({
    open(ticket) {
      const [id = "", size] = ticket.split(" ")
      if (size === undefined) throw new Error("no ticket")
      return { id, sizeBytes: Number(size) } as SharedFile
    },
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
  })
  const come = async (id: string, content: Blob | null) => {
    bringing.get(id)?.(content)
    await new Promise((turn) => setTimeout(turn))
  }
  return { fetched, seen, states, come }
}
const wantMany = ({ fetched }: ReturnType<typeof conference>, count: number, bytes: number): void => {
  for (let i = 0; i < count; i++) fetched.want(`p${i}`, `p${i} ${bytes}`)
}

it("fetches a picture once, however often it is seen, and not before its ticket is here; mine never", () => {
  const { fetched, seen } = conference()
  fetched.want("p", undefined)
  fetched.want("p", "p 100")
  fetched.want("p", "p 100")
  fetched.has("mine")
  fetched.want("mine", "mine 100")
  expect(seen).toMatchObject({ brought: ["p"], invalid: 0 })
})

it("fetches so many pictures of a board and no more", () => {
  const here = conference()
  wantMany(here, PICTURES_MAX + 5, 100)
  expect(here.seen.brought).toHaveLength(PICTURES_MAX)
  expect(here.seen.invalid).toBe(5)
})

it("fetches so many bytes of a board and no more", () => {
  const here = conference()
  wantMany(here, PICTURES_BYTES_MAX / (8 * MB) + 2, 8 * MB)
  expect(here.seen.brought).toHaveLength(PICTURES_BYTES_MAX / (8 * MB))
  expect(here.seen.invalid).toBe(2)
})

it("fetches nothing that is too large, that another file's ticket speaks of, or that none speaks of", () => {
  const { fetched, seen } = conference()
  fetched.want("large", `large ${PICTURE_BYTES_MAX + 1}`)
  fetched.want("one", "other 100")
  fetched.want("none", "ticket")
  fetched.want("number", 4711)
  expect(seen).toMatchObject({ brought: [], invalid: 4 })
})

it("says how many are on their way, and how much of them is here", async () => {
  const { fetched, seen, states, come } = conference()
  fetched.want("a", "a 300")
  fetched.want("b", "b 100")
  expect(seen.news).toEqual({ coming: 2, percent: 0, missing: 0 })
  states.set("a", { kind: "coming", receivedBytes: 150, waiting: false })
  states.set("b", { kind: "coming", receivedBytes: 50, waiting: false })
  fetched.count()
  expect(seen.news).toEqual({ coming: 2, percent: 50, missing: 0 })
  await come("a", new Blob(["picture"]))
  expect(seen.news).toEqual({ coming: 1, percent: 50, missing: 0 })
  await come("b", new Blob(["picture"]))
  expect(seen).toMatchObject({ shown: ["a", "b"], invalid: 0, news: { coming: 0, percent: 0, missing: 0 } })
})

it("says what nobody has, and asks again when somebody comes; what is no picture is reported", async () => {
  const { fetched, seen, come } = conference()
  fetched.want("a", "a 100")
  await come("a", null)
  expect(seen.news).toEqual({ coming: 0, percent: 0, missing: 1 })
  fetched.lookForMissing()
  expect(seen.news).toEqual({ coming: 1, percent: 0, missing: 0 })
  await come("a", new Blob([]))
  expect(seen).toMatchObject({ brought: ["a", "a"], shown: ["a"], invalid: 1, news: { coming: 0, missing: 0 } })
  fetched.lookForMissing()
  expect(seen.brought).toHaveLength(2)
})
