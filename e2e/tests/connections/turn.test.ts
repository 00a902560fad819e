import { findService, howToInstall, startTurn } from "@keymoot/tools"
import { expect, test } from "../../support/fixtures.ts"
import { allowRelayedOnly, waysOf } from "../../support/connections/relayed.ts"
import { invite, seeSameChat, talkAtOnce } from "../../support/scenes.ts"
import { ServerProcess } from "../../support/server-process.ts"

const missing = findService("turnserver") === null
if (missing) console.log(`Skipped: browsers through TURN. ${howToInstall("turnserver")}.`)

test("two browsers whose networks let nothing but TURN through meet, secured, and chat", async ({ people }) => {
  test.skip(missing, howToInstall("turnserver"))
  const turn = await startTurn()
  const server = await ServerProcess.start({ TURN_URLS: turn.url, TURN_SECRET: turn.secret })
  try {
    const [ada, bob] = [await people.arrive("Ada", "chromium"), await people.arrive("Bob", "firefox")]
    for (const { page } of [ada, bob]) await allowRelayedOnly(page)
    await ada.start(server.origin)
    await invite(ada, bob)
    await seeSameChat([ada, bob], await talkAtOnce([ada, bob], 3, "relays"))
    for (const { page } of [ada, bob]) {
      // The conference is there over the server's relay first, and moves to TURN soon.
      await expect.poll(() => waysOf(page)).not.toEqual([])
      const ways = await waysOf(page)
      // The other's relay is reached at its own address, which some browsers take for one of the peer's.
      for (const way of ways) expect(way).toMatch(/^relay to (?:relay|prflx)$/u)
    }
  } finally {
    await server.dispose()
    await turn.stop()
  }
})
