/**
 * Times of a join on a bad network, step by step. Ada is in a conference on a good line. Bob joins it over a bad one. Both are
 * real browsers on separate hosts. `packages/core/test/joining` counts the round trips of the same join, without a clock.
 *
 * There is a conference for each build and mode. They take turns, so that they have the same load.
 */
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { LabUnavailable, openChromium } from "@keymoot/e2e/hosts"
import { Lab } from "@keymoot/e2e/lab"
import { ServerProcess } from "@keymoot/e2e/server"
import type { Browser, BrowserContext, Page } from "@playwright/test"
import type { PostQuantum } from "@keymoot/core"
import { fromCommandLine } from "@keymoot/tools"
import { UNAVAILABLE } from "../run/exit-codes.ts"
import { postQuantumModes, wholeNumber } from "../run/options.ts"
import { badLine } from "./line.ts"
import { traceJoin, type Steps } from "./page-trace.ts"
import { joinsReport, nameOf, roomsOf, type RoomKind } from "./rooms.ts"

const OWN_BUILD = join(import.meta.dirname, "../../../packages/core/dist/browser")
const PATH = "/joins"
const GOOD = { oneWayMs: 5 }
const SECURED_WITHIN_MS = 60_000

type Room = RoomKind & { readonly url: string; readonly runs: Steps[] }

const USAGE = `npm run joins -- [--runs N] [--seen] [--post-quantum off,hybrid] [--round-trip MS] [--lost PERCENT] [BUILD…]

BUILD is a packages/core/dist/browser, this checkout's unless given.
--seen: Bob has previewed the invitation before he joins, as in the app.
--round-trip, --lost: of Bob's line. Bad Wi-Fi unless given: 150 ms, and 2 % lost each way.`

const { kinds, runs, bad, seen } = fromCommandLine(USAGE, () => {
  const { values, positionals } = parseArgs({
    options: {
      runs: { type: "string", default: "5" },
      seen: { type: "boolean", default: false },
      "post-quantum": { type: "string", default: "off" },
      "round-trip": { type: "string", default: "150" },
      lost: { type: "string", default: "2" },
    },
    allowPositionals: true,
  })
  const builds = (positionals.length > 0 ? positionals : [OWN_BUILD]).map((build) => resolve(build))
  return {
    kinds: roomsOf(builds, postQuantumModes(values["post-quantum"])),
    runs: wholeNumber("--runs", values.runs, 1, 10_000),
    bad: badLine(values["round-trip"], values.lost),
    seen: values.seen,
  }
})
try {
  await main()
} catch (error) {
  if (!(error instanceof LabUnavailable)) throw error
  console.error(error.message)
  process.exitCode = UNAVAILABLE
}

async function main(): Promise<void> {
  const lab = await Lab.start({
    hosts: ["srv", "ada", "bob"],
    path: (from, to) => (from === "bob" || to === "bob" ? bad : GOOD),
  })
  try {
    const server = await ServerProcess.start(
      { HOST: lab.address("srv"), WEB_DIR: "none", ADDRESS_SCALE: "1000" },
      lab.on("srv"),
    )
    const browsers = {
      ada: await openChromium(lab, "ada", server.origin),
      bob: await openChromium(lab, "bob", server.origin),
    }
    const rooms: Room[] = []
    for (const kind of kinds) {
      const page = await openPage(browsers.ada, server.origin, kind.build)
      rooms.push({ ...kind, url: await page.evaluate(createConference, kind.postQuantum), runs: [] })
    }
    for (let run = 0; run < runs; run++) {
      for (const room of rooms) {
        room.runs.push(await joinOnce(browsers.bob, server.origin, room))
        const { secured } = room.runs.at(-1)!
        console.log(`${nameOf(room)}: secured after ${secured} ms`)
      }
    }
    console.log(`\nMedian (least to most), and how many joins had the step:\n\n${joinsReport(rooms, 2 * bad.oneWayMs)}`)
    await server.dispose()
  } finally {
    await lab.close()
  }
}

/** With an identity, and nothing between it and a join but the network. */
async function openPage(browser: Browser, origin: string, build: string): Promise<Page> {
  const context = await browser.newContext()
  await serve(context, origin, build)
  await context.addInitScript(traceJoin)
  const page = await context.newPage()
  await page.goto(`${origin}${PATH}/`)
  await page.evaluate(async (module) => {
    window.core = (await import(module)) as typeof import("@keymoot/core")
    window.identity = await window.core.Identity.open({ name: "Member" })
  }, `${PATH}/keymoot.js`)
  return page
}

declare global {
  interface Window {
    core: typeof import("@keymoot/core")
    identity: import("@keymoot/core").Identity
  }
}

/** From here, not over the lab: loading the page is no part of the join. */
function serve(context: BrowserContext, origin: string, build: string): Promise<unknown> {
  return context.route(`${origin}${PATH}/**`, (route) => {
    const file = new URL(route.request().url()).pathname.slice(PATH.length + 1)
    return file
      ? route.fulfill({ path: join(build, file) })
      : route.fulfill({ contentType: "text/html", body: "<!doctype html>" })
  })
}

async function createConference(postQuantum: PostQuantum): Promise<string> {
  const conference = await window.core.Conference.create({
    server: location.origin,
    identity: window.identity,
    postQuantum,
  })
  return conference.invitation.url
}

async function joinOnce(browser: Browser, origin: string, { url, build }: Room): Promise<Steps> {
  const page = await openPage(browser, origin, build)
  if (seen) {
    await page.evaluate(async (seen) => {
      // In the engine that joins then, as in the app.
      await window.core.Conference.preview({ url: seen, identity: window.identity })
      for (const step of Object.keys(window.joinSteps)) delete window.joinSteps[step]
    }, url)
  }
  const steps = await page.evaluate(joinHere, { url, withinMs: SECURED_WITHIN_MS })
  await page.context().close()
  return steps
}

/** Milliseconds since the call. */
async function joinHere({ url, withinMs }: { url: string; withinMs: number }): Promise<Steps> {
  const calledMs = Date.now()
  const conference = await window.core.Conference.join({ url, identity: window.identity })
  const steps: Steps = { "joined (call)": Date.now() }
  await new Promise<void>((done, fail) => {
    setTimeout(() => fail(new Error("not secured in time")), withinMs)
    conference.on("links", (links) => links.size > 0 && (steps["link up"] ??= Date.now()))
    conference.on("status", ({ status, members }) => {
      if (members.length < 2) return
      steps[status] ??= Date.now()
      if (status === "secured") done()
    })
  })
  const isOfferer = window.joinSteps["remote answer"] !== undefined
  const all = { ...window.joinSteps, ...steps }
  await conference.leave()
  return Object.fromEntries([
    ...Object.entries(all).map(([step, atMs]) => [step, atMs - calledMs] as const),
    [isOfferer ? "(offers)" : "(answers)", 0],
  ])
}
