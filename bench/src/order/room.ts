/** Whole drivers and meshes in one process, over in-memory links: real keys, real time, no browser, no network. */
import { LinkedMember } from "@keymoot/core/testing"
import { defaultTimes } from "@keymoot/transport"
import { LoopbackNetwork } from "@keymoot/transport/testing"
import { soon } from "./soon.ts"

const TICK_MS = 50
const SECURED_WITHIN_MS = 30_000
const ALONE_AFTER_MS = 500

export type Delivered = (member: LinkedMember, payloads: readonly Uint8Array[]) => void

export class InMemoryRoom {
  readonly members: LinkedMember[] = []
  onDelivered: Delivered = () => {}
  readonly #network = new LoopbackNetwork({ schedule: soon })
  readonly #timer: ReturnType<typeof setInterval>
  #started = 0
  #waiting: (() => void)[] = []

  constructor() {
    this.#timer = setInterval(() => {
      for (const member of this.members) member.tick(performance.now())
    }, TICK_MS)
  }

  /** Members that join one after another, until all are in one secured view. */
  static async of(count: number): Promise<InMemoryRoom> {
    const room = new InMemoryRoom()
    for (let i = 0; i < count; i++) await room.join()
    await room.secured(count)
    return room
  }

  async join(): Promise<LinkedMember> {
    const name = `member ${this.#started++}`
    const member: LinkedMember = await LinkedMember.start({
      name,
      host: this.#network.createHost(name),
      times: { ...defaultTimes, aloneAfterMs: ALONE_AFTER_MS },
      nowMs: performance.now(),
      onEvent: (event) => {
        if (event.type === "security") throw new Error(`${event.event.code}: ${event.event.detail}`)
        if (event.type === "batch")
          this.onDelivered(
            member,
            event.messages.map(({ payload }) => payload),
          )
        if (event.type === "secured") for (const look of this.#waiting.splice(0)) look()
      },
    })
    this.members.push(member)
    return member
  }

  /** It is not waited for any more, nor does it hear of anything; how it goes is its own affair. */
  forget(member: LinkedMember): void {
    this.members.splice(this.members.indexOf(member), 1)
  }

  /** Resolves when every member is in a secured view of that many. @throws Error if that takes too long */
  async secured(count: number): Promise<void> {
    const deadlineMs = performance.now() + SECURED_WITHIN_MS
    while (!this.members.every(({ secured }) => secured?.members.length === count)) {
      if (performance.now() > deadlineMs) throw new Error(`${count} members have not come to a secured view`)
      await new Promise<void>((done) => {
        const timer = setTimeout(done, 1000)
        this.#waiting.push(() => (clearTimeout(timer), queueMicrotask(done)))
      })
    }
  }

  close(): void {
    clearInterval(this.#timer)
    for (const member of this.members) member.crash()
  }
}
