import type { MemberId } from "@keymoot/core"
import { afterEach, expect, it } from "vitest"
import { type OpenTabs, watchOpenTabs } from "../../src/session/openTabs.ts"

const ADA = "a".repeat(32) as MemberId
const tabs: OpenTabs[] = []
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.close()
})

it("tells a second tab when the conference is open in the first", async () => {
  openTab(ADA, "c1").opened()
  await openTab(ADA, "c1").elsewhere
})

it("tells a tab that is still entering when another one was faster", async () => {
  const [slow, fast] = [openTab(ADA, "c1"), openTab(ADA, "c1")]
  fast.opened()
  await slow.elsewhere
})

it("tells a tab nothing of other conferences, other people and closed tabs", async () => {
  openTab(ADA, "c2").opened()
  openTab("b".repeat(32) as MemberId, "c1").opened()
  const closed = openTab(ADA, "c1")
  closed.opened()
  closed.close()
  const asking = openTab(ADA, "c1")
  let told = false
  void asking.elsewhere.then(() => (told = true))
  const witness = openTab(ADA, "c3")
  openTab(ADA, "c3").opened()
  await witness.elsewhere
  expect(told).toBe(false)
})

function openTab(member: MemberId, conference: string): OpenTabs {
  const tab = watchOpenTabs(member, conference)
  tabs.push(tab)
  return tab
}
