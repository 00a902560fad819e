/** A member that floods a conference through the public interface, from a page that is nothing but the package. */
import { SAMPLE_STROKE } from "@keymoot/tools/sample-element"
import type { Page } from "@playwright/test"

/** Number of each a second. `changes`: of the board. */
export type Rates = { readonly changes: number; readonly pointers: number; readonly messages: number }

/** A person who draws with every picture of the display, points all the time and writes faster than others read. */
export const BUSY_PERSON: Rates = { changes: 60, pointers: 30, messages: 5 }

type Flooding = { stop(): void; readonly done: { changes: number; pointers: number; messages: number } }
type Document = {
  readonly doc: {
    getMap(name: string): { set(key: string, value: unknown): void }
  }
  readonly awareness: { setLocalState(state: object): void }
}
type Conference = {
  readonly view: { readonly status: string; readonly members: readonly unknown[] }
  document(name: string): Document
  channel(name: string, options: { history: boolean }): { send(text: string): Promise<unknown> }
}
type Keymoot = {
  readonly Identity: { open(options: { name: string }): Promise<unknown> }
  readonly Conference: {
    create(options: { server: string; identity: unknown }): Promise<Conference>
    join(options: { url: string; identity: unknown }): Promise<Conference>
  }
}
type FloodWindow = { keymoot: Keymoot; here: Conference; alone: Conference; flooding: Flooding }

/** Joins the conference, and makes one of its own, to flood that for comparison. */
export function joinToFlood(page: Page, name: string, server: string, url: string): Promise<void> {
  return page.evaluate(
    async ([name, server, url]) => {
      const self = globalThis as unknown as FloodWindow
      const identity = await self.keymoot.Identity.open({ name })
      self.here = await self.keymoot.Conference.join({ url, identity })
      self.alone = await self.keymoot.Conference.create({ server, identity })
    },
    [name, server, url] as const,
  )
}

/** In the conference, or in the one of its own. */
export function flood(page: Page, where: "here" | "alone", rates: Rates): Promise<void> {
  return page.evaluate(
    ([where, rates, stroke]) => {
      const self = globalThis as unknown as FloodWindow
      const conference = self[where]
      const { doc, awareness } = conference.document("board")
      const elements = doc.getMap("elements")
      const chat = conference.channel("chat", { history: true })
      const done = { changes: 0, pointers: 0, messages: 0 }
      const beganMs = performance.now()
      const SHAPES = 100
      const element = (count: number): object => ({
        ...stroke,
        id: `flood${count % SHAPES}`,
        x: 300 + (count % SHAPES) * 4,
        y: 500,
        width: 60,
        height: 16,
        version: 1 + Math.floor(count / SHAPES),
        versionNonce: count,
        updated: Date.now(),
        points: Array.from({ length: 120 }, (_, i) => [i / 2, 8 * Math.sin(i / 6 + count)]),
      })
      const act = {
        changes: (count: number) => elements.set(`flood${count % SHAPES}`, element(count)),
        pointers: (count: number) =>
          awareness.setLocalState({
            pointer: { x: 300 + (count % 300), y: 550, tool: "pointer" },
            button: "up",
            selectedElementIds: {},
          }),
        messages: (count: number) => void chat.send(`${count} `.padEnd(1000, "flood ")).catch(() => undefined),
      }
      // Each act in a turn of its own would be the browser's timers' rate: as many as are due, one transaction each.
      const timer = setInterval(() => {
        const seconds = (performance.now() - beganMs) / 1000
        for (const kind of ["changes", "pointers", "messages"] as const)
          while (done[kind] < seconds * rates[kind]) act[kind](done[kind]++)
      }, 4)
      self.flooding = { stop: () => clearInterval(timer), done }
    },
    [where, rates, SAMPLE_STROKE] as const,
  )
}

/** Gives what was done. */
export function endFlood(page: Page): Promise<Rates> {
  return page.evaluate(() => {
    const { flooding } = globalThis as unknown as FloodWindow
    flooding.stop()
    return flooding.done
  })
}
