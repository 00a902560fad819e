import { expect, test } from "../../support/fixtures.ts"
import * as talk from "../../support/connections/numbered-talk.ts"
import { servePackagePage } from "../../support/packages/package-page.ts"

/** When a connection has lasted so long, what failed before it is forgotten (`LASTED_MS`, and something over). */
const LASTED_MS = 5_500
/** One after another, before the pauses between attempts have grown. */
const IN_A_ROW = 3

const STORIES: readonly { breaks: number; tag: string[] }[] = [
  { breaks: 8, tag: [] },
  { breaks: 100, tag: ["@deep"] },
]

for (const { breaks, tag } of STORIES) {
  test(
    `loses, repeats and reorders nothing when the connection breaks ${breaks} times`,
    { tag },
    async ({ server, people }) => {
      test.setTimeout(240_000 + breaks * 10_000)
      const pages = await servePackagePage()
      const ada = await people.arrive("Ada")
      const bob = await people.arrive("Bob")
      const both = [ada.page, bob.page] as const
      // On a machine that is busy with something else everything takes long, and nothing is wrong.
      for (const page of both) page.setDefaultTimeout(120_000)
      for (const page of both) await talk.keepConnections(page)
      for (const page of both) await page.goto(pages.origin)
      const url = await talk.enter(ada.page, "Ada", server.origin, null)
      await talk.enter(bob.page, "Bob", server.origin, url)
      await Promise.all(both.map(talk.secured))
      await Promise.all(both.map(talk.begin))

      for (let count = 0; count < breaks; count++) {
        if (count % IN_A_ROW === IN_A_ROW - 1) await ada.page.waitForTimeout(LASTED_MS)
        const former = await Promise.all(both.map(talk.connectionsSoFar))
        await talk.breakConnection(both[count % 2]!)
        await Promise.all(both.map((page, index) => talk.isConnectedAnew(page, former[index]!)))
      }

      const sent = await Promise.all(both.map(talk.end))
      for (const [index, page] of both.entries()) {
        const [own, theirs] = [sent[index]!, sent[1 - index]!]
        await talk.hasAll(page, own, theirs)
        expect(await talk.outcome(page)).toEqual({ own: upTo(own), theirs: upTo(theirs), views: [], faults: [] })
      }
      await pages.close()
    },
  )
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
