/** WebKit as Debian builds it has no WebRTC. Safari runs the same engine for everything else. */
import { expect, test } from "../../support/fixtures.ts"
import { seesDrawing } from "../../support/scenes.ts"
import { webkitMissing } from "../../webkit/web-driver.ts"
import { WebKitPerson } from "../../webkit/webkit-person.ts"

const missing = webkitMissing()
if (missing !== null) console.log(`Skipped: WebKit. ${missing}.`)

test("webkit without WebRTC joins a chromium: chat and board both ways", async ({ server, people }) => {
  test.skip(missing !== null, missing ?? "")
  const ada = await people.arrive("Ada")
  await ada.start(server.origin)
  const link = await ada.copyLink()
  const bob = await WebKitPerson.arrive("Bob")
  try {
    await bob.join(link)
    await ada.seesEncryptedFor(2)
    await bob.seesLock("Encrypted. 2 people can read this.")
    expect(await bob.page.evaluate(() => typeof RTCPeerConnection)).toBe("undefined")

    await ada.say("Ada: good morning")
    await expect.poll(() => bob.texts()).toEqual(["Ada: good morning"])
    await bob.say("Bob: hello")
    await expect.poll(() => ada.texts()).toEqual(["Ada: good morning", "Bob: hello"])

    const [left, right] = [
      { x: 350, y: 300 },
      { x: 550, y: 300 },
    ] as const
    await ada.board.draw(left)
    await expect.poll(() => bob.shows(left), { message: "Bob sees Ada's stroke" }).toBe(true)
    expect(await bob.shows(right)).toBe(false)
    await bob.draw(right)
    await seesDrawing(ada, right)

    await bob.press("Call")
    await expect.poll(() => bob.dialog()).toContain("This browser can’t make calls.")
  } finally {
    await bob.leave()
  }
})

test("the entry of the engine's worker only imports, and no chunk imports it", async ({ server }) => {
  const list = (await (await fetch(`${server.origin}/integrity.json`)).json()) as Record<string, string>
  const scripts = Object.keys(list).filter((path) => /^\/assets\/.*\.js$/u.test(path))
  const texts = new Map<string, string>()
  for (const path of scripts) texts.set(path, await (await fetch(server.origin + path)).text())
  const entries = scripts.filter((path) => path.startsWith("/assets/worker-"))
  expect(entries).toHaveLength(1)
  const [entry = ""] = entries
  expect(texts.get(entry)).toMatch(/^import\{\w+ as (\w+)\}from"\.\/engine-[\w-]+\.js";\1\(\);\s*$/u)
  const name = entry.replace("/assets/", "./")
  const importers = scripts.filter((path) => new RegExp(`(?:from|import\\(?)["'\`]${name.replaceAll(".", "\\.")}`, "u").test(texts.get(path)!)) // prettier-ignore
  expect(importers).toEqual([])
})
