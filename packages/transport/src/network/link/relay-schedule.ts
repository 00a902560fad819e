import type { MemberId } from "../../members/ids.ts"
import {
  CONTACT_STALE_MS,
  CONTACTS_MAX,
  LASTED_MS,
  RELAY_CONNECT_TIMEOUT_MS,
  RELAY_FIRST_MS,
  RELAY_INTERVAL_MS,
  RELAY_RETRY_MS,
  RELAY_RETRY_MS_MAX,
  RELAYS_HALF_OPEN_MAX,
  STANDBY_AFTER_MS,
} from "../../bounds/network-bounds.ts"
import type { Contact } from "../base/contact.ts"
import { jittered, type Randomness } from "../shared/randomness.ts"
import type { ConnectionTable } from "./connection-table.ts"

/** The server's relay to a member, open (or opening) or not, and since when. */
type Way = { retryAtMs: number; failures: number; isOpen: boolean; sinceMs: number }

/**
 * Decides when to open the server's relay. It is opened at once, so a link does not wait for its direct connection, and
 * stays open for a fallback. The member with the lower id opens, as with offers. A newcomer's first relay is opened by
 * the members that it meets (`ServerRelays.welcome`), and by itself only if they do not.
 */
export class RelaySchedule {
  readonly #self: MemberId
  readonly #random: Randomness
  readonly #table: ConnectionTable
  readonly #ways = new Map<MemberId, Way>()
  /** Times of recent requests by their senders. */
  readonly #askedAtMs = new Map<MemberId, number>()

  constructor(self: MemberId, random: Randomness, table: ConnectionTable) {
    this.#self = self
    this.#random = random
    this.#table = table
  }

  /** Rate limit for requests of others. Returns false if this member asks too often, or too many do at once. */
  mayAsk(member: MemberId, nowMs: number): boolean {
    for (const [asker, atMs] of this.#askedAtMs) if (nowMs - atMs >= RELAY_INTERVAL_MS) this.#askedAtMs.delete(asker)
    if (this.#askedAtMs.has(member) || this.#askedAtMs.size >= CONTACTS_MAX) return false
    this.#askedAtMs.set(member, nowMs)
    return true
  }

  /** See `Mesh.nextTickMs`. */
  get nextTickMs(): number {
    const closed = [...this.#ways].filter(([, { isOpen }]) => !isOpen)
    return Math.min(
      ...closed.map(([member, { retryAtMs, sinceMs }]) =>
        !this.#table.link(member)?.path ? retryAtMs : Math.max(retryAtMs, sinceMs + STANDBY_AFTER_MS),
      ),
    )
  }

  /**
   * Returns the contacts to which a relay is due. `contacts`: wanted ones that have repeated our nonce. At most so many
   * are returned that `RELAYS_HALF_OPEN_MAX` relays are half-open.
   */
  due(contacts: readonly Readonly<Contact>[], nowMs: number): readonly Readonly<Contact>[] {
    const present = contacts.filter(({ heardAtMs }) => nowMs - heardAtMs <= CONTACT_STALE_MS)
    const members = new Set(present.map(({ credential }) => credential.member))
    for (const member of this.#ways.keys()) if (!members.has(member)) this.#ways.delete(member)
    let mayOpen = RELAYS_HALF_OPEN_MAX - this.#table.relaysHalfOpen
    return present.filter(({ credential: { member } }) => {
      if (member < this.#self || !this.#isDue(member, nowMs) || mayOpen-- <= 0) return false
      this.#tried(this.#ways.get(member)!, nowMs)
      return true
    })
  }

  /** Whether none is open, and none was tried too recently. */
  #isDue(member: MemberId, nowMs: number): boolean {
    const isOpen = this.#table.get(member, "server") !== undefined
    const way = this.#ways.get(member) ?? { retryAtMs: nowMs + RELAY_FIRST_MS, failures: 0, isOpen, sinceMs: nowMs }
    this.#ways.set(member, way)
    if (way.isOpen !== isOpen) Object.assign(way, { isOpen, sinceMs: nowMs })
    const forMs = nowMs - way.sinceMs
    // A relay that flaps does not reset the back-off.
    if (isOpen && forMs >= RELAY_CONNECT_TIMEOUT_MS + LASTED_MS) way.failures = 0
    if (isOpen || nowMs < way.retryAtMs) return false
    const link = this.#table.link(member)
    return !link?.path || link.doubted || forMs >= STANDBY_AFTER_MS
  }

  #tried(way: Way, nowMs: number): void {
    const pauseMs = Math.min(RELAY_RETRY_MS_MAX, RELAY_RETRY_MS * 2 ** Math.min(way.failures, 10))
    way.retryAtMs = nowMs + jittered(pauseMs, this.#random)
    way.failures += 1
  }
}
