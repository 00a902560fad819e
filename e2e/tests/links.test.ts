import { expect, test } from "../support/fixtures.ts"
import { meet } from "../support/scenes.ts"

test("who leaves is back at the start page, and comes back only by the link", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const link = await meet(server.origin, ada, bob)

  await bob.leave()
  await expect(bob.page.getByRole("button", { name: "Start a conference" })).toBeVisible()
  expect(bob.page.url()).toBe(`${server.origin}/`)
  await ada.seesLock("Only you are here.")

  await bob.page.goto(link.replace(/#.*/u, ""))
  await expect(bob.problem).toContainText("This link lacks its secret part")

  await bob.page.goto(link)
  await expect(bob.page.getByLabel("Your name")).toHaveValue("Bob")
  await bob.press("Join")
  for (const person of [ada, bob]) await person.seesEncryptedFor(2)
})

test("a link that is damaged, unknown or lacks its secret is refused with the reason", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await ada.start(server.origin)
  const link = new URL(await ada.copyLink())
  const idEndsWith = link.pathname.at(-1)

  const damaged = new URL(link)
  damaged.hash = link.hash.slice(0, -4)
  await bob.join(damaged.href)
  await expect(bob.problem).toContainText("This link is damaged.")
  await expect(bob.page.getByLabel("Your name"), "what was typed").toHaveValue("Bob")

  const unknown = new URL(link)
  unknown.pathname = link.pathname.slice(0, -1) + (idEndsWith === "0" ? "1" : "0")
  await bob.join(unknown.href)
  await expect(bob.problem).toContainText("The server does not know this conference.")

  const swapped = new URL(link)
  const [secret = "", hash = ""] = link.hash.slice(1).split(".")
  swapped.hash = `${secret}.${hash.startsWith("A") ? "B" : "A"}${hash.slice(1)}`
  await bob.join(swapped.href)
  await expect(bob.problem).toContainText("another conference than the one this link belongs to")

  const bare = new URL(link)
  bare.hash = ""
  const stranger = await people.arrive("Eve")
  await stranger.page.goto(bare.href)
  await expect(stranger.problem).toContainText("This link lacks its secret part")

  await ada.seesLock("Only you are here.")
})

test("a link typed on the start page shows who made the conference before anybody enters", async ({
  server,
  people,
}) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await ada.start(server.origin, { title: "The roof" })
  const link = await ada.copyLink()

  await bob.page.goto(server.origin)
  await bob.type("Your name", "Bob")
  await bob.type("Invitation link", link.replace(/#.*/u, ""))
  await bob.press("Join")
  await expect(bob.page.getByText("This is not a complete invitation link.")).toBeVisible()
  await bob.page.getByLabel("Invitation link").focus()
  await bob.page.keyboard.press("ControlOrMeta+A")
  await bob.page.keyboard.type(link)
  await bob.press("Join")

  await expect(bob.page.getByRole("heading", { name: "You are invited to a conference" })).toBeVisible()
  await expect(bob.page.getByText("The roof")).toBeVisible()
  await expect(bob.page.getByText("Not verified: the name is what that person typed.")).toBeVisible()
  expect(bob.page.url(), "the secret is out of the address").not.toContain("#")
  await ada.seesLock("Only you are here.")
  await expect(bob.page.getByLabel("Your name"), "what was typed").toHaveValue("Bob")
  await bob.press("Join")
  for (const person of [ada, bob]) await person.seesEncryptedFor(2)
})

test("a link with a wrong secret lets nobody in, and the members notice nothing but that", async ({
  server,
  people,
}) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const guesser = await people.arrive("Mallory")
  await ada.start(server.origin)
  const link = new URL(await ada.copyLink())
  const guessed = new URL(link)
  const secret = link.hash.slice(1)
  guessed.hash = `${secret.startsWith("A") ? "B" : "A"}${secret.slice(1)}`

  await guesser.join(guessed.href)
  await bob.join(link.href)

  for (const person of [ada, bob]) await person.seesEncryptedFor(2)
  await ada.say("Ada trusts Bob")
  await expect.poll(() => bob.texts()).toEqual(["Ada trusts Bob"])
  expect(await ada.people()).toEqual(["Ada (you)", "Bob"])
  await expect(guesser.page.getByText("Ada trusts Bob")).toHaveCount(0)
  expect(await guesser.page.locator("body").innerText()).not.toContain("Bob")
})

for (const kind of ["chromium", "firefox"] as const) {
  const tag = kind === "firefox" ? "@deep" : []
  test(
    `a second tab of the same ${kind} profile is told that the conference is already open`,
    { tag },
    async ({ server, people }) => {
      const ada = await people.arrive("Ada", kind)
      await ada.start(server.origin)
      const second = await people.openTab(ada)

      await second.page.goto(ada.page.url())

      await expect(second.problem).toContainText("already open in another tab")
      await ada.seesLock("Only you are here.")
      await ada.page.close()
      await second.press("Try again")
      await second.seesLock("Only you are here.")
    },
  )
}
