import { expect, test } from "vitest"
import { KeptCopy } from "../../src/device/kept-copy.ts"
import { LocalCopy } from "../../src/device/stores/local-copy.ts"
import { createMemoryCopyStore } from "../../src/device/stores/memory-copy-store.ts"

const CONFERENCE = "ab".repeat(16)
const bytes = Uint8Array.of(1)

/** A copy on a device where the given part cannot be used. */
function copyOn() {
  const store = createMemoryCopyStore()
  const disk = { broken: "" }
  const unless = async (part: string): Promise<void> => {
    if (disk.broken !== "" && part.endsWith(disk.broken)) throw new Error("disk full")
  }
  const broken = {
    ...store,
    read: (id: string, part: string) => unless(part).then(() => store.read(id, part)),
    append: (id: string, part: string, record: Uint8Array) => unless(part).then(() => store.append(id, part, record)),
    replace: (id: string, part: string, record: Uint8Array) => unless(part).then(() => store.replace(id, part, record)),
  }
  const states: string[] = []
  const copy = new KeptCopy(new LocalCopy(broken, new Uint8Array(32), CONFERENCE), (state) => states.push(state))
  return { copy, disk, states }
}

test("is failing when one part can't be written, though others are", async () => {
  const { copy, disk, states } = copyOn()
  disk.broken = "board"
  expect(await copy.write("document/board", bytes, "append")).toBe(false)
  expect(await copy.write("note/draft", bytes, "replace")).toBe(true)
  await copy.log.read()
  expect([copy.state, states]).toEqual(["failing", ["failing"]])
  disk.broken = ""
  expect(await copy.write("document/board", bytes, "append")).toBe(true)
  expect([copy.state, states]).toEqual(["kept", ["failing", "kept"]])
})

test("is failing when a part can't be read, until it is read or replaced", async () => {
  const { copy, disk } = copyOn()
  for (const repair of [() => copy.read("note/draft"), () => copy.write("note/draft", bytes, "replace")] as const) {
    disk.broken = "draft"
    await expect(copy.read("note/draft")).rejects.toMatchObject({ code: "storage-unavailable" })
    disk.broken = ""
    expect(await copy.write("note/draft", bytes, "append")).toBe(true)
    expect(copy.state).toBe("failing")
    await repair()
    expect(copy.state).toBe("kept")
  }
})
