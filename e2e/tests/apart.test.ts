import { expect, test } from "../support/fixtures.ts"
import { meet } from "../support/scenes.ts"

test("who drops out without a word is said to be out of reach, and to be back when it is; who leaves is not", async ({
  server,
  people,
}) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const eve = await people.arrive("Eve")
  await meet(server.origin, ada, bob, eve)
  const apart = ada.page.getByText("Bob cannot be reached. You and 1 other are here.")

  await bob.page.goto("about:blank")
  await ada.seesEncryptedFor(2)
  await expect(apart).toBeVisible()
  await bob.page.goBack()
  await ada.seesEncryptedFor(3)
  await expect(apart).toBeHidden()
  await expect(ada.page.getByText("Together again with Bob.")).toBeVisible()
  await expect(ada.page.getByRole("log").getByText("Bob is back.")).toBeVisible()

  await eve.leave()
  await ada.seesEncryptedFor(2)
  await expect(ada.page.getByText("cannot be reached")).toBeHidden()

  await bob.page.goto("about:blank")
  await expect(ada.page.getByText("Bob cannot be reached. You are alone here.")).toBeVisible()
  await ada.press("Hide")
  await expect(ada.page.getByText("cannot be reached")).toBeHidden()
})
