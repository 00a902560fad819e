import type { BrowserKind } from "../browsers.ts"
import { arriveWithDevices, enterCall, hears, seesPicture } from "../support/call.ts"
import { ComingAndGoing } from "../support/coming-and-going.ts"
import { expect, test } from "../support/fixtures.ts"
import { type FrameCount, frameCounts, watchFrames } from "../support/frame-counts.ts"
import { delayKeys } from "../support/late-keys.ts"
import type { Person } from "../support/person.ts"
import { meet } from "../support/scenes.ts"
import type { VisitorCommand } from "../support/visitors.ts"

/** Longest time that a frame of video waits for a key. It is dropped afterwards. */
const VIDEO_HOLD_MS = 1000

/** Time after a join in which every sender has switched to the next key. */
const SWITCHED_MS = 1000

/** Few, since each takes seconds on a busy machine. */
const SHORT: readonly VisitorCommand["act"][] = ["come", "come", "go", "go"]
const FIFTEEN: readonly VisitorCommand["act"][] = [
  ...Array.from({ length: 8 }, () => "come" as const),
  ...Array.from({ length: 7 }, () => "go" as const),
]

type Sound = { readonly concealed: number; readonly samples: number; readonly concealments: number }
type Freezes = { readonly freezes: number; readonly frozenSeconds: number }

/** Sound that the receiver's decoders made up, and the time for which the picture stood. */
function repairsOf({ page }: Person): Promise<Sound & Freezes> {
  return page.evaluate(async () => {
    const { connections } = (globalThis as unknown as { watched: { connections: RTCPeerConnection[] } }).watched
    const sums = { concealed: 0, samples: 0, concealments: 0, freezes: 0, frozenSeconds: 0 }
    for (const connection of connections.filter(({ connectionState }) => connectionState !== "closed")) {
      for (const stats of (await connection.getStats()).values() as IterableIterator<Record<string, number | string>>) {
        if (stats["type"] !== "inbound-rtp") continue
        sums.concealed += Number(stats["concealedSamples"] ?? 0)
        sums.samples += Number(stats["totalSamplesReceived"] ?? 0)
        sums.concealments += Number(stats["concealmentEvents"] ?? 0)
        sums.freezes += Number(stats["freezeCount"] ?? 0)
        sums.frozenSeconds += Number(stats["totalFreezesDuration"] ?? 0)
      }
    }
    return sums
  })
}

const sum = (counts: readonly FrameCount[], value: (count: FrameCount) => number): number =>
  counts.reduce((total, count) => total + value(count), 0)
/** Frames that were dropped, except repetitions of frames that were decoded. */
const lost = ({ dropped }: FrameCount): number =>
  Object.entries(dropped).reduce((total, [reason, count]) => (reason === "replayed" ? total : total + count), 0)

