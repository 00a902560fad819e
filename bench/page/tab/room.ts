/** A conference whose members are all in this tab: each with an engine in a worker of its own, and data channels between them. */
import { Conference, KeymootError, type Identity, type KeyAgreementName } from "@keymoot/core"
import { openForgetfulIdentity } from "@keymoot/core/testing"
import { Unavailable } from "../../src/experiment.ts"

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
  readonly #module: KeyAgreementName
  /** Throws when somebody has stopped it. */
  readonly #look: () => void
  readonly #waiting = new Set<() => void>()
  #names = 0
  #changedMs = 0

  constructor(module: KeyAgreementName, look: () => void) {
    this.#module = module
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
      await this.secured()
      await this.rested()
    }
  }

  /** Adds one member. */
  async join(): Promise<void> {
    const identity = await openForgetfulIdentity(`member ${++this.#names}`, createWorker)
    const url = this.#members[0]?.conference.invitation.url
    try {
      const conference = await (url === undefined
        ? Conference.create({ server: location.origin, identity, keyAgreement: this.#module, localCopy: false })
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

  /** The newest goes; how is its own affair, what is waited for is its word to the others. */
  async leave(): Promise<void> {
    const { identity, conference } = this.#members.pop()!
    await conference.leave()
    await identity.close()
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
    await Promise.all(this.#members.splice(0).map(({ identity }) => identity.close()))
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
