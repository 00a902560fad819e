import { createHash, randomBytes } from "node:crypto"
import type { Page } from "@playwright/test"
import { expect, test } from "../../support/fixtures.ts"
import { Recorder } from "../../support/security/recorder.ts"
import { meet } from "../../support/scenes.ts"

// A verdict that varies is wrong: no second try.
test.describe.configure({ retries: 0 })

test("returns to the start page when a person leaves, and back only by the link", async ({ server, people }) => {
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

  const damaged = new URL(link)
  damaged.hash = link.hash.slice(0, -4)
  await bob.page.goto(damaged.href)
  await expect(bob.problem).toContainText("This link is damaged.")
  await expect(bob.page.getByRole("heading", { name: "This link does not work" })).toBeVisible()
  await expect(bob.page.getByRole("button", { name: "Join", exact: true })).toHaveCount(0)

  const [secret = "", hash = ""] = link.hash.slice(1).split(".")
  const swapped = new URL(link)
  swapped.hash = `${secret}.${hash.startsWith("A") ? "B" : "A"}${hash.slice(1)}`
  await bob.page.goto(swapped.href)
  await expect(bob.problem).toContainText("This link is damaged.")

  await bob.page.goto(toNowhere(link))
  await expect(bob.problem).toContainText("The server does not know this conference.")

  const bare = new URL(link)
  bare.hash = ""
  const stranger = await people.arrive("Eve")
  await stranger.page.goto(bare.href)
  await expect(stranger.problem).toContainText("This link lacks its secret part")

  await ada.seesLock("Only you are here.")
  await bob.join(`${link.href}>).`)
  for (const person of [ada, bob]) await person.seesEncryptedFor(2)
})

/** A whole link with the secret of this one, to a conference that nobody has made. */
function toNowhere(link: URL): string {
  const hash = randomBytes(32)
  const [secret = ""] = link.hash.slice(1).split(".")
  return new URL(`/c/${idOf(hash)}#${secret}.${hash.toString("base64url")}`, link).href
}

/** The conference id of a descriptor's hash, as docs/signaling.md has it. */
function idOf(descriptorHash: Uint8Array): string {
  const domain = "keymoot v1 conference id"
  const hash = createHash("sha256").update(Uint8Array.of(domain.length)).update(domain).update(descriptorHash)
  return hash.digest("hex").slice(0, 32)
}

test("a link typed on the start page shows the conference's creator before entering", async ({ server, people }) => {
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
  await bob.page.getByText("More about this conference", { exact: true }).click()
  for (const fact of ["Who may join", "Newcomers see", "Ends"])
    await expect(bob.page.getByText(fact, { exact: true })).toBeVisible()
  expect(bob.page.url(), "the secret is out of the address").not.toContain("#")
  await ada.seesLock("Only you are here.")
  await expect(bob.page.getByLabel("Your name"), "what was typed").toHaveValue("Bob")
  await bob.press("Join")
  for (const person of [ada, bob]) await person.seesEncryptedFor(2)
})

test("a link with a wrong secret admits nobody, and shows neither members nor messages", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const guesser = await people.arrive("Mallory")
  await ada.start(server.origin)
  const link = new URL(await ada.copyLink())
  const guessed = new URL(link)
  const secret = link.hash.slice(1)
  guessed.hash = `${secret.startsWith("A") ? "B" : "A"}${secret.slice(1)}`

  await guesser.page.goto(guessed.href)
  await expect(guesser.problem).toContainText("This link is damaged.")
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
    `a second tab of one ${kind} profile says that the conference is already open`,
    { tag },
    async ({ server, people }) => {
      const ada = await people.arrive("Ada", kind)
      await ada.start(server.origin)
      const second = await people.openTab(ada)

      await second.page.goto(ada.page.url())

      await expect(second.problem).toContainText("already open in another tab")
      await ada.seesLock("Only you are here.")
      await ada.page.close()
      await second.press("Retry")
      await second.seesLock("Only you are here.")
    },
  )
}

/** Everything that the tab's storage holds, in one text. */
function tabStorage(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify({ ...sessionStorage }))
}

test("keeps the link's secret in the tab for a reload, until entering is given up", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await ada.start(server.origin)
  const link = await ada.copyLink()
  const [secret = ""] = new URL(link).hash.slice(1).split(".")
  const join = bob.page.getByRole("button", { name: "Join", exact: true })

  await bob.page.goto(link)
  await expect(join).toBeVisible()
  await bob.page.reload()
  await expect(join, "after a reload").toBeVisible()
  expect(await tabStorage(bob.page)).toContain(secret)
  await bob.press("Start a conference of your own instead")
  await expect(bob.page.getByRole("button", { name: "Start a conference" })).toBeVisible()
  expect(await tabStorage(bob.page), "given up").not.toContain(secret)

  await bob.page.goto(link)
  await expect(join).toBeVisible()
  await bob.page.goto(server.origin)
  await expect(bob.page.getByRole("button", { name: "Start a conference" })).toBeVisible()
  expect(await tabStorage(bob.page), "gone elsewhere").not.toContain(secret)

  await bob.page.goto(toNowhere(new URL(link)))
  await expect(bob.problem).toContainText("The server does not know this conference.")
  await expect.poll(() => tabStorage(bob.page), "it leads nowhere").not.toContain(secret)

  await ada.page.evaluate((url) => void location.assign(url), link)
  await expect.poll(() => ada.page.url(), "pasted in its conference").not.toContain(secret)
  expect(await tabStorage(ada.page)).not.toContain(secret)
})

