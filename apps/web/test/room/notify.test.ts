// @vitest-environment jsdom
import { beforeEach, expect, test } from "vitest"
import { NOTIFY_INTERVAL_MS, openNotify } from "../../src/attention/notify.ts"
import { change } from "../../src/settings/settings.ts"

let nowMs = 0
let sounds = 0
beforeEach(() => {
  sounds = 0
  change({ sounds: true })
})
const open = () =>
  openNotify(
    () => nowMs,
    () => sounds++,
  )

test("a flood of hands, mentions and messages is one sound in each interval", () => {
  const notify = open()
  for (let i = 0; i < 1000; i++) {
    notify("New message", "conference")
    nowMs += NOTIFY_INTERVAL_MS / 100
  }
  expect(sounds).toBe(10)
})

test("is quiet when the person wants no sounds", () => {
  change({ sounds: false })
  open()("New message", "conference")
  expect(sounds).toBe(0)
})
