/** People on hosts of a lab whose networks lose packets, change or vanish. Nobody reloads a page. */
import { setTimeout } from "node:timers/promises"
import { expect, test as base } from "../../support/fixtures.ts"
import { hostOf, LabMeeting } from "../../support/connections/lab-meeting.ts"
import { pagePackage } from "../../support/packages/package-page.ts"
import type { Person } from "../../support/person.ts"
import { meet, seeSameChat, talkAtOnce } from "../../support/scenes.ts"
import { chat, enterTalk, openTalk, outcomeOfTalk, securedTalk } from "../../support/connections/timed-talk.ts"
import { missingForLab } from "../../wan/namespaces.ts"

const GOOD = { oneWayMs: 5 }
/** 200 ms there and back, and 5 % lost each way. */
const BAD = { oneWayMs: 100, loss: 0.05 }
const ASLEEP_MS = 180_000
/** Without any network, between two. */
const BETWEEN_MS = 3_000
const RETURN = { timeout: 120_000 }
const CHAT_MINUTES = Number(process.env["BAD_NETWORK_MINUTES"] ?? 10)
const CHAT_EVERY_MS = 1_000

const missing = missingForLab()
if (missing !== null) console.log(`Skipped: bad networks. ${missing}`)

/* oxlint-disable no-empty-pattern -- Playwright reads from the pattern which fixtures another one needs. */

/** `meetings`: named before `people`, so that a lab ends after the browsers on its hosts. */
const test = base.extend<{ readonly meetings: LabMeeting[] }>({
  meetings: async ({}, use) => {
    const meetings: LabMeeting[] = []
    await use(meetings)
    for (const meeting of meetings) await meeting.close()
  },
})
test.skip(missing !== null, missing ?? "")
test.describe.configure({ retries: 0 })

/** Until this person reads it, since then. */
async function msUntilRead(person: Person, text: string, sinceMs: number): Promise<number> {
  await expect(person.page.getByRole("log").getByText(text, { exact: true })).toBeVisible(RETURN)
  return Date.now() - sinceMs
}

/** That no page was loaded anew. */
function loadedAt(people: readonly Person[]): Promise<number[]> {
  return Promise.all(people.map(({ page }) => page.evaluate(() => performance.timeOrigin)))
}

async function allTogether(people: readonly Person[]): Promise<void> {
  for (const { lock } of people)
    await expect(lock).toHaveText(`Encrypted. ${people.length} people can read this.`, RETURN)
}

/**
 * Each reads every text once, and what one person said in the order of writing. Views that were apart may have delivered
 * messages of different people in different orders.
 */
async function nothingIsLost(people: readonly Person[], texts: readonly string[]): Promise<void> {
  for (const person of people) {
    const read = async () => (await person.texts()).toSorted()
    await expect.poll(read, { ...RETURN, message: `what ${person.name} reads` }).toEqual(texts.toSorted())
    for (const { name } of people) {
      const byAuthor = (text: string) => text.startsWith(`${name} `)
      expect((await person.texts()).filter(byAuthor), `${name}, by ${person.name}`).toEqual(texts.filter(byAuthor))
    }
  }
}

for (const isMobile of [false, true]) {
  const what = isMobile ? "goes from Wi-Fi to mobile" : "gets another address"
  test(`a person that ${what} is back by itself, and nothing is lost @alone`, async ({ meetings, people }) => {
    test.setTimeout(10 * 60_000)
    const meeting = await LabMeeting.start(people, ["Ada", "Bob", "Eve"], GOOD, isMobile)
    meetings.push(meeting)
    const [ada, bob] = meeting.people as [Person, Person, Person]
    await meet(meeting.origin, ...(meeting.people as [Person, ...Person[]]))
    const loaded = await loadedAt(meeting.people)
    const before = await talkAtOnce(meeting.people, 3, "before")
    await seeSameChat(meeting.people, before)

    meeting.lab.leaveNetwork(hostOf("Ada"))
    let changedMs = Date.now()
    const during = await talkAtOnce(meeting.people, 3, "the way")
    if (!isMobile) {
      await setTimeout(BETWEEN_MS)
      meeting.lab.enterNetwork(hostOf("Ada"))
      changedMs = Date.now()
    }
    const [there, back] = await Promise.all([
      msUntilRead(bob, "Ada on the way 2", changedMs),
      msUntilRead(ada, "Bob on the way 2", changedMs),
    ])
    console.log(`A person that ${what}: read after ${there} ms, reads after ${back} ms.`)
    await allTogether(meeting.people)
    const after = await talkAtOnce(meeting.people, 3, "after")
    await nothingIsLost(meeting.people, [...before, ...during, ...after])
    expect(await loadedAt(meeting.people)).toEqual(loaded)
  })
}

