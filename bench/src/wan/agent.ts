/** A member that executes commands and reports times, in a page and in Node alike. */
import type { Conference, ConferenceView, CreateOptions, IdentityHandle } from "@keymoot/core"

export type Entry = Pick<CreateOptions, "server" | "keyAgreement" | "admission"> | { readonly url: string }
/** Milliseconds since 1970, as all moments here: the machine's clock is one for all its hosts. */
export type Reached = { readonly viewMs: number; readonly keyMs: number; readonly securedMs: number }

/** A view by its id, and the ids of its members in its order. */
export type Sighted = { readonly id: string; readonly members: readonly string[]; readonly self: string }

export type Agent = {
  /** For a roster. */
  card(): Promise<string>
  enter(entry: Entry): Promise<{ readonly url: string; readonly calledMs: number }>
  /** When it first came to a view of so many members since then, to its key, and to the proof that everybody has it. */
  reached(members: number, sinceMs: number): Promise<Reached>
  /** The present view. */
  view(): Promise<Sighted>
  /** Resolves when it has a direct link to so many others. A link begins over a relay, and moves within seconds. */
  direct(others: number): Promise<void>
  /** Sends an agreed message. */
  say(bytes: number): Promise<{ readonly id: number; readonly sentMs: number }>
  /** Arrival time of that message, also at its sender. */
  arrived(id: number): Promise<number>
  /** Says goodbye; gives the moment at which it began to. */
  leave(): Promise<number>
}

/** A page gets it as text: it refers to nothing outside of itself. */
export function createAgent(conferences: typeof Conference, identity: IdentityHandle): Agent {
  const sightings: { readonly view: ConferenceView; readonly atMs: number }[] = []
  const arrivals = new Map<number, number>()
  let waiting: (() => void)[] = []
  let conference: Conference | null = null

  const happened = (): void => {
    const looking = waiting
    waiting = []
    for (const look of looking) look()
  }
  const until = async <T>(look: () => T | undefined): Promise<T> => {
    for (;;) {
      const found = look()
      if (found !== undefined) return found
      await new Promise<void>((done) => void waiting.push(done))
    }
  }
  const firstAt = (stages: readonly string[], members: number, sinceMs: number): number | undefined =>
    sightings.find(
      ({ view, atMs }) => atMs >= sinceMs && view.members.length === members && stages.includes(view.status),
    )?.atMs

  return {
    card: async () => (identity as unknown as { readonly card: string }).card,
    async enter(entry) {
      // The page of an invitation shows it before anybody presses "Join".
      if ("url" in entry) await conferences.preview({ ...entry, identity: identity as never })
      const calledMs = Date.now()
      conference = await ("url" in entry
        ? conferences.join({ ...entry, identity: identity as never })
        : conferences.create({ ...entry, identity: identity as never }))
      conference.on("status", (view) => {
        sightings.push({ view, atMs: Date.now() })
        happened()
      })
      conference.channel("bench").on("message", ({ data }) => {
        arrivals.set(new DataView(data.buffer, data.byteOffset).getFloat64(0), Date.now())
        happened()
      })
      return { url: conference.invitation.url, calledMs }
    },
    reached: (members, sinceMs) =>
      until(() => {
        // A stage that was over before anybody looked is no later than the next.
        const securedMs = firstAt(["secured"], members, sinceMs)
        if (securedMs === undefined) return undefined
        const keyMs = firstAt(["keyed", "secured"], members, sinceMs)!
        return { viewMs: firstAt(["agreeing", "keyed", "secured"], members, sinceMs)!, keyMs, securedMs }
      }),
    async view() {
      const { id, members } = conference!.view
      return { id, members: members.map((member) => member.id), self: conference!.self.id }
    },
    async direct(others) {
      const count = (): number => [...conference!.links.values()].filter((path) => path === "direct").length
      while (count() < others) await new Promise<void>((done) => void setTimeout(done, 100))
    },
    async say(bytes) {
      const payload = new Uint8Array(bytes)
      const id = Math.random()
      new DataView(payload.buffer).setFloat64(0, id)
      const sentMs = Date.now()
      await conference!.channel("bench").send(payload, { service: "agreed" })
      return { id, sentMs }
    },
    arrived: (id) => until(() => arrivals.get(id)),
    async leave() {
      const calledMs = Date.now()
      await conference!.leave()
      return calledMs
    },
  }
}
