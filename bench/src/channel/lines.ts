/** Two Chromium with a line between them that carries less than they can compute: what most people have. */
import { openChromium } from "@keymoot/e2e/hosts"
import { Line } from "@keymoot/e2e/line"
import type { PagePackage } from "@keymoot/e2e/package-page"
import { ServerProcess } from "@keymoot/e2e/server"
import { openPage } from "../browsers/page-package.ts"
import { bothRates, meet, type Rates } from "./page.ts"

export type LinePlan = { readonly megabits: readonly number[]; readonly runs: number; readonly forMs: number }

const [ADA, BOB] = ["ada", "bob"] as const
/** Two megabytes wait with a sender that ends: less than a second of the narrowest line. */
const REST_MS = 1000

/** One pair of people, over one line after the other; gives each line's rates when it has them. @throws LabUnavailable */
export async function* overLines(
  { megabits, runs, forMs }: LinePlan,
  built: PagePackage,
  onPair: () => void,
): AsyncGenerator<readonly [megabits: number, rates: readonly Rates[]]> {
  const line = Line.start([ADA, BOB])
  try {
    // All that is measured has few addresses.
    const settings = { HOST: line.address(ADA), WEB_DIR: "none", ADDRESS_SCALE: "1000" }
    const server = await ServerProcess.start(settings, line.on(ADA))
    const browsers = [
      await openChromium(line, ADA, server.origin),
      await openChromium(line, BOB, server.origin),
    ] as const
    try {
      const [ada, bob] = [
        await openPage(browsers[0], server.origin, built),
        await openPage(browsers[1], server.origin, built),
      ]
      await meet(ada, bob, server.origin)
      // A new channel on a narrow line loses hundreds of packets together, and stands still for seconds.
      await bothRates(ada, bob, forMs, forMs)
      for (const width of megabits) {
        line.narrow(width)
        const rates: Rates[] = []
        for (let run = -1; run < runs; run++) {
          const both = await bothRates(ada, bob, forMs, REST_MS)
          // The first time the line's pace is not known yet.
          if (run >= 0) rates.push(both)
          onPair()
        }
        yield [width, rates]
      }
    } finally {
      for (const browser of browsers) await browser.close()
      await server.dispose()
    }
  } finally {
    line.close()
  }
}
