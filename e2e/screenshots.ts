import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import type { BrowserContextOptions } from "@playwright/test"
import { BrowserPool, People } from "./support/people.ts"
import type { Person } from "./support/person.ts"
import { meet, seesDrawing } from "./support/scenes.ts"
import { ServerProcess } from "./support/server-process.ts"

/** Saves every screen, light, dark and on a phone, for looking at: `npm run screenshots --workspace e2e`. */
const OUT = join(import.meta.dirname, "test-results", "screenshots")
const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true },
}

await mkdir(OUT, { recursive: true })
const server = await ServerProcess.start()
const pool = new BrowserPool()
try {
  for (const [look, options] of Object.entries(LOOKS)) await photograph(look, options)
} finally {
  await pool.close()
  await server.dispose()
}
console.log(`The pictures are in ${OUT}.`)

async function photograph(look: string, options: BrowserContextOptions): Promise<void> {
  const people = new People(pool)
  const shoot = async (person: Person, screen: string) =>
    void (await person.page.screenshot({ path: join(OUT, `${screen}-${look}.png`), animations: "disabled" }))
  const bob = await people.arrive("Bob")
  const eve = await people.arrive("Eve")
  const ada = await people.arrive("Ada", "chromium", options)

  await ada.page.goto(server.origin)
  await shoot(ada, "start")
  await ada.press("What is protected?")
  await shoot(ada, "protection")
  const link = await meet(server.origin, bob, eve)
  await ada.page.goto(link)
  await shoot(ada, "enter")
  await ada.join(link)
  for (const person of [ada, bob, eve]) await person.seesEncryptedFor(3)
  await drawAndTalk(ada, bob, eve, look === "phone")
  await shoot(ada, "board")
  if (look === "phone") await ada.page.getByRole("button", { name: /^Chat/u }).click()
  await shoot(ada, "chat")
  await ada.page.getByRole("tab", { name: "People" }).click()
  await shoot(ada, "people")
  if (look === "phone") await ada.press("Close")
  await ada.lock.click()
  await shoot(ada, "security")
  await ada.page.keyboard.press("Escape")
  await server.stop()
  await ada.page.getByText("Server unreachable").waitFor()
  await shoot(ada, "server-down")
  await server.startAgain()
  await ada.page.goto(`${server.origin}/c/${"0".repeat(32)}`)
  await ada.problem.waitFor()
  await shoot(ada, "problem")
  await people.goHome()
}

async function drawAndTalk(ada: Person, bob: Person, eve: Person, phone: boolean): Promise<void> {
  await bob.say("Shall we begin with the roof?")
  await eve.say("I have the plan here: https://example.org/a-rather-long/address/that-must-wrap/somewhere?plan=roof")
  if (!phone) await ada.say("Yes. The north side first, it leaks most.")
  await bob.board.draw({ x: 250, y: 300 })
  await eve.board.write({ x: 230, y: 380 }, "North side")
  await bob.board.draw({ x: 270, y: 440 })
  await seesDrawing(ada, { x: 250, y: 300 })
  await bob.board.point({ x: 200, y: 350 })
  await eve.board.point({ x: 260, y: 480 })
}
