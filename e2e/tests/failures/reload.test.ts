import { expect, test } from "../../support/fixtures.ts"
import { bytesKept, hasWritten, storedCopies } from "../../support/stored-copies.ts"
import { meet, seeSameChat, seesDrawing, talkAtOnce } from "../../support/scenes.ts"

/** A page says nothing of somebody who is back within ten seconds. Here it waits longer, since a busy machine may need more. */
function waitLongerForReloads(): void {
  const native = globalThis.setTimeout
  globalThis.setTimeout = ((run: () => void, ms?: number) =>
    native(run, ms === 10_000 ? 200_000 : ms)) as typeof setTimeout
}

const STROKE = { x: 350, y: 300 } as const

test("refuses a foreign link with the id of a stored conference, and keeps the copy", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const mallory = await people.arrive("Mallory")
  await ada.start(server.origin, { title: "Plan B" })
  await ada.board.draw(STROKE)
  await ada.say("Ada on the merger")
  await hasWritten(ada)
  await mallory.start(server.origin)
  const trap = new URL(await mallory.copyLink())
  trap.pathname = new URL(await ada.copyLink()).pathname

  await ada.page.goto(server.origin)
  await ada.page.goto(trap.href)
  await expect(ada.problem).toContainText("This link is damaged.")
  await ada.page.goto(server.origin)
  await ada.page.getByText("My conferences").click()
  await ada.press("Return to Plan B")

  await seesDrawing(ada, STROKE)
  await seeSameChat([ada], ["Ada on the merger"])
  await mallory.seesLock("Only you are here.")
})

for (const kind of ["chromium", "firefox"] as const) {
  // In Chromium a killed tab comes back so every day.
  const tag = kind === "chromium" ? "@deep" : []
  test(
    `${kind} reloads the page: it is back with board and chat, and is no news`,
    { tag },
    async ({ server, people }) => {
      const ada = await people.arrive("Ada")
      const bob = await people.arrive("Bob", kind)
      await ada.page.addInitScript(waitLongerForReloads)
      await meet(server.origin, ada, bob)
      const before = await talkAtOnce([ada, bob], 4, "tea")
      await seeSameChat([ada, bob], before)
      await ada.board.draw(STROKE)
      await seesDrawing(bob, STROKE)
      const epochBefore = await ada.epoch()

      await bob.page.reload()

      await expect.poll(() => ada.epoch(), { message: "a new epoch" }).toBeGreaterThan(epochBefore)
      for (const person of [ada, bob]) await person.seesEncryptedFor(2)
      expect(await bob.people()).toEqual(["Ada", "Bob (you)"])
      await seesDrawing(bob, STROKE)
      await seeSameChat([ada, bob], before)
      const after = await talkAtOnce([ada, bob], 4, "cake")
      await seeSameChat([ada, bob], [...before, ...after])
      const log = ada.page.getByRole("log")
      await expect(log).toContainText("Bob joined.")
      await expect(log).not.toContainText(/Bob is back|Bob left|connection to Bob/u)

      await bob.page.goto(server.origin)
      await bob.page.getByText("My conferences").click()
      const kept = bob.page.getByRole("list", { name: "My conferences" }).getByRole("listitem")
      await expect(kept).toHaveCount(1)
      await expect(kept.getByRole("button", { name: "Return to With Ada", exact: true })).toContainText("With Ada")
      await expect(kept.getByText(/^Entered \S/u)).toBeVisible()
      await expect(kept.getByText(/^Until \S/u)).toBeVisible()
    },
  )
}

for (const kind of ["chromium", "firefox"] as const) {
  test(`${kind}: a lone reload keeps board, chat and draft until leave or forget`, async ({ server, people }) => {
    const ada = await people.arrive("Ada", kind)
    await ada.start(server.origin, { title: "Plan B" })
    await ada.board.draw(STROKE)
    await ada.say("Ada on the merger")
    await ada.type("Message", "and what I was about to sa")
    await hasWritten(ada)
    expect((await ada.page.evaluate(storedCopies)).text).not.toMatch(/merger|about to sa/u)

    await ada.page.reload()

    await seesDrawing(ada, STROKE)
    await seeSameChat([ada], ["Ada on the merger"])
    await expect(ada.page.getByLabel("Message", { exact: true })).toHaveValue("and what I was about to sa")

    await ada.page.goto(server.origin)
    const mine = ada.page.getByText("My conferences")
    await mine.click()
    await ada.press("Return to Plan B")
    await seesDrawing(ada, STROKE)
    if (kind === "chromium") {
      // Nobody else has it.
      await ada.leave()
      const question = ada.page.getByRole("alertdialog", { name: "Leave now?" })
      await expect(question).toContainText("1 message or change has not been sent yet.")
      await expect(question).toContainText("Nobody else is here")
      await ada.press("Stay")
      await seesDrawing(ada, STROKE)
      await ada.leave()
      await ada.press("Leave anyway")
    } else {
      await ada.page.goto(server.origin)
      await mine.click()
      await ada.press("Forget Plan B")
      await ada.press("Forget for good")
    }
    await ada.page.getByRole("button", { name: "Start a conference" }).waitFor()
    if (kind === "chromium") await mine.click()
    await expect(ada.page.getByText("No conferences.")).toBeVisible()
    await expect.poll(() => bytesKept(ada)).toBe(0)
  })
}

test("returns under the name of this conference, not under that of a later one", async ({ server, people }) => {
  const ann = await people.arrive("Ann")
  await ann.start(server.origin, { title: "Support group" })
  await ann.page.goto(server.origin)
  await ann.type("Your name", "Dr. Jane Smith")
  await ann.press("Start a conference")
  await ann.seesLock("Only you are here.")
  expect(await ann.people()).toEqual(["Dr. Jane Smith (you)"])
  await ann.page.goto(server.origin)
  await ann.page.getByText("My conferences").click()
  await ann.press("Return to Support group")
  await ann.seesLock("Only you are here.")
  expect(await ann.people()).toEqual(["Ann (you)"])
})
