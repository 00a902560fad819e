import { expect, test } from "../support/fixtures.ts"
import { DESKTOP, flaws, openStories, PHONE, TOUCH_PX, violations } from "./looks.ts"
import type { Stories } from "./looks.ts"

/** The texts of each state. */
const SAYS: Readonly<Record<string, string>> = {
  alone: "Only you are here.",
  entering: "Not verified: the name is what that person typed.",
  "entering, verified": "Verified by you",
  "entering, another key": "Careful: this is not the",
  "entering, unknown yet": "Looking at the invitation…",
  "not open yet": "This conference opens at",
  joining: "Joining…",
  connecting: "Your changes are kept and will be shared.",
  agreeing: "Agreeing on a key…",
  secured: "Encrypted. 3 people can read this. · 1 verified",
  replies: "The message this answers is not on this device.",
  "my role changed": "You can write and draw now.",
  tools: "Do we need a break?",
  "raised hand": "Raised hand: Ada",
  "slides without frames": "There are no frames yet.",
  "call preview": "You start with the microphone and the camera off.",
  "call alone": "Nobody else is in the call yet.",
  "in a call": "No sound or picture with Grace.",
  "heard in a call": "Encrypted. 2 other people can hear and see you.",
  "shared screen": "Screen of Bob",
  "key changes in a call": "Changing the key…",
  "muted by a host": "Bob muted your microphone.",
  "asked to unmute": "asks you to unmute.",
  "device refused": "Press the icon to the left of the address",
  "call before a reload": "You come back with the microphone on.",
  "listening to a call": "You can listen and watch. A host can let you speak.",
  unreachable: "Eve cannot be reached. You and 1 other are here.",
  partitioned: "You and 2 others are here. Your changes are kept and will be merged.",
  merged: "Connected with Grace, Linus and Margaret again.",
  "server unreachable": "Server unreachable. The conference goes on",
  offline: "You seem to be offline: neither the server nor Bob and Eve can be reached.",
  "storage full": "This device could not save a copy of the conference.",
  pictures: "3 pictures are loading…",
  "board not sent": "Not sent: the whiteboard has grown too large.",
  "receiving the board": "Receiving the board from Bob…",
  "not deleted": "This could not be deleted. The others still see it.",
  "sent while away": "they may have left some out",
  "another key": "Careful: this is not the Bob you verified",
  viewer: "You can only watch here.",
  "no host vouched": "No host has confirmed this room in the last hour",
  "waiting for a host": "A host of this conference has to let you in.",
  knocks: "Waiting to be let in",
  "many knocks": "6 people want to join.",
  "waiting for people": "3 more people from the list have to come",
  ring: "BD (ring, everybody takes part)",
  chain: "GDH (each person adds to the key in turn)",
  star: "CKD (one member deals the key)",
  quorum: "Majority (of named people)",
  certified: "Certified by Acme Ltd",
  relayed: "Connected through the server, which can’t read anything.",
  crowd: "60 people in the conference",
  "everything at once": "A new version of Keymoot is available.",
  "conference over": "This conference is over.",
  "removed by a host": "A host removed you from this conference.",
  "wrong link": "This link is damaged.",
  "unknown conference": "The server does not know this conference.",
  "expired link": "This conference is over.",
  "damaged link": "This link does not work",
  "link to another conference": "Do not enter",
  "no such page": "There is no page here",
  "plain http": "This address is not encrypted",
  "link for another browser profile": "This link lacks its secret part",
  "not on the list": "You are not on the guest list of this conference",
  "no storage": "The browser lets this page store nothing",
}
const AT_PEOPLE = new Set(["relayed", "crowd", "certified", "knocks"])
const AT_SECURITY = new Set(["ring", "chain", "star", "quorum"])
let stories: Stories

test.beforeAll(async () => {
  test.setTimeout(300_000)
  stories = await openStories()
})
test.afterAll(() => stories.close())

test("every state is reachable and fits the screen, light, dark and on a phone", async ({ people }, info) => {
  test.setTimeout(1_800_000) // More than a hundred screens.
  const { page } = await people.arrive("Ada")
  await page.goto(stories.origin + "/")
  const states = JSON.parse((await page.locator("body").textContent()) ?? "") as string[]
  expect(states.toSorted()).toEqual(Object.keys(SAYS).toSorted())
  for (const state of states) {
    await page.setViewportSize(DESKTOP)
    await page.emulateMedia({ colorScheme: "light" })
    await page.goto(`${stories.origin}/?state=${encodeURIComponent(state)}`)
    await expect(page.locator("main")).toBeVisible()
    if ((await page.locator(".board").count()) > 0) await expect(page.locator(".excalidraw").first()).toBeVisible()
    const shoot = async (look: string) =>
      void (await page.screenshot({ path: info.outputPath(`${state} ${look}.png`), animations: "disabled" }))
    if (AT_PEOPLE.has(state)) {
      await shoot("chat")
      await page.getByRole("tab", { name: "People" }).click()
    }
    if (AT_SECURITY.has(state)) {
      await page.getByRole("button", { name: "Security", exact: true }).click()
      await page.getByText("Details", { exact: true }).click()
    }
    await expect.soft(page.getByText(SAYS[state] ?? "").first(), state).toBeVisible()
    await shoot("light")
    expect.soft(await violations(page), `${state}, light`).toEqual([])
    expect.soft(await flaws(page, 0), `${state} on a desktop`).toEqual([])
    await page.emulateMedia({ colorScheme: "dark" })
    await shoot("dark")
    expect.soft(await violations(page), `${state}, dark`).toEqual([])
    await page.setViewportSize(PHONE)
    await shoot("phone")
    expect.soft(await flaws(page, TOUCH_PX), `${state} on a phone`).toEqual([])
  }
})
