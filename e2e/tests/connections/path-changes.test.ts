/** The link of two pages that talk without pause, while its direct path breaks again and again, or falls silent. */
import type { Page } from "@playwright/test"
import { expect, test } from "../../support/fixtures.ts"
import * as talk from "../../support/connections/numbered-talk.ts"
import { servePackagePage } from "../../support/packages/package-page.ts"
import type { People } from "../../support/people.ts"
import { allowSilence, silence } from "../../support/connections/silent-path.ts"

type Kind = "chromium" | "firefox"
type Two = readonly [Page, Page]

/** A break changes the path twice. After each, the direct path waits twice as long as before, from one second on. */
const [BREAKS, DEEP_BREAKS, DEEP_ROUNDS] = [4, 5, 10]
const CHANGE_MS = 60_000

/** Both are direct, and talk. */
async function meet(
  people: People,
  kinds: readonly [Kind, Kind],
  server: string,
  pages: string,
  prepare: (page: Page) => Promise<unknown> = () => Promise.resolve(),
): Promise<Two> {
  const both = [(await people.arrive("Ada", kinds[0])).page, (await people.arrive("Bob", kinds[1])).page] as const
  for (const page of both) {
    await talk.keepConnections(page)
    await prepare(page)
    await page.goto(pages)
  }
  const url = await talk.enter(both[0], "Ada", server, null)
  await talk.enter(both[1], "Bob", server, url)
  await Promise.all(both.map(talk.secured))
  await Promise.all(both.map(talk.begin))
  for (const page of both) await expect.poll(async () => (await talk.paths(page)).at(-1)).toBe("direct")
  return both
}

/**
 * Breaks the direct path at one end after the other, and waits until both are direct again. Returns the number of path
 * changes at the first end. A page that got no processor for a while may change its path once more.
 */
async function breakOften(both: Two, breaks: number): Promise<number> {
  const [first] = both
  const begun = (await talk.paths(first)).length
  for (let index = 0; index < breaks; index++) {
    const before = await Promise.all(both.map(async (page) => (await talk.paths(page)).length))
    await talk.breakConnection(both[index % 2]!)
    for (const [end, page] of both.entries()) {
      const since = async (): Promise<readonly string[]> => (await talk.paths(page)).slice(before[end])
      await expect.poll(async () => (await since()).at(-1), { timeout: CHANGE_MS }).toBe("direct")
      expect((await since())[0]).toBe("relayed-by-server")
    }
  }
  return (await talk.paths(first)).length - begun
}

async function nothingIsLost(both: Two): Promise<void> {
  const sent = await Promise.all(both.map(talk.end))
  for (const [index, page] of both.entries()) {
    await talk.hasAll(page, sent[index]!, sent[1 - index]!)
    const [own, theirs] = [sent[index]!, sent[1 - index]!].map((count) => Array.from({ length: count }, (_, i) => i))
    expect(await talk.outcome(page)).toEqual({ own, theirs, views: [], faults: [] })
  }
}

for (const other of ["chromium", "firefox"] as const) {
  const tag = other === "firefox" ? "@deep" : "@alone"
  test(`chromium and ${other} lose nothing while their path changes`, { tag }, async ({ server, people }) => {
    test.slow()
    const pages = await servePackagePage()
    const both = await meet(people, ["chromium", other], server.origin, pages.origin)
    expect(await breakOften(both, BREAKS)).toBeGreaterThanOrEqual(2 * BREAKS)
    await nothingIsLost(both)
    await pages.close()
  })

  // A link allows a few changes a minute only, so that nobody on the network can make it change for ever.
  test(`chromium and ${other} lose nothing in 100 path changes @deep`, async ({ server, people }) => {
    test.setTimeout(30 * 60_000)
    const pages = await servePackagePage()
    let changes = 0
    for (let round = 0; round < DEEP_ROUNDS; round++) {
      const both = await meet(people, ["chromium", other], server.origin, pages.origin)
      changes += await breakOften(both, DEEP_BREAKS)
      await nothingIsLost(both)
      for (const page of both) await page.context().close()
    }
    expect(changes).toBeGreaterThanOrEqual(100)
    await pages.close()
  })
}

for (const other of ["chromium", "firefox"] as const) {
  test(`chromium and ${other} leave a path that falls silent, and suspect nobody`, async ({ server, people }, info) => {
    test.slow()
    const pages = await servePackagePage()
    const both = await meet(people, ["chromium", other], server.origin, pages.origin, allowSilence)
    const ms = await silence(both[0])
    info.annotations.push({ type: "fallback", description: `${Math.round(ms)} ms` })
    console.log(`Chromium left a silent path to ${other} after ${Math.round(ms)} ms.`)
    await expect.poll(async () => (await talk.paths(both[1])).at(-1)).toBe("relayed-by-server")
    await nothingIsLost(both)
    await pages.close()
  })
}
