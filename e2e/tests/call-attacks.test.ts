import { arriveWithDevices, enterCall, hears, seesPicture } from "../support/call.ts"
import { expect, test } from "../support/fixtures.ts"
import { watchFrames } from "../support/frame-counts.ts"
import { refusedBy, sendHostileFrames } from "../support/hostile-frames.ts"
import { meet } from "../support/scenes.ts"

// A forged frame that is played now and then is played: no second try.
test.describe.configure({ retries: 0 })

const REFUSED_MIN = 30

for (const [hostile, receiver] of [
  ["chromium", "firefox"],
  ["firefox", "chromium"],
] as const)
  test(`frames that ${hostile} replays, swaps or passes on are refused in ${receiver}`, async ({ server, people }) => {
    const ada = await arriveWithDevices(people, "Ada", "chromium")
    const bob = await arriveWithDevices(people, "Bob", receiver)
    const eve = await arriveWithDevices(people, "Eve", hostile)
    await watchFrames(bob)
    await sendHostileFrames(eve)
    await meet(server.origin, ada, bob, eve)
    await enterCall(ada, "Camera")
    await enterCall(bob)
    await enterCall(eve, "Microphone", "Camera")
    for (const reason of ["replayed", "forged", "foreign-key"])
      await expect
        .poll(async () => (await refusedBy(bob, "microphone"))[reason] ?? 0, { message: `${reason} frames of Eve` })
        .toBeGreaterThan(REFUSED_MIN)
    // The honest frames among them, and those of others, are played.
    await hears(bob)
    await seesPicture(bob, "Ada")
    await seesPicture(bob, "Eve")
  })
