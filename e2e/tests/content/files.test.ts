import { rm } from "node:fs/promises"
import { dirname } from "node:path"
import type { Locator } from "@playwright/test"
import { violationsLightAndDark } from "../../support/axe.ts"
import {
  bring,
  choose,
  fileIn,
  fileOf,
  handedToBrowser,
  keepSaved,
  saveFile,
  seesComing,
  sha256,
  share,
} from "../../support/files.ts"
import type { FileOnDisk } from "../../support/files.ts"
import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"
import { meet } from "../../support/scenes.ts"

const MB = 1_000_000
const made: FileOnDisk[] = []
test.afterEach(async () => {
  for (const { path } of made.splice(0)) await rm(dirname(path), { recursive: true, force: true })
})
async function file(name: string, bytes: number): Promise<FileOnDisk> {
  const one = await fileOf(name, bytes)
  made.push(one)
  return one
}

/** 2×2 pixels. */
const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFElEQVR4nGP4z8DAAMIM////ZwAAHu8E/KPItPcAAAAASUVORK5CYII="
const SVG = btoa('<svg xmlns="http://www.w3.org/2000/svg"><script>document.title = "owned"</script></svg>')

test("a 30 MB file is shared after a reload, resumes with progress, and is intact", async ({ server, people }) => {
  test.slow() // Tens of megabytes, on a machine that does other things.
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await meet(server.origin, ada, bob)
  const plan = await file("plan of the roof.bin", 30 * MB)
  await share(ada, plan)
  await expect(fileIn(bob, plan.name)).toContainText("30 MB")
  await reload(ada, plan)
  await bob.seesEncryptedFor(2)
  await bob.press(`Save ${plan.name}`)
  await seesComing(bob, plan.name, 2 * MB)

  await bob.page.reload()

  await bob.seesEncryptedFor(2)
  await expect(fileIn(bob, plan.name)).toContainText("received")
  expect(await saveFile(bob, plan.name)).toEqual({ name: plan.name, sha256: await sha256(plan.path) })
  await expect(fileIn(bob, plan.name)).toContainText("on this device")
  await bob.say("Bob has it")
  await expect.poll(() => ada.texts()).toContain("Bob has it")
})

