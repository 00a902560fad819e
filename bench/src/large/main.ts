/**
 * A conference too large for a full mesh, in real browsers: members over several Chromiums, several in a tab, data channels
 * between them. All members are secured, and a message of each reaches all in one order. Then a browser is killed, and the
 * rest get a new key and continue.
 *
 * It reports the time of each step, and fails if one does not complete.
 */
import { parseArgs } from "node:util"
import { fromCommandLine } from "@keymoot/tools"
import { FULL_MESH_MAX, MEMBERS_MAX } from "@keymoot/transport"
import { wholeNumber } from "../run/options.ts"
import { Tabs } from "./tabs.ts"

const LOOK_MS = 500
const WITHIN_MS = 300_000

const USAGE = `npm run large -- [--members N] [--browsers N] [--mesh N]

--mesh: the largest full mesh, ${FULL_MESH_MAX} unless given`
const { members, browsers, mesh } = fromCommandLine(USAGE, () => {
  const { values } = parseArgs({
    options: {
      members: { type: "string", default: "27" },
      browsers: { type: "string", default: "3" },
      mesh: { type: "string", default: "0" },
    },
  })
  return {
    members: wholeNumber("--members", values.members, 2, MEMBERS_MAX),
    browsers: wholeNumber("--browsers", values.browsers, 2, 16),
    mesh: wholeNumber("--mesh", values.mesh, 0, MEMBERS_MAX),
  }
})
const tabs = await Tabs.open(browsers, mesh)
try {
  await play()
} finally {
  await tabs.close()
}

async function play(): Promise<void> {
  for (let i = 0; i < members; i++) {
    await tabs.add()
    await together(`${i + 1} in one secured view`)
  }
  await sayAll("before")
  await tabs.killLast()
  await together(`${tabs.members} are left of ${members}, with a new key`)
  await sayAll("after")
  const security = (await tabs.look()).flatMap((seen) => seen.security)
  check(`nothing was reported: ${[...new Set(security)].join("; ")}`, security.length === 0)
}

async function together(what: string): Promise<void> {
  const seen = await until(what, () => tabs.together())
  const direct = seen.flatMap(({ links }) => links.map((each) => each.direct)).sort((a, b) => a - b)
  console.log(`    direct links from ${direct[0]} to ${direct.at(-1)}`)
}

async function sayAll(about: string): Promise<void> {
  await Promise.all(tabs.pages.map((page) => page.evaluate((topic) => window.tab.say(topic), about)))
  const heard = await until(`${about}: a message of each has reached all`, async () => {
    const texts = await Promise.all(tabs.pages.map((page) => page.evaluate((topic) => window.tab.heard(topic), about)))
    return texts.flat().every((text) => text.split(",").length === tabs.members) ? texts.flat() : null
  })
  check(`${about}: in one order`, new Set(heard).size === 1)
}

async function until<T>(what: string, seek: () => Promise<T | null>): Promise<T> {
  const sinceMs = performance.now()
  for (;;) {
    const found = await seek()
    const tookMs = performance.now() - sinceMs
    if (found !== null) {
      check(`${what} after ${(tookMs / 1000).toFixed(1)} s`, true)
      return found
    }
    if (tookMs > WITHIN_MS) {
      check(what, false)
      console.error(JSON.stringify(await tabs.look(), null, 1))
      throw new Error(`${what}: not within ${WITHIN_MS / 1000} s`)
    }
    await new Promise((done) => setTimeout(done, LOOK_MS))
  }
}

function check(what: string, holds: boolean): void {
  console.log(`${holds ? "yes" : "NO "} ${what}`)
  if (!holds) process.exitCode = 1
}
