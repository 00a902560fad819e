/** Code for pages whose members chat at a steady rate, and measure how long each message takes. */
import { join } from "node:path"
import type { Page } from "@playwright/test"
import type { PagePackage } from "../packages/package-page.ts"

type View = { readonly id: string; readonly status: string; readonly members: readonly unknown[] }
type Message = { readonly from: { readonly id: string }; readonly text: string }
type Conference = {
  readonly view: View
  readonly invitation: { readonly url: string }
  channel(name: "chat"): {
    send(text: string): Promise<unknown>
    on(event: "message", listener: (message: Message) => void): void
  }
  on(event: "status", listener: (view: View) => void): void
  on(event: "security", listener: (event: { readonly code: string }) => void): void
}

type TimedTalk = {
  /** How many members there are. */
  everybody: number
  /** Numbers of messages in the order of arrival, by author. */
  readonly numbers: Record<string, number[]>
  /** From the call of `send` to the message, of others. All hosts of a lab share a clock. */
  readonly latenciesMs: number[]
  /** Views since the talk began in which somebody is missing. One of the same members is a renewal of the key. */
  readonly views: string[]
  readonly faults: string[]
}

const PATH = "/timed-talk"

/** The page with the package at that origin. Its files do not cross the lab. */
export async function openTalk(page: Page, origin: string, { directory }: PagePackage): Promise<void> {
  await page.context().route(`${origin}${PATH}/**`, (route) => {
    const file = new URL(route.request().url()).pathname.slice(PATH.length + 1)
    return route.fulfill({ path: join(directory, file || "index.html") })
  })
  await page.goto(`${origin}${PATH}/`)
  await page.waitForFunction(() => "keymoot" in window)
}

/** Creates a conference at the page's server, or joins the one at `url`. Gives its invitation. */
export function enterTalk(page: Page, name: string, url: string | null): Promise<string> {
  return page.evaluate(
    async ([name, url]) => {
      const { Conference, Identity } = (window as unknown as { keymoot: Keymoot }).keymoot
      const identity = await Identity.open({ name })
      const conference = await (url
        ? Conference.join({ url, identity })
        : Conference.create({ server: location.origin, identity }))
      const talk: TimedTalk = { everybody: 0, numbers: {}, latenciesMs: [], views: [], faults: [] }
      Object.assign(window, { conference, talk })
      conference.channel("chat").on("message", ({ text }) => {
        const [author = "", number, sentMs] = text.split(" ")
        ;(talk.numbers[author] ??= []).push(Number(number))
        if (author !== name) talk.latenciesMs.push(Date.now() - Number(sentMs))
      })
      conference.on("status", ({ status, members }) => {
        if (members.length < talk.everybody) talk.views.push(`${status} ${members.length}`)
      })
      conference.on("security", ({ code }) => talk.faults.push(code))
      return conference.invitation.url
    },
    [name, url] as const,
  )
}

type Keymoot = {
  readonly Identity: { open(options: { name: string }): Promise<unknown> }
  readonly Conference: {
    create(options: { server: string; identity: unknown }): Promise<Conference>
    join(options: { url: string; identity: unknown }): Promise<Conference>
  }
}
type Talking = { readonly conference: Conference; readonly talk: TimedTalk }

/** In one view with all, whose key they hold. */
export async function securedTalk(page: Page, members: number): Promise<void> {
  await page.waitForFunction((members) => {
    const { view } = (window as unknown as Talking).conference
    return view.status === "secured" && view.members.length === members
  }, members)
  await page.evaluate((members) => void ((window as unknown as Talking).talk.everybody = members), members)
}

/** Sends so many messages at that interval, whether or not the last one has arrived. */
export function chat(page: Page, name: string, count: number, everyMs: number): Promise<void> {
  return page.evaluate(
    async ([name, count, everyMs]) => {
      const { conference, talk } = window as unknown as Talking
      for (let number = 0; number < count; number++) {
        const fail = (error: unknown) => talk.faults.push(String(error))
        conference.channel("chat").send(`${name} ${number} ${Date.now()}`).catch(fail)
        await new Promise((done) => setTimeout(done, everyMs))
      }
    },
    [name, count, everyMs] as const,
  )
}

/** Once all messages are here, or something is wrong. */
export async function outcomeOfTalk(page: Page, messages: number): Promise<TimedTalk> {
  await page.waitForFunction((messages) => {
    const { numbers, views, faults } = (window as unknown as Talking).talk
    const count = Object.values(numbers).reduce((sum, { length }) => sum + length, 0)
    return count >= messages || views.length + faults.length > 0
  }, messages)
  return page.evaluate(() => (window as unknown as Talking).talk)
}
