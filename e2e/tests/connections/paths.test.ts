import { expect, test } from "../../support/fixtures.ts"
import * as talk from "../../support/connections/numbered-talk.ts"
import { servePackagePage } from "../../support/packages/package-page.ts"

test("is secured over the relay, becomes direct, and falls back, without a view change", async ({ server, people }) => {
  test.slow()
  const pages = await servePackagePage()
  const both = [(await people.arrive("Ada")).page, (await people.arrive("Bob")).page] as const
  for (const page of both) {
    await talk.keepConnections(page)
    await talk.holdCandidates(page)
    await page.goto(pages.origin)
  }
  const url = await talk.enter(both[0], "Ada", server.origin, null)
  await talk.enter(both[1], "Bob", server.origin, url)
  await Promise.all(both.map(talk.secured))
  for (const page of both) expect(await talk.paths(page)).toEqual(["relayed-by-server"])
  await Promise.all(both.map(talk.begin))

  await Promise.all(both.map(talk.allowCandidates))
  for (const page of both) await expect.poll(() => talk.paths(page)).toEqual(["relayed-by-server", "direct"])

  const former = await Promise.all(both.map(talk.connectionsSoFar))
  await talk.breakConnection(both[0])
  await Promise.all(both.map((page, index) => talk.isConnectedAnew(page, former[index]!)))
  const all = ["relayed-by-server", "direct", "relayed-by-server", "direct"]
  for (const page of both)
    await expect
      .poll(async () => {
        const paths = await talk.paths(page)
        // A busy machine can take a live path for a dead one, and comes back to it.
        return [...paths.slice(0, all.length - 1), paths.at(-1)]
      })
      .toEqual(all)

  const sent = await Promise.all(both.map(talk.end))
  for (const [index, page] of both.entries()) {
    await talk.hasAll(page, sent[index]!, sent[1 - index]!)
    const [own, theirs] = [sent[index]!, sent[1 - index]!].map((count) => Array.from({ length: count }, (_, i) => i))
    expect(await talk.outcome(page)).toEqual({ own, theirs, views: [], faults: [] })
  }
  await pages.close()
})