async function rekeyUnderCall(ada: Person, bob: Person, origin: string, acts: readonly VisitorCommand["act"][]) {
  const pair = [ada, bob]
  for (const person of pair) await watchFrames(person)
  const url = await meet(origin, ada, bob)
  await enterCall(ada, "Microphone", "Camera")
  await enterCall(bob, "Microphone", "Camera")
  for (const [person, other] of [
    [ada, "Bob"],
    [bob, "Ada"],
  ] as const) {
    await seesPicture(person, other)
    await hears(person)
  }
  const counts = async (): Promise<readonly FrameCount[]> => (await Promise.all(pair.map(frameCounts))).flat()
  const visitors = new ComingAndGoing(url)
  try {
    let people = 2
    const beganMs = performance.now()
    for (const [index, act] of acts.entries()) {
      const before = await counts()
      const repairs = await Promise.all(pair.map(repairsOf))
      await visitors.change(act)
      people += act === "come" ? 1 : -1
      await Promise.all(pair.map((person) => person.seesEncryptedFor(people)))
      for (const person of pair) await hears(person)
      // Senders use the key of the last join a while later.
      if (act === "come" && acts[index + 1] !== "come") await ada.page.waitForTimeout(SWITCHED_MS)
      const after = await counts()
      // Nobody uses a key that an absent member knows any more. A frame under one would be refused.
      for (const person of pair) await hears(person)
      const former = (all: readonly FrameCount[]) => sum(all, ({ dropped }) => dropped["former-key"] ?? 0)
      expect(former(await counts()) - former(before), "frames under a key that an absent member knows").toBe(0)
      const repaired = await Promise.all(pair.map(repairsOf))
      const formerPassed = (all: readonly FrameCount[], wanted: FrameCount["direction"]): number =>
        sum(
          all.filter(({ direction }) => direction === wanted),
          (count) => count.formerPassed,
        )
      expect(formerPassed(await counts(), "send"), "frames sent under such a key").toBe(0)
      const inFlight = formerPassed(after, "receive") - formerPassed(before, "receive")
      const videoLost = (all: readonly FrameCount[]) =>
        sum(
          all.filter(({ source }) => source === "camera"),
          lost,
        )
      const audioLost = (all: readonly FrameCount[]) =>
        sum(
          all.filter(({ source }) => source === "microphone"),
          lost,
        )
      const longestHold = (all: readonly FrameCount[]) => Math.max(...all.map((count) => count.heldMs))
      const heldMs = longestHold(after)
      const concealed = repaired.map((each, i) => each.concealed - repairs[i]!.concealed)
      console.log(
        `${act}: lost ${videoLost(after) - videoLost(before)} of video, ${audioLost(after) - audioLost(before)} of audio; ` +
          `concealed ${concealed.map((samples) => (samples / 48).toFixed(0)).join(" and ")} ms; longest hold ${heldMs.toFixed(0)} ms; ${inFlight} under the former key in flight`,
      )
      if (act === "come") {
        expect(videoLost(after) - videoLost(before), "frames of video lost by a join").toBe(0)
        expect(audioLost(after) - audioLost(before), "frames of audio lost by a join").toBe(0)
      } else if (heldMs < VIDEO_HOLD_MS || heldMs === longestHold(before)) {
        // Frames that wait for a second are dropped. On a busy machine the agreement can take as long.
        expect(videoLost(after) - videoLost(before), "frames of video lost by a leave").toBe(0)
      }
    }
    const seconds = (performance.now() - beganMs) / 1000
    const passed = sum(await counts(), (count) => count.passed)
    console.log(`${acts.length} changes in ${seconds.toFixed(1)} s, ${passed} frames`)
    for (const [person, other] of [
      [ada, "Bob"],
      [bob, "Ada"],
    ] as const)
      await seesPicture(person, other)
  } finally {
    await visitors.close()
  }
}

test("a call goes on without loss while members come and go", { tag: "@alone" }, async ({ server, people }) => {
  const ada = await arriveWithDevices(people, "Ada", "chromium")
  const bob = await arriveWithDevices(people, "Bob", "chromium")
  await rekeyUnderCall(ada, bob, server.origin, SHORT)
})

const PAIRS: readonly (readonly [BrowserKind, BrowserKind])[] = [
  ["chromium", "chromium"],
  ["chromium", "firefox"],
  ["firefox", "chromium"],
  ["firefox", "firefox"],
]
/** Time by which each key comes late to the second one's media worker. */
const LATE_MS = [0, 100, 300] as const
for (const [one, other] of PAIRS) {
  for (const lateMs of LATE_MS) {
    const title = `${one} and ${other} talk on while fifteen come and go, keys ${lateMs} ms late @deep`
    test(title, async ({ server, people }) => {
      const ada = await arriveWithDevices(people, "Ada", one)
      const bob = await arriveWithDevices(people, "Bob", other)
      await delayKeys(bob, lateMs)
      await rekeyUnderCall(ada, bob, server.origin, FIFTEEN)
    })
  }
}
