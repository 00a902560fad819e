/** How much sound of a call the decoder makes up when packets are late and lost. */
import { arriveWithDevices, enterCall, hears } from "../../support/calls/call.ts"
import { expect, test } from "../../support/fixtures.ts"
import { MediaPaths } from "../../support/calls/media-paths.ts"
import type { Person } from "../../support/person.ts"
import { meet } from "../../support/scenes.ts"

// Without cameras, which would fill the processors and so delay the sound.
const QUALITY = { delayMs: 75, loss: 0.05 }
/** Percent of the packets. Fewer would mean that the path does not lose what it should. */
const LOST_MIN = 3
/** Percent of the samples. */
const CONCEALED_MAX = 10
const MEASURED_MS = 20_000

type Sound = { readonly packets: number; readonly lost: number; readonly samples: number; readonly concealed: number }

/** Sums over the sound that arrives, by connection. Null for one that is not connected. */
function soundOf({ page }: Person): Promise<(Sound | null)[]> {
  return page.evaluate(() => {
    const { connections } = (globalThis as unknown as { watched: { connections: RTCPeerConnection[] } }).watched
    return Promise.all(
      connections.map(async (connection) => {
        if (connection.connectionState !== "connected") return null
        const all = [...((await connection.getStats()) as Map<string, Record<string, number | string>>).values()]
        const arriving = all.filter(({ type, kind }) => type === "inbound-rtp" && kind === "audio")
        const sum = (name: string): number => arriving.reduce((total, stats) => total + Number(stats[name] ?? 0), 0)
        return {
          packets: sum("packetsReceived"),
          lost: sum("packetsLost"),
          samples: sum("totalSamplesReceived"),
          concealed: sum("concealedSamples"),
        }
      }),
    )
  })
}

/** Percent of the packets lost and of the samples made up in the next while, over connections that last for all of it. */
async function measure(person: Person): Promise<{ readonly lost: number; readonly concealed: number }> {
  const before = await soundOf(person)
  await person.page.waitForTimeout(MEASURED_MS)
  const after = await soundOf(person)
  const grown = (name: keyof Sound): number =>
    before.reduce((sum, each, i) => sum + (each && after[i] ? after[i][name] - each[name] : 0), 0)
  // Another connection has taken its place.
  if (grown("packets") === 0) return measure(person)
  return {
    lost: (100 * grown("lost")) / (grown("packets") + grown("lost")),
    concealed: (100 * grown("concealed")) / grown("samples"),
  }
}

for (const kind of ["chromium", "firefox"] as const)
  test(`chromium and ${kind} hear each other when 5 % of packets are lost @deep`, async ({ server, people }, info) => {
    const pair = [
      await arriveWithDevices(people, "Ada", "chromium"),
      await arriveWithDevices(people, "Bob", kind),
    ] as const
    const paths = new MediaPaths(false, QUALITY)
    try {
      for (const { page } of pair) await paths.lead(page)
      await meet(server.origin, ...pair)
      for (const person of pair) await enterCall(person, "Microphone")
      for (const person of pair) await hears(person)
      const found = await Promise.all(pair.map(measure))
      const reported = found.map(
        ({ lost, concealed }, i) => `${pair[i]!.name}: ${lost.toFixed(1)} % lost, ${concealed.toFixed(1)} % concealed`,
      )
      console.log(`chromium and ${kind}: ${reported.join("; ")}`)
      info.annotations.push({ type: "sound", description: reported.join("; ") })
      for (const [i, { lost, concealed }] of found.entries()) {
        expect(lost, `lost on the way to ${pair[i]!.name}`).toBeGreaterThan(LOST_MIN)
        expect(concealed, `concealed at ${pair[i]!.name}`).toBeLessThan(CONCEALED_MAX)
      }
    } finally {
      paths.close()
    }
  })