test("firefox: files arrive, also after a reload; pasted pictures are re-encoded", async ({ server, people }) => {
  test.slow() // Tens of megabytes, on a machine that does other things.
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob", "firefox")
  await bob.page.addInitScript(keepSaved)
  await meet(server.origin, ada, bob)
  const [one, other] = [await file("one.bin", 3 * MB), await file("other.bin", 20 * 1024 * 1024)]
  await share(ada, one)
  expect(await handedToBrowser(bob, one.name)).toBe(await sha256(one.path))
  await share(bob, other)
  await reload(bob, other)
  await ada.seesEncryptedFor(2)
  expect(await saveFile(ada, other.name)).toEqual({ name: other.name, sha256: await sha256(other.path) })

  await bring(ada, "paste", { name: "roof.png", type: "image/png", base64: PICTURE })
  for (const person of [ada, bob]) {
    const picture = person.page.getByRole("img", { name: "Picture roof.png" })
    await expect(picture).toBeVisible()
    expect(await picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(2)
  }
  await bring(ada, "drop", { name: "evil.png", type: "image/png", base64: SVG })
  await bring(ada, "drop", { name: "drawing.svg", type: "image/svg+xml", base64: SVG })
  await expect(fileIn(bob, "drawing.svg")).toBeVisible()
  await expect(fileIn(bob, "evil.png")).toContainText("on this device")
  await expect(bob.page.getByRole("log").getByRole("img")).toHaveCount(1)
  expect(await bob.page.title()).not.toContain("owned")
  expect(await violationsLightAndDark(bob.page, { within: ".drawer" })).toEqual([])
})

test("says when the sharer of a file leaves midway; it can be cancelled and is limited", async ({ server, people }) => {
  test.slow() // Tens of megabytes, on a machine that does other things.
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await meet(server.origin, ada, bob)
  const long = await file("long.bin", 100 * MB)
  await share(ada, long)
  await bob.press(`Save ${long.name}`)
  await seesComing(bob, long.name, MB)
  await bob.press(`Cancel ${long.name}`)
  await expect(fileIn(bob, long.name)).toContainText("received")
  await bob.press(`Save ${long.name}`)
  await seesComing(bob, long.name, 5 * MB)
  await ada.leave()
  await ada.press("Leave anyway")
  await expect(fileIn(bob, long.name).getByRole("alert")).toContainText("Nobody here has this file now.")

  const huge = await file("huge.bin", 600 * MB)
  await choose(bob, huge.path)
  await expect(
    bob.problem.filter({ hasText: "huge.bin was not shared. A file can have at most 512 MB." }),
  ).toBeVisible()
})

/** Until the page knows again what it shares. */
async function reload(person: Person, { name }: FileOnDisk): Promise<void> {
  await person.page.reload()
  await person.seesEncryptedFor(2)
  await expect(fileIn(person, name)).toBeVisible()
}

test("a withdrawn file is removed from all devices, and newcomers do not hear of it", async ({ server, people }) => {
  test.slow() // Three browsers, a reload and two newcomers' hand-overs.
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob", "firefox")
  const link = await meet(server.origin, ada, bob)
  await bring(ada, "paste", { name: "roof.png", type: "image/png", base64: PICTURE })
  for (const person of [ada, bob]) await expect(pictureIn(person, "roof.png")).toBeVisible()
  for (const person of [ada, bob]) await expect.poll(() => person.page.evaluate(keptBlocks)).toBe(1)

  await fileIn(bob, "roof.png").getByRole("button", { name: "More" }).click()
  const others = bob.page.getByRole("dialog", { name: "More" })
  await others.getByRole("button", { name: "👍" }).click()
  await expect(fileIn(ada, "roof.png").getByRole("button", { name: "👍 Bob" })).toHaveText("👍 1")
  await fileIn(bob, "roof.png").getByRole("button", { name: "More" }).click()
  await expect(others).toBeVisible()
  await expect(others.getByRole("button", { name: "Delete" })).toHaveCount(0)
  await bob.page.keyboard.press("Escape")

  await fileIn(ada, "roof.png").getByRole("button", { name: "More" }).click()
  await ada.press("Delete")
  await expect(ada.page.getByText("Nobody can download it any more")).toBeVisible()
  await ada.press("Delete for everyone")

  for (const person of [ada, bob]) {
    await expect(fileIn(person, "Deleted by its author.")).toBeVisible()
    await expect(pictureIn(person, "roof.png")).toHaveCount(0)
    await expect(fileIn(person, "roof.png")).toHaveCount(0)
    await expect.poll(() => person.page.evaluate(keptBlocks)).toBe(0)
  }
  await ada.say("Nothing to be seen")
  await bob.page.reload()
  const eve = await people.arrive("Eve")
  await eve.join(link)
  for (const person of [bob, eve]) {
    await person.seesEncryptedFor(3)
    await expect.poll(() => person.texts()).toEqual(["Nothing to be seen"])
  }
})

function pictureIn({ page }: Person, name: string): Locator {
  return page.getByRole("img", { name: `Picture ${name}` })
}

/** Runs in the page: how many blocks of files this browser keeps. */
async function keptBlocks(): Promise<number> {
  const request = <T>(made: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      made.addEventListener("success", () => resolve(made.result))
      made.addEventListener("error", () => reject(made.error))
    })
  const database = await request(indexedDB.open("keymoot-files"))
  const keys = await request(database.transaction("blocks").objectStore("blocks").getAllKeys())
  database.close()
  // The ids under which this person shared files are kept beside them.
  return keys.filter((key) => (key as string[])[1] !== "members").length
}

test("keeps small files when their sharer left, opens pictures, warns of large ones", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await meet(server.origin, ada, bob)
  const [notes, film] = [await file("notes.txt", 100_000), await file("film.bin", 6 * MB)]
  await share(ada, notes)
  await expect(fileIn(bob, notes.name)).toContainText("on this device")
  await bring(ada, "paste", { name: "roof.png", type: "image/png", base64: PICTURE })
  await bob.press("Picture roof.png")
  const picture = bob.page.getByRole("dialog", { name: "roof.png" }).getByRole("img", { name: "Picture roof.png" })
  await expect(picture).toBeVisible()
  await bob.page.keyboard.press("Escape")
  await expect(picture).toBeHidden()

  await share(ada, film)
  await expect(fileIn(bob, film.name)).not.toContainText("on this device")
  await ada.leave()
  const warning = ada.page.getByRole("alertdialog", { name: "Leave now?" })
  await expect(warning).toContainText("1 large file that you shared may not have been downloaded by everybody.")
  await ada.press("Leave anyway")
  await bob.seesLock("Only you are here.")
  expect(await saveFile(bob, notes.name)).toEqual({ name: notes.name, sha256: await sha256(notes.path) })
})
