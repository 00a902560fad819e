/** The application of a simulated member: it sends over a production driver, and records what it gets. */
import type { View } from "@keymoot/transport"
import { SERVICES, type MemberLife, type Sends, type World } from "@keymoot/transport/testing"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { utf8 } from "@scure/base"
import type { DriverEvent } from "../../../src/driver/driver-config.ts"
import type { GroupDriver } from "../../../src/driver/group-driver.ts"
import { deliver, type Outbound } from "../../../src/driver/outbox.ts"
import type { BatchService } from "../../../src/multicast/batch.ts"
import type { Threads } from "./threads.ts"

/** Messages that wait for their delivery here. With more, it sends no further ones. */
const WAITING_MAX = 16
const BULK = 0.1
/** At a tick: it lets a sender wait, and for how long at most. */
const PAUSES = 0.01
const PAUSE_MS_MAX = 100
/** First number of the sender's unreliable batches. See `batchNumber`. */
const UNRELIABLE_FIRST = 2 ** 32

export type ApplicationParts = {
  readonly member: MemberLife<unknown>
  readonly names: World["names"]
  readonly driver: GroupDriver
  readonly threads: Threads
  readonly sends: Sends
  readonly incarnation: number
}

export class Application {
  readonly #parts: ApplicationParts
  readonly #waiting = new Set<Outbound>()
  #numbers = 0
  #view = ""
  #secured = false
  #farewells = 0

  constructor(parts: ApplicationParts) {
    this.#parts = parts
  }

  /** Whether it waits for nothing. Too few of a roster may have nothing to wait for. */
  get isIdle(): boolean {
    const isQuiet = this.#secured && this.#farewells === SERVICES.length && this.#waiting.size === 0
    return isQuiet || !this.#parts.driver.expectsKey
  }

  /** Whether messages from here on are sent under the key of this view. */
  get isOpen(): boolean {
    return this.#secured && this.#parts.member.group.maySend
  }

  // Sending

  onTick(): void {
    const { member, sends } = this.#parts
    const { random } = member
    if (member.now() > sends.untilMs) {
      const service = this.#secured ? SERVICES[this.#farewells] : undefined
      if (service === undefined) return
      this.#farewells++
      return this.#say(service)
    }
    if (random.chance(PAUSES)) this.#pause()
    if (this.#waiting.size >= WAITING_MAX || !random.chance(sends.chance(member.now()))) return
    for (let i = random.integer(3); i > 0; i--) this.#say(random.pick(SERVICES))
  }

  #pause(): void {
    const { member, driver } = this.#parts
    const { id } = member.random.pick(driver.view.members)
    driver.pause(id, true)
    member.after(member.random.next() * PAUSE_MS_MAX, () => driver.pause(id, false))
  }

  #say(service: (typeof SERVICES)[number]): void {
    const { member, driver, incarnation } = this.#parts
    const payload = utf8ToBytes(`${member.name}${incarnation}.${++this.#numbers}`)
    const outbound: Outbound = {
      message: { channel: "simulated", kind: 0, payload, sentAtMs: 0 },
      service: service as BatchService,
      bulk: member.random.chance(BULK),
      request: null,
      outcome: { take: () => this.#end(outbound) },
    }
    this.#waiting.add(outbound)
    driver.send(outbound)
  }

  #end(outbound: Outbound): void {
    if (!this.#waiting.delete(outbound)) throw new Error("a message ends twice")
  }

  // Events

  /** @throws Error on an event that an application must not get */
  handle(event: DriverEvent): void | Promise<void> {
    const { driver, threads } = this.#parts
    switch (event.type) {
      case "agreeing":
        this.#view = event.view.id
        this.#secured = false
        this.#farewells = 0
        return
      case "keyed":
        return this.#assertIn(event.view)
      case "secured":
        this.#assertIn(event.view)
        this.#secured = true
        return
      case "batch":
        this.#open(event)
        return threads.done(undefined)
      case "refreshDue":
        return driver.replaceView()
      case "unadmitted":
        return
      case "differing":
        throw new Error("members know different statements, of which there are none")
      case "security":
        // Decided by a timeout, and like a suspicion sometimes wrong.
        if (event.event.code === "obstruction") return
        throw new Error(`${this.#parts.member.name} is told of ${event.event.code}: ${event.event.detail}`)
    }
  }

  #open({ view, sender, service, sequence, messages, own }: Extract<DriverEvent, { type: "batch" }>): void {
    const { member, names } = this.#parts
    this.#assertIn(view)
    for (const [i, outbound] of own.entries()) {
      if (outbound.message.payload !== messages[i]?.payload && texts([outbound.message]) !== texts([messages[i]!]))
        throw new Error(`${member.name} gets another message than it sent`)
      deliver(outbound, null)
    }
    if (sender === member.id && own.length !== messages.length) throw new Error("an own batch without its source")
    const m = names.ofMessage({
      origin: sender,
      view: view.id,
      service,
      sequence: service === "unreliable" ? sequence - UNRELIABLE_FIRST : sequence,
    })
    member.trace({ t: member.now(), e: "opened", p: member.name, m, v: view.id, s: service, text: texts(messages) })
  }

  #assertIn(view: View): void {
    if (view.id === this.#view) return
    throw new Error(
      `${this.#parts.member.name} gets an event of view ${view.id.slice(0, 8)} in ${this.#view.slice(0, 8)}`,
    )
  }
}

function texts(messages: readonly { readonly payload: Uint8Array }[]): string {
  return messages.map(({ payload }) => utf8.encode(payload)).join()
}
