/** A conference whose members are all in this tab: each with an engine in a worker of its own, and data channels between them. */
import { Conference, KeymootError, type Identity } from "@keymoot/core"
import { openForgetfulIdentity } from "@keymoot/core/testing"
import { Unavailable, type ModuleName } from "../../src/experiment/experiment.ts"

const SECURED_WITHIN_MS = 120_000
/** A tab in which no view has changed for so long, with all links open, has done what a change brings along. */
const REST_MS = 1_000
/** Attempts of a member that finds no server. In a busy tab the server is there, and only the tab is late. */
const ATTEMPTS_MAX = 3
/** How often somebody who waits looks whether that is still wanted. */
const LOOK_MS = 200

export type TabMember = { readonly identity: Identity; readonly conference: Conference }

export class TabRoom {
  readonly #members: TabMember[] = []
  readonly #module: ModuleName
  /** The roster of majority, whose members are not in the conference. A roster names people, so who left comes back. */
  readonly #away: Identity[] = []
  readonly #capacity: number
  /** Throws when somebody has stopped it. */
  readonly #look: () => void
  readonly #waiting = new Set<() => void>()
  #names = 0
  #changedMs = 0

  /** `capacity`: the most members at a time. */
  constructor(module: ModuleName, capacity: number, look: () => void) {
    this.#module = module
    this.#capacity = capacity
    this.#look = look
  }

  get members(): readonly TabMember[] {
    return this.#members
  }

  /**
   * Members join one after another, each after the tab has handled the one before. Otherwise an overloaded tab makes members
   * suspect each other, which costs more. @throws Unavailable without the server
   */
  async fill(count: number): Promise<void> {
    for (let attempts = 1; this.#members.length < count; attempts++) {
      try {
        await this.join()
      } catch (error) {
        if (attempts === ATTEMPTS_MAX || this.#members.length === 0) throw error
        continue
      }
      attempts = 0
      if (!this.#isQuorum()) continue
      await this.secured()
      await this.rested()
    }
  }

  /** Adds one member. */
  async join(): Promise<void> {
    const identity = await this.#identity()
    const url = this.#members[0]?.conference.invitation.url
    try {
      const conference = await (url === undefined
        ? Conference.create({ ...this.#creation(), server: location.origin, identity, localCopy: false })
        : Conference.join({ url, identity, localCopy: false }))
      this.#members.push({ identity, conference })
      const wake = (): void => {
        this.#changedMs = performance.now()
        this.#wake()
      }
      conference.on("status", wake)
      conference.on("view", wake)
    } catch (error) {
      await identity.close()
      if (error instanceof KeymootError && error.code === "server-unreachable")
        throw new Unavailable("It needs the server of this page, which cannot be reached.")
      throw error
    }
  }

  async #identity(): Promise<Identity> {
    const open = () => openForgetfulIdentity(`member ${++this.#names}`, createWorker)
    if (this.#module !== "majority") return open()
    while (this.#members.length === 0 && this.#away.length < this.#capacity) this.#away.push(await open())
    return this.#away.pop()!
  }

  #creation() {
    const keyAgreement = this.#module
    if (keyAgreement !== "majority") return { keyAgreement }
    const members = this.#away.map(({ card }) => card)
    return { keyAgreement, admission: { policy: "roster", members } as const }
  }

  /** Fewer have no key under majority. */
  #isQuorum(): boolean {
    return this.#module !== "majority" || 2 * this.#members.length > this.#capacity
  }

  /** The newest goes; how is its own affair, what is waited for is its word to the others. */
  async leave(): Promise<void> {
    const { identity, conference } = this.#members.pop()!
    await conference.leave()
    if (this.#module === "majority") this.#away.push(identity)
    else await identity.close()
  }

  /** Resolves when all members are in one secured view of them. @throws Error if that takes too long */
  secured(): Promise<void> {
    return this.#until(() => this.#isSecured(), "have not come to one secured view")
  }

  /** Resolves when they have been so for a moment, with all links open. @throws Error if that takes too long */
  rested(): Promise<void> {
    const count = this.#members.length
    const isRested = (): boolean =>
      this.#isSecured() && this.links() === (count * (count - 1)) / 2 && performance.now() - this.#changedMs > REST_MS
    return this.#until(isRested, "do not come to rest")
  }

  async #until(isSo: () => boolean, otherwise: string): Promise<void> {
    const deadlineMs = performance.now() + SECURED_WITHIN_MS
    while (!isSo()) {
      this.#look()
      if (performance.now() > deadlineMs) throw new Error(`${this.#members.length} members in this tab ${otherwise}.`)
      await this.#woken()
    }
  }

  #isSecured(): boolean {
    return this.#members.every(
      ({ conference: { view } }) => view.status === "secured" && view.members.length === this.#members.length,
    )
  }

  /** Data channels that are open. */
  links(): number {
    const ends = this.#members.flatMap(({ conference }) => [...conference.links.values()])
    return ends.filter((path) => path === "direct").length / 2
  }

  async close(): Promise<void> {
    const all = [...this.#members.splice(0).map(({ identity }) => identity), ...this.#away.splice(0)]
    await Promise.all(all.map((identity) => identity.close()))
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, LOOK_MS)
      this.#waiting.add(wake)
    })
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
  }
}

function createWorker(): Worker {
  return new Worker(new URL("./member-worker.ts", import.meta.url), { type: "module", name: "member" })
}
