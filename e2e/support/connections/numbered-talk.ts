/**
 * Code for the pages of a test that breaks connections: it sends numbered messages without pause, and finds the
 * connections.
 */
import type { Page } from "@playwright/test"

const CHANNEL = "numbered"
/** Whether or not the last one has come: while there is no connection many wait. */
const EVERY_MS = 5
const MESSAGE_CHARACTERS = 500

type View = { readonly id: string; readonly status: string; readonly members: readonly unknown[] }
type Message = { readonly from: { readonly id: string }; readonly text: string }
type Channel = {
  send(text: string): Promise<unknown>
  on(event: "message", listener: (message: Message) => void): void
}
type Conference = {
  readonly self: { readonly id: string }
  readonly view: View
  readonly invitation: { readonly url: string }
  channel(name: string): Channel
  on(event: "status", listener: (view: View) => void): void
  on(event: "security", listener: (event: { readonly code: string }) => void): void
  on(event: "links", listener: (links: ReadonlyMap<string, string>) => void): void
}
type Keymoot = {
  readonly Identity: { open(options: { name: string }): Promise<unknown> }
  readonly Conference: {
    create(options: { server: string; identity: unknown }): Promise<Conference>
    join(options: { url: string; identity: unknown }): Promise<Conference>
  }
}
type Talk = {
  readonly conference: Conference
  sent: number
  sending: ReturnType<typeof setInterval> | undefined
  /** Numbers that this member has sent, and the other's, in the order of arrival. */
  readonly own: number[]
  readonly theirs: number[]
  /** Paths of the link with the other member, in order. */
  readonly paths: string[]
  /** View changes since the talk began, and reported faults of members. */
  readonly views: string[]
  readonly faults: string[]
}

declare global {
  interface Window {
    keymoot: Keymoot
    talk: Talk
    allowCandidates: () => void
    peerConnections: RTCPeerConnection[]
  }
}

/** Before the page loads: it keeps every peer connection that is made in it. */
export function keepConnections(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    window.peerConnections = []
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super(configuration)
        window.peerConnections.push(this)
      }
    }
  })
}

/** Before the page loads: its connections get no candidates of the other until `allowCandidates`. */
export function holdCandidates(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const allowed = new Promise<void>((done) => (window.allowCandidates = done))
    const { addIceCandidate } = RTCPeerConnection.prototype
    RTCPeerConnection.prototype.addIceCandidate = async function (this: RTCPeerConnection, candidate) {
      await allowed
      return Reflect.apply(addIceCandidate, this, [candidate]) as Promise<void>
    }
  })
}

export function allowCandidates(page: Page): Promise<unknown> {
  return page.evaluate(() => window.allowCandidates())
}

export function paths(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => window.talk.paths)
}

/** Creates a conference, or joins the one at `url`. Gives its invitation. */
export function enter(page: Page, name: string, server: string, url: string | null): Promise<string> {
  return page.evaluate(
    async ([name, server, url, channel]) => {
      const { Conference, Identity } = window.keymoot
      const identity = await Identity.open({ name })
      const conference = await (url ? Conference.join({ url, identity }) : Conference.create({ server, identity }))
      const lists = { own: [], theirs: [], paths: [], views: [], faults: [] }
      const talk: Talk = { conference, sent: 0, sending: undefined, ...lists }
      window.talk = talk
      conference.channel(channel).on("message", ({ from, text }) => {
        const numbers = from.id === conference.self.id ? talk.own : talk.theirs
        numbers.push(Number.parseInt(text, 10))
      })
      conference.on("status", ({ status, members, id }) => talk.views.push(`${status} ${members.length} ${id}`))
      conference.on("links", (links) => {
        for (const path of links.values()) if (path !== talk.paths.at(-1)) talk.paths.push(path)
      })
      conference.on("security", ({ code }) => talk.faults.push(code))
      return conference.invitation.url
    },
    [name, server, url, CHANNEL] as const,
  )
}

/** In one view with the other, whose key both hold: from here on it is noted what becomes of it. */
export async function secured(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const { status, members } = window.talk.conference.view
    return status === "secured" && members.length === 2
  })
  await page.evaluate(() => void (window.talk.views.length = 0))
}

export function begin(page: Page): Promise<void> {
  return page.evaluate(
    ([channel, everyMs, characters]) => {
      const { talk } = window
      talk.sending = setInterval(() => {
        const text = `${talk.sent++}`.padEnd(characters)
        talk.conference
          .channel(channel)
          .send(text)
          .catch((error: unknown) => talk.faults.push(String(error)))
      }, everyMs)
    },
    [CHANNEL, EVERY_MS, MESSAGE_CHARACTERS] as const,
  )
}

/** How many this member has sent in all. */
export function end(page: Page): Promise<number> {
  return page.evaluate(() => {
    clearInterval(window.talk.sending)
    return window.talk.sent
  })
}

export function connectionsSoFar(page: Page): Promise<number> {
  return page.evaluate(() => window.peerConnections.length)
}

/** Closes the page's newest connection, in the middle of whatever goes over it. */
export function breakConnection(page: Page): Promise<void> {
  return page.evaluate(() => {
    const newest = window.peerConnections.findLast(({ connectionState }) => connectionState === "connected")
    if (!newest) throw new Error("no connection stands")
    newest.close()
  })
}

/** Until a connection stands that was made after the first `former`, and something has come since. */
export async function isConnectedAnew(page: Page, former: number): Promise<void> {
  await page.waitForFunction(
    (former) => window.peerConnections.slice(former).some(({ connectionState }) => connectionState === "connected"),
    former,
  )
  const before = await page.evaluate(() => window.talk.theirs.length)
  await page.waitForFunction((before) => window.talk.theirs.length > before, before)
}

/** Or something has gone wrong that `outcome` tells. */
export function hasAll(page: Page, own: number, theirs: number): Promise<unknown> {
  return page.waitForFunction(
    ([own, theirs]) => {
      const { talk } = window
      const wrong = talk.views.length + talk.faults.length > 0
      return wrong || (talk.own.length >= own && talk.theirs.length >= theirs)
    },
    [own, theirs] as const,
  )
}

type Outcome = Pick<Talk, "own" | "theirs" | "views" | "faults">

export function outcome(page: Page): Promise<Outcome> {
  return page.evaluate(() => {
    const { own, theirs, views, faults } = window.talk
    return { own, theirs, views, faults }
  })
}
