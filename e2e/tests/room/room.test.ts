import { expect, test } from "../../support/fixtures.ts"
import { invite, meet } from "../../support/scenes.ts"

const START = { x: 300, y: 300 }

test("a reply shows what it answers, and an unread mention leads to it", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await meet(server.origin, ada, bob)
  await ada.say("Shall we begin with the roof?")
  await expect.poll(() => bob.texts()).toHaveLength(1)
  await ada.page.getByRole("tab", { name: "People" }).click()

  await bob.page.getByRole("log").getByRole("button", { name: "More", exact: true }).click()
  await bob.press("Reply")
  await expect(bob.page.getByLabel("Reply to Ada")).toContainText("Shall we begin with the roof?")
  await bob.page.getByLabel("Message", { exact: true }).focus()
  await bob.page.keyboard.type("Yes, @a")
  await expect(bob.page.getByRole("listbox", { name: "Mention somebody" }).getByRole("option")).toHaveText(["Ada"])
  await bob.page.keyboard.press("Enter")
  await bob.page.keyboard.type("please.")
  await bob.page.keyboard.press("Enter")

  await expect(ada.page.getByText("Bob mentioned you.")).toBeVisible()
  await ada.press("Show")
  await expect(ada.page.getByText("Bob mentioned you.")).toBeHidden()
  const answer = ada.page.getByRole("log").locator("article").nth(1)
  await expect(answer.getByRole("button", { name: "Answers You: Shall we begin with the roof?" })).toBeVisible()
  await expect(answer.locator("mark")).toHaveText("@Ada")
  expect(await ada.texts()).toEqual(["Shall we begin with the roof?", "Yes, @Ada please."])
})

test("a host lowers a hand, brings everybody to its view, and a viewer reacts", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await ada.start(server.origin)
  await expect(ada.page.getByRole("region", { name: "Invite people" })).toContainText("Send the invitation")
  await invite(ada, bob)
  await expect(ada.page.getByRole("region", { name: "Invite people" })).toHaveCount(0)

  await ada.page.getByRole("tab", { name: "People" }).click()
  await ada.act("Bob", "Viewer")
  await expect(bob.page.getByText("You can only watch now.").first()).toBeVisible()
  await bob.press("Raise hand")
  await expect(ada.page.getByRole("tab", { name: "People, 1 waiting" })).toBeVisible()
  await expect(ada.page).toHaveTitle("(1) Keymoot")
  await ada.press("Lower the hand of Bob")
  await expect(bob.page.getByText("Ada lowered your hand.")).toBeVisible()
  await expect(ada.page).toHaveTitle("Keymoot")

  await ada.page.getByRole("tab", { name: /^Chat/u }).click()
  await ada.say("Look here.")
  await expect.poll(() => bob.texts()).toEqual(["Look here."])
  await bob.page.getByRole("log").getByRole("button", { name: "More", exact: true }).click()
  await bob.press("👍")
  await expect(ada.page.getByRole("button", { name: "👍 Bob" })).toBeVisible()

  await ada.page.getByRole("button", { name: "Frames as slides" }).click()
  await ada.press("Bring everybody here")
  await expect(bob.page.getByText("Ada brought you here.")).toBeVisible()
})

test("two people share a timer and vote, also after a reload", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await meet(server.origin, ada, bob)

  await ada.page.getByRole("tab", { name: "Tools" }).click()
  await ada.press("5 minutes")
  const pill = bob.page.getByRole("button", { name: /^Timer: 4:\d\d left$/u })
  await expect(pill).toBeVisible()
  await ada.press("Pause")
  await expect(bob.page.getByRole("button", { name: /^Timer paused/u })).toBeVisible()

  await ada.press("Vote for or against")
  await ada.type("Question", "Shall we begin?")
  await ada.press("Start")
  await expect(bob.page.getByText("Ada asks: Shall we begin?")).toBeVisible()
  await bob.press("Vote")
  const poll = bob.page.getByRole("group", { name: "Shall we begin?" })
  await poll.getByLabel("👍 For").click()
  await expect(ada.page.getByText("1 person has voted.")).toBeVisible()
  await expect(ada.page.getByText("1 vote", { exact: true })).toBeHidden()
  await expect(poll.getByLabel("👍 For")).toBeChecked()

  await bob.page.reload()
  await bob.seesEncryptedFor(2)
  await expect(bob.page.getByRole("button", { name: /^Timer paused/u })).toBeVisible()
  await ada.press("End the vote")
  await bob.page.getByRole("tab", { name: "Tools" }).click()
  await expect(bob.page.getByText("The vote has ended.")).toBeVisible()
  for (const { page } of [ada, bob]) await expect(page.getByText("1 vote", { exact: true })).toBeVisible()
  await expect(bob.page.getByRole("button", { name: "End the vote" })).toHaveCount(0)
})

