import type { Page } from "@playwright/test"
import { expect, test } from "../../support/fixtures.ts"
import { meet } from "../../support/scenes.ts"

// A verdict that varies is wrong: no second try.
test.describe.configure({ retries: 0 })

type Held = { news: { held: boolean; release: () => void } }

/** Lets a test delay the engine's reports of members, so that the page lags as far behind as a slow one can. */
function holdNewsOfMembers(): void {
  const waiting: (() => void)[] = []
  const news = { held: false, release: () => waiting.splice(0).forEach((tell) => tell()) }
  Object.assign(globalThis, { news })
  const native = Worker.prototype.addEventListener
  Worker.prototype.addEventListener = function (this: Worker, type: string, listener: (event: MessageEvent) => void) {
    const tell = (data: unknown): void => listener.call(this, new MessageEvent("message", { data }))
    const isNews = (message: { event?: { type: string } }): boolean =>
      ["status", "view"].includes(message.event?.type ?? "")
    const sieve = (event: MessageEvent<{ event?: { type: string } }[]>): void => {
      if (!news.held) return listener.call(this, event)
      waiting.push(() => tell(event.data.filter(isNews)))
      listener.call(this, new MessageEvent("message", { data: event.data.filter((each) => !isNews(each)) }))
    }
    native.call(this, type, (type === "message" ? sieve : listener) as EventListener)
  } as typeof native
}

const setHeld = (page: Page, held: boolean): Promise<void> =>
  page.evaluate((held) => {
    const { news } = globalThis as unknown as Held
    news.held = held
    if (!held) news.release()
  }, held)

test("asks before a message reaches a person that its author had not seen", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const eve = await people.arrive("Eve")
  await ada.page.addInitScript(holdNewsOfMembers)
  const link = await meet(server.origin, ada, bob)

  await setHeld(ada.page, true)
  await eve.join(link)
  for (const person of [bob, eve]) await person.seesEncryptedFor(3)
  await ada.say("Eve must not hear of this")
  await ada.say("but this is for everybody")
  const unsent = ada.page.locator('article[data-pending="failed"]')
  await expect(unsent).toHaveCount(2)
  await expect(unsent.first()).toContainText("Somebody joined before this was sent.")
  await setHeld(ada.page, false)
  await expect(unsent.first()).toContainText("Eve joined before this was sent.")

  await unsent.first().getByRole("button", { name: "Discard" }).click()
  await expect(unsent).toHaveCount(1)
  await unsent.getByRole("button", { name: "Send anyway" }).click()
  await expect(unsent).toHaveCount(0)
  for (const person of [ada, bob, eve]) await expect.poll(() => person.texts()).toEqual(["but this is for everybody"])

  await ada.say("Eve is shown to me now")
  for (const person of [bob, eve]) await expect.poll(() => person.texts()).toContain("Eve is shown to me now")
})
