/** Two real browsers, each behind its NAT, meet in a conference. Measures when they are secured, and by which path. */
import { join } from "node:path"
import { candidatesOf, notePeerConnections, waysOf } from "@keymoot/e2e/relayed"
import type { LinkPath } from "@keymoot/core"
import type { Browser, Page } from "@playwright/test"

const PATH = "/nat"
/** Chromium gives up a connection after some fifteen seconds. */
const DIRECT_WITHIN_MS = 20_000
const SECURED_WITHIN_MS = 120_000

export type Route = "direct" | "via TURN" | "by the server"

export type MeetingOptions = {
  /** A pair without a direct path so long after it is secured is taken for relayed. Default: 20 seconds. */
  readonly directWithinMs?: number
  /** The first one hides its address from the other. */
  readonly oneHides?: boolean
}

export type Meeting = {
  readonly route: Route
  /** From the call of `join` to the first secured status. */
  readonly securedMs: number
  /** From there to the route, at both ends; 0 if it came before. */
  readonly routeMs: number
  /** That each gave to the other. */
  readonly candidates: readonly (readonly string[])[]
}

/** Times are of the machine's clock, which both browsers share. */
type Seen = { securedAtMs: number | null; path: LinkPath | null; pathAtMs: number; texts: string[] }

declare global {
  interface Window {
    keymoot: typeof import("@keymoot/core")
    conference: import("@keymoot/core").Conference
    seen: Seen
  }
}

/** @param build the package for pages, see `pagePackage` */
export async function meet(
  browsers: readonly [Browser, Browser],
  origin: string,
  build: string,
  { directWithinMs = DIRECT_WITHIN_MS, oneHides = false }: MeetingOptions = {},
): Promise<Meeting> {
  const pages: Page[] = []
  try {
    for (const browser of browsers) pages.push(await openPage(browser, origin, build))
    const [ada, bob] = pages as [Page, Page]
    const url = await ada.evaluate(enter, { url: null, hides: oneHides })
    const joinedAtMs = await bob.evaluate(() => Date.now())
    await bob.evaluate(enter, { url, hides: false })
    for (const page of pages)
      await page.waitForFunction(() => window.seen.securedAtMs, null, patient(SECURED_WITHIN_MS))
    const isDirect = await becomeDirect(pages, directWithinMs)
    await exchangeTexts(pages)
    const ways = (await Promise.all(pages.map(waysOf))).flat()
    const seen = await Promise.all(pages.map((page) => page.evaluate(() => window.seen)))
    const securedAtMs = Math.max(...seen.map((each) => each.securedAtMs!))
    return {
      route: !isDirect ? "by the server" : ways.some((way) => way.includes("relay")) ? "via TURN" : "direct",
      securedMs: securedAtMs - joinedAtMs,
      routeMs: Math.max(0, ...seen.map((each) => each.pathAtMs - securedAtMs)),
      candidates: await Promise.all(pages.map(candidatesOf)),
    }
  } finally {
    for (const page of pages) await page.context().close()
  }
}

const patient = (timeout: number) => ({ timeout, polling: 20 })

/** False if they do not within that time. */
async function becomeDirect(pages: readonly Page[], withinMs: number): Promise<boolean> {
  const isDirect = () => window.seen.path === "direct"
  const waits = pages.map((page) => page.waitForFunction(isDirect, null, patient(withinMs)))
  const ends = await Promise.allSettled(waits)
  return ends.every(({ status }) => status === "fulfilled")
}

/** Throws if one of the two does not receive the other's message. */
async function exchangeTexts(pages: readonly Page[]): Promise<void> {
  for (const page of pages) await page.evaluate(() => window.conference.channel("chat").send("hello"))
  for (const page of pages)
    await page.waitForFunction(() => window.seen.texts.length === 2, null, patient(SECURED_WITHIN_MS))
}

/** From here, not over the lab: loading the page is no part of a meeting. */
async function openPage(browser: Browser, origin: string, build: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.context().route(`${origin}${PATH}/**`, (route) => {
    const file = new URL(route.request().url()).pathname.slice(PATH.length + 1)
    return route.fulfill({ path: join(build, file || "index.html") })
  })
  await notePeerConnections(page)
  await page.goto(`${origin}${PATH}/`)
  await page.waitForFunction(() => window.keymoot)
  return page
}

/** Creates a conference, or joins that of the link. Gives its link. */
async function enter({ url, hides }: { url: string | null; hides: boolean }): Promise<string> {
  const { Conference, Identity } = window.keymoot
  const identity = await Identity.open({ name: "Member" })
  const ice = { transportPolicy: hides ? "relay" : "all" } as const
  const conference = url
    ? await Conference.join({ url, identity, ice })
    : await Conference.create({ server: location.origin, identity, ice })
  const seen: Seen = { securedAtMs: null, path: null, pathAtMs: 0, texts: [] }
  window.conference = conference
  window.seen = seen
  conference.on("status", ({ status, members }) => {
    if (status === "secured" && members.length === 2) seen.securedAtMs ??= Date.now()
  })
  // Here a path through TURN is "direct", too: no relay of ours is in it.
  conference.on("links", (links) => {
    const [path = null] = links.values()
    if (path === seen.path) return
    seen.path = path
    seen.pathAtMs = Date.now()
  })
  conference.channel("chat").on("message", ({ text }) => void seen.texts.push(text ?? ""))
  return conference.invitation.url
}