test("says which address to open when a link was opened over plain http", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const plain = "http://meet.example:8080"
  await ada.page.route(`${plain}/**`, async (route) => {
    const response = await route.fetch({ url: route.request().url().replace(plain, server.origin) })
    await route.fulfill({ response })
  })
  await ada.page.goto(`${plain}/c/0a1b#secret`)
  await expect(ada.page.getByRole("heading", { name: "This address is not encrypted" })).toBeFocused()
  const secure = ada.page.getByRole("link", { name: "Open https://meet.example" })
  await expect(secure).toHaveAttribute("href", "https://meet.example/c/0a1b#secret")
  // A file that is still on its way would fail a later test, when its server has stopped.
  await ada.page.unrouteAll({ behavior: "ignoreErrors" })
})

test("the engine of an invitation starts while the page's own file is still on its way", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await ada.start(server.origin)
  const link = await ada.copyLink()

  let letThePageCome = (): void => undefined
  const held = new Promise<void>((resolve) => (letThePageCome = resolve))
  await bob.page.route(/\/assets\/page-[\w-]+\.js$/u, async (route) => {
    await held
    await route.continue()
  })
  const engine = bob.page.waitForEvent("worker")
  await bob.page.goto(link, { waitUntil: "commit" })
  expect((await engine).url()).toMatch(/\/worker-[\w-]+\.js$/u)
  letThePageCome()
  await bob.type("Your name", "Bob")
  await bob.press("Join")
  for (const person of [ada, bob]) await person.seesEncryptedFor(2)
  expect(
    bob.page
      .workers()
      .map((worker) => worker.url())
      .filter((url) => url.includes("/worker-")),
  ).toHaveLength(1)
})

test("asks nothing when a link is damaged", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await ada.start(server.origin)
  const link = await ada.copyLink()
  const sockets: string[] = []
  bob.page.on("websocket", (socket) => sockets.push(socket.url()))

  await bob.page.goto(link.slice(0, -4))
  await expect(bob.problem).toContainText("This link is damaged.")
  expect(sockets).toEqual([])
  await bob.page.goto(link)
  await expect(bob.page.getByText("Not verified: the name is what that person typed.")).toBeVisible()
  expect(sockets).toHaveLength(1)
})

for (const kind of ["chromium", "firefox"] as const) {
  test(`${kind} opens one WebSocket between the invitation and the secured view`, async ({ server, people }) => {
    const ada = await people.arrive("Ada")
    await ada.start(server.origin)
    const { pathname, hash } = new URL(await ada.copyLink())
    for (const reads of [true, false]) {
      // In front of the server for this person only.
      const recorder = await Recorder.start(server.origin)
      const guest = await people.arrive(reads ? "Bob" : "Eve", kind)
      await guest.page.goto(`${recorder.origin}${pathname}${hash}`)
      await guest.type("Your name", guest.name)
      if (reads) await expect(guest.page.getByText("Not verified: the name is what that person typed.")).toBeVisible()
      await guest.press("Join")
      for (const person of [ada, guest]) await person.seesEncryptedFor(2)
      await guest.say(`${guest.name} is here`)
      await expect.poll(() => ada.texts()).toContain(`${guest.name} is here`)
      expect(recorder.transports()).toEqual(["websocket"])
      await guest.page.close()
      await recorder.close()
      await ada.seesLock("Only you are here.")
    }
  })
}

for (const kind of ["chromium", "firefox"] as const) {
  test(`${kind} keeps a name that a script fills in when the form appears`, async ({ server, people }) => {
    const [ada, bob] = [await people.arrive("Ada", kind), await people.arrive("Bob", kind)]
    await ada.start(server.origin)
    const link = await ada.copyLink()
    await bob.page.addInitScript((name) => {
      new MutationObserver((_, observer) => {
        const input = document.querySelector("input")
        if (input === null) return
        observer.disconnect()
        input.value = name
        input.dispatchEvent(new InputEvent("input", { bubbles: true }))
      }).observe(document, { childList: true, subtree: true })
    }, bob.name)
    await bob.page.goto(link)
    await expect(bob.page.getByText("Not verified: the name is what that person typed.")).toBeVisible()
    await expect(bob.page.getByLabel("Your name")).toHaveValue("Bob")
    await bob.press("Join")
    for (const person of [ada, bob]) await person.seesEncryptedFor(2)
    expect(await ada.people()).toEqual(["Ada (you)", "Bob"])
  })
}