test("a person whose computer slept for three minutes is back by itself @deep", async ({ meetings, people }) => {
  test.setTimeout(15 * 60_000)
  const meeting = await LabMeeting.start(people, ["Ada", "Bob", "Eve"], GOOD)
  meetings.push(meeting)
  const [ada, ...others] = meeting.people as [Person, Person, Person]
  await meet(meeting.origin, ada, ...others)
  const loaded = await loadedAt(meeting.people)
  const before = await talkAtOnce(meeting.people, 3, "before")
  await seeSameChat(meeting.people, before)

  meeting.lab.signal(hostOf("Ada"), "SIGSTOP")
  let during: string[]
  try {
    await allTogether(others)
    during = await talkAtOnce(others, 3, "her sleep")
    await setTimeout(ASLEEP_MS)
  } finally {
    meeting.lab.signal(hostOf("Ada"), "SIGCONT")
  }
  const wokenMs = Date.now()
  const ms = await msUntilRead(ada, "Bob on her sleep 2", wokenMs)
  await allTogether(meeting.people)
  console.log(`A person that slept: reads after ${ms} ms, in one view with all after ${Date.now() - wokenMs} ms.`)
  const after = await talkAtOnce(meeting.people, 3, "after")
  await nothingIsLost(meeting.people, [...before, ...during, ...after])
  expect(await loadedAt(meeting.people)).toEqual(loaded)
})

test("four chat over lines that lose 5 % and take 200 ms, and suspect nobody @deep", async ({ meetings, people }) => {
  test.setTimeout((CHAT_MINUTES + 10) * 60_000)
  const names = ["Ada", "Bob", "Eve", "Dan"]
  const meeting = await LabMeeting.start(people, names, BAD)
  meetings.push(meeting)
  const built = await pagePackage()
  let url: string | null = null
  for (const [index, { name, page }] of meeting.people.entries()) {
    await openTalk(page, meeting.origin, built)
    url = await enterTalk(page, name, url)
    for (const present of meeting.people.slice(0, index + 1)) await securedTalk(present.page, index + 1)
  }
  const count = (CHAT_MINUTES * 60_000) / CHAT_EVERY_MS
  await Promise.all(meeting.people.map(({ name, page }) => chat(page, name, count, CHAT_EVERY_MS)))
  const outcomes = await Promise.all(meeting.people.map(({ page }) => outcomeOfTalk(page, count * names.length)))

  const latencies = outcomes.flatMap(({ latenciesMs }) => latenciesMs).toSorted((one, other) => one - other)
  const percentile = (part: number) => latencies[Math.min(latencies.length - 1, Math.floor(part * latencies.length))]
  console.log(
    `Chat over bad lines, ${latencies.length} arrivals: median ${percentile(0.5)} ms, ` +
      `p95 ${percentile(0.95)} ms, p99 ${percentile(0.99)} ms, longest ${percentile(1)} ms.`,
  )
  const each = Object.fromEntries(names.map((name) => [name, Array.from({ length: count }, (_, number) => number)]))
  for (const { numbers, views, faults } of outcomes)
    expect({ numbers, views, faults }).toEqual({ numbers: each, views: [], faults: [] })
  await built.dispose()
})
