import { expect, test } from "../../support/fixtures.ts"
import { meet, seesDrawing } from "../../support/scenes.ts"

test("a dropped member is shown out of reach, then back; one that leaves is not", async ({ server, people }) => {
  test.slow() // Three browsers, one of which goes and comes back twice.
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const eve = await people.arrive("Eve")
  await meet(server.origin, ada, bob, eve)
  const apart = ada.page.getByText("Bob cannot be reached. You and 1 other are here.")

  await bob.page.goto("about:blank")
  await ada.seesEncryptedFor(2)
  await expect(apart).toBeVisible()
  // The message is visible for some seconds only, so a later check can miss it.
  const together = expect(ada.page.getByText("Connected with Bob again.")).toBeVisible()
  await Promise.all([together, bob.page.goBack()])
  await ada.seesEncryptedFor(3)
  await expect(apart).toBeHidden()
  await expect(ada.page.getByRole("log").getByText("Bob is back.")).toBeVisible()

  await eve.leave()
  await ada.seesEncryptedFor(2)
  await expect(ada.page.getByText("cannot be reached")).toBeHidden()

  await bob.page.goto("about:blank")
  await expect(ada.page.getByText("Bob cannot be reached. You are alone here.")).toBeVisible()
  await ada.press("Hide")
  await expect(ada.page.getByText("cannot be reached")).toBeHidden()
  await ada.page.getByRole("tab", { name: "People" }).click()
  await expect(ada.page.getByText("Out of reach now: Bob.")).toBeVisible()
  await expect(ada.page.getByText("Nobody else is here yet")).toBeHidden()
  await ada.page.getByRole("tab", { name: /^Chat/u }).click()
  await ada.say("Are you there?")
  await ada.leave()
  await expect(ada.page.getByRole("alertdialog", { name: "Leave now?" })).toContainText("Nobody else is here")
  await ada.press("Stay")
  await bob.page.goBack()
  await ada.seesEncryptedFor(2)
  await expect(ada.page.getByText("Connected with Bob again.")).toBeVisible()
  await expect.poll(() => bob.texts()).toEqual(["Are you there?"])
  await ada.page.getByRole("tab", { name: "People" }).click()
  await expect(ada.page.getByText("Out of reach now")).toBeHidden()
})

test("a closed tab is shown out of reach for a minute, then under People only", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const eve = await people.arrive("Eve")
  await ada.page.clock.install()
  await meet(server.origin, ada, bob, eve)

  await bob.page.close()
  const apart = ada.page.getByText("Bob cannot be reached. You and 1 other are here.")
  await expect(apart).toBeVisible()
  await ada.page.clock.fastForward(60_000)
  await expect(apart).toBeHidden()
  await ada.page.getByRole("tab", { name: "People" }).click()
  await expect(ada.page.getByText("Out of reach now: Bob.")).toBeVisible()
})

test("says in one sentence that neither server nor peers are reached, and rejoins", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await meet(server.origin, ada, bob)
  const banners = ada.page.locator(".banner")
  // All of both pages has been loaded then.
  await ada.board.write({ x: 350, y: 220 }, "The roof")
  await seesDrawing(bob, { x: 350, y: 220 })

  await server.stop()
  await expect(banners).toHaveText([/^\s*Server unreachable. The conference goes on/u])
  const address = bob.page.url()
  await bob.page.close()
  await expect(banners).toHaveText([
    /^\s*You seem to be offline: neither the server nor Bob can be reached. Your changes are kept and will be merged./u,
  ])
  await ada.board.draw({ x: 350, y: 300 })
  await ada.say("said alone")
  const said = ada.page.getByRole("log").getByRole("article").filter({ hasText: "said alone" })
  await expect(said).toContainText("Waiting for the others…")

  await server.startAgain()
  const again = await people.openTab(bob)
  await again.page.goto(address)
  // That is said for a while only.
  await expect(ada.page.getByText("Connected with Bob again.")).toBeVisible()
  await expect(ada.page.getByText("You seem to be offline")).toBeHidden()
  for (const person of [ada, again]) await person.seesEncryptedFor(2)
  await seesDrawing(again, { x: 350, y: 300 })
  await expect.poll(() => again.texts()).toEqual(["said alone"])
  await expect(said).not.toContainText("Waiting for the others…")
})
