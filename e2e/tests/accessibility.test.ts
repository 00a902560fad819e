import { AxeBuilder } from "@axe-core/playwright"
import { expect, test } from "../support/fixtures.ts"
import type { Person } from "../support/person.ts"
import { meet } from "../support/scenes.ts"

/** The whiteboard's inside is Excalidraw's, not ours. */
const NOT_OURS = ".excalidraw"

async function violations(person: Person): Promise<string[]> {
  // Its own copy of Playwright's types differs in ways that do not matter here.
  const page = person.page as ConstructorParameters<typeof AxeBuilder>[0]["page"]
  const { violations } = await new AxeBuilder({ page }).exclude(NOT_OURS).analyze()
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`))
}

/** Each step leads to another screen; in each of them nothing may stand in the way of anybody. */
async function walk(person: Person, screens: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  for (const [screen, reach] of Object.entries(screens)) {
    await reach()
    expect.soft(await violations(person), screen).toEqual([])
  }
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no violation on any screen in ${colorScheme}`, async ({ server, people }) => {
    const ada = await people.arrive("Ada", "chromium", { colorScheme })
    const bob = await people.arrive("Bob", "chromium", { colorScheme })
    const { page } = ada

    await walk(ada, {
      start: async () => void (await page.goto(server.origin)),
      "start, options unfolded": () => page.getByText("Advanced").click(),
      "start, name missing": async () => {
        await ada.press("Start a conference")
        await expect(ada.problem).toBeVisible()
      },
      "what is protected": () => ada.press("What is protected?"),
    })
    const link = await meet(server.origin, ada, bob)
    await bob.say("Bob knows https://stranger.example/")
    await ada.say("Ada does not")
    await expect.poll(() => ada.texts()).toHaveLength(2)
    await walk(ada, {
      "conference, chat": () => Promise.resolve(),
      "conference, people": () => page.getByRole("tab", { name: "People" }).click(),
      "conference, security": () => ada.lock.click(),
      "conference on a phone": async () => {
        await page.keyboard.press("Escape")
        await page.setViewportSize({ width: 390, height: 844 })
      },
      "conference on a phone, chat closed": () => ada.press("Close"),
    })
    await server.stop()
    await walk(bob, {
      "conference without its server": () =>
        expect(bob.page.getByText("Server unreachable. The conference goes on")).toBeVisible(),
    })
    await server.startAgain()

    const eve = await people.arrive("Eve", "chromium", { colorScheme })
    await walk(eve, {
      "before entering": async () => void (await eve.page.goto(link)),
      "a link without its secret": async () => {
        await eve.page.evaluate(() => sessionStorage.clear())
        await eve.page.goto("about:blank")
        await eve.page.goto(link.replace(/#.*/u, ""))
        await expect(eve.problem).toBeVisible()
      },
    })
  })
}