test("a host changes its name and stays the host, and the others are notified", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await meet(server.origin, ada, bob)
  await ada.say("before")
  await expect.poll(() => bob.texts()).toEqual(["before"])
  await ada.page.getByRole("tab", { name: "People" }).click()
  await ada.press("Change my name")
  await ada.page.getByLabel("Your name").fill("Ada Lovelace")
  await ada.press("Change name")
  await expect(bob.page.getByRole("log").getByText("Ada is now called Ada Lovelace.")).toBeVisible()
  await ada.seesEncryptedFor(2)
  await bob.page.getByRole("tab", { name: "People" }).click()
  await expect(bob.page.getByRole("listitem").filter({ hasText: "Ada Lovelace" })).toContainText("Host")
  await bob.page.getByRole("tab", { name: /^Chat/u }).click()
  await ada.say("after")
  await expect.poll(() => bob.said()).toMatchObject([{ from: "Ada" }, { from: "Ada Lovelace" }])
})

test("the board continues in a new conference, and the others follow by the link", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const first = await meet(server.origin, ada, bob)
  await ada.board.draw(START)
  await expect.poll(() => bob.board.shows(START)).toBe(true)
  await ada.page.getByRole("button", { name: "Whiteboard menu" }).click()
  await ada.page.getByText("Continue in a new conference", { exact: true }).click()
  await ada.press("Continue there")
  const link = bob.page.getByRole("log").getByRole("link")
  await expect(link).toBeVisible()
  await ada.seesLock("Only you are here.")
  expect(ada.page.url()).not.toBe(first.split("#")[0])
  await expect.poll(() => ada.board.showsAnything()).toBe(true)
  await bob.join((await link.getAttribute("href"))!)
  for (const person of [ada, bob]) await person.seesEncryptedFor(2)
  await expect.poll(() => bob.board.showsAnything()).toBe(true)
  expect(await bob.texts()).toEqual([])
})

/** One blue page with a script that opens a window and a link over all of it. */
const HOSTILE_PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\('run'\\);)>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<<>>/Annots[5 0 R]>>endobj
4 0 obj<</Length 27>>stream
0 0 1 rg 20 20 160 160 re f
endstream endobj
5 0 obj<</Type/Annot/Subtype/Link/Rect[0 0 200 200]/A<</S/URI/URI(https://evil.example)>>>>endobj
trailer<</Root 1 0 R>>`

test("a page of a PDF becomes a picture on the board, and nothing in it runs", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const { page } = ada
  await ada.start(server.origin)
  const asked: string[] = []
  page.on("dialog", (dialog) => asked.push(dialog.message()))
  page.on("request", (request) => asked.push(request.url()))
  const insert = (name: string, buffer: Buffer): Promise<void> =>
    page.locator('input[accept*="pdf"]').setInputFiles({ name, mimeType: "application/pdf", buffer })

  await insert("plan.pdf", Buffer.from(HOSTILE_PDF))
  await expect(page.getByText("1 page was added.")).toBeVisible()
  await expect.poll(() => ada.board.showsAnything()).toBe(true)
  await insert("noise.pdf", Buffer.from("no PDF"))
  await expect(page.getByText("This file can’t be read as a PDF.")).toBeVisible()
  expect(asked.filter((url) => !url.startsWith(server.origin) && !url.startsWith("blob:"))).toEqual([])
  expect(ada.complaints).toEqual([])
})
