import type { MemberId } from "../../members/ids.ts"
import {
  CONTACT_STALE_MS,
  CONTACTS_MAX,
  LASTED_MS,
  MEMBER_RELAY_AFTER_MS,
  RELAY_AFTER_MS,
  RELAY_CONNECT_TIMEOUT_MS,
  RELAY_INTERVAL_MS,
  RELAY_RETRY_MS,
  RELAY_RETRY_MS_MAX,
  RELAYS_HALF_OPEN_MAX,
  STANDBY_AFTER_MS,
} from "../../bounds/network-bounds.ts"
import type { Contact } from "../base/contact.ts"
import { jittered } from "../shared/jitter.ts"
import type { LinkPath } from "../shared/config.ts"
import type { ConnectionTable } from "../link/connection-table.ts"
import type { RoutingTable } from "./routing-table.ts"
import type { Randomness } from "../shared/randomness.ts"

export type RelayingOutput =
  | { readonly type: "openThroughServer"; readonly contact: Readonly<Contact> }
  | {
      readonly type: "openThroughMembers"
      readonly member: MemberId
      readonly incarnation: number
      readonly route: readonly MemberId[]
    }

export type RelayingConfig = {
  readonly self: MemberId
  readonly random: Randomness
  readonly routes: RoutingTable
  readonly table: ConnectionTable
}

type Way = { retryAtMs: number; failures: number }
/** The server's relay to a member, open (or opening) or not, and since when. */
type ServerWay = Way & { isOpen: boolean; sinceMs: number }
/** A route through members, for a member without a direct link. */
type Missing = Way & { readonly sinceMs: number; relayedSinceMs: number | null }

/**
 * Decides when to relay. The server's relay is opened at once, so a link does not wait for its direct connection, and
 * stays open for a fallback. A route through members follows where the server does not reach a member, or no direct
 * connection is made. The member with the lower id opens, as with offers. A newcomer's first relay is opened by the
 * members that it meets (`RelayRoutes.welcome`).
 */
export class Relaying {
  readonly #config: RelayingConfig
  readonly #missing = new Map<MemberId, Missing>()
  readonly #server = new Map<MemberId, ServerWay>()
  /** Recent requests: the member that brought them, their origin, and when. */
  readonly #offeredAtMs = new Map<MemberId, Map<MemberId, number>>()

  constructor(config: RelayingConfig) {
    this.#config = config
  }

  /**
   * Rate limit for incoming requests. Returns false if this member requests too often, or too many do at once. `by` is
   * the authenticated neighbour that brought the request, or the origin itself. It can use up only its own share.
   */
  mayOpen(origin: MemberId, by: MemberId, nowMs: number): boolean {
    for (const [asker, origins] of this.#offeredAtMs) {
      for (const [member, atMs] of origins) if (nowMs - atMs >= RELAY_INTERVAL_MS) origins.delete(member)
      if (origins.size === 0) this.#offeredAtMs.delete(asker)
    }
    const origins = this.#offeredAtMs.get(by) ?? new Map<MemberId, number>()
    if (origins.has(origin) || origins.size >= CONTACTS_MAX) return false
    this.#offeredAtMs.set(by, origins.set(origin, nowMs))
    return true
  }

  /** See `Mesh.nextTickMs`. */
  get nextTickMs(): number {
    if (this.#missing.size > 0) return -Infinity
    const closed = [...this.#server.values()].filter(({ isOpen }) => !isOpen)
    return Math.min(...closed.map(({ retryAtMs, sinceMs }) => Math.max(retryAtMs, sinceMs + STANDBY_AFTER_MS)))
  }

  /**
   * `contacts`: those that have repeated our nonce. `wants` returns false for members to which no route is sought. At
   * most so many relays through the server are opened that `RELAYS_HALF_OPEN_MAX` are half-open.
   */
  tick(
    contacts: readonly Readonly<Contact>[],
    wants: (member: MemberId) => boolean,
    nowMs: number,
  ): readonly RelayingOutput[] {
    const { self, routes, table } = this.#config
    const outputs: RelayingOutput[] = []
    let mayOpen = RELAYS_HALF_OPEN_MAX - table.relaysHalfOpen
    const reported = routes.known()
    const present = new Map<MemberId, Readonly<Contact>>()
    for (const contact of contacts) {
      if (nowMs - contact.heardAtMs <= CONTACT_STALE_MS) present.set(contact.credential.member, contact)
    }
    for (const tried of [this.#missing, this.#server]) {
      for (const member of tried.keys()) if (!reported.has(member) && !present.has(member)) tried.delete(member)
    }
    for (const member of new Set([...reported, ...present.keys()])) {
      if (member < self || !wants(member)) continue
      const contact = present.get(member)
      if (contact && this.#isServerDue(member, nowMs) && mayOpen-- > 0) {
        this.#tried(this.#server.get(member)!, nowMs)
        outputs.push({ type: "openThroughServer", contact })
      }
      outputs.push(...this.#considerMembers(member, nowMs))
    }
    return outputs
  }

  /** Whether to open the server's relay to a contact: none is open, and none was tried too recently. */
  #isServerDue(member: MemberId, nowMs: number): boolean {
    const { table } = this.#config
    const isOpen = table.relaysTo(member).has("server")
    const way = this.#server.get(member) ?? { retryAtMs: nowMs, failures: 0, isOpen, sinceMs: nowMs }
    this.#server.set(member, way)
    if (way.isOpen !== isOpen) Object.assign(way, { isOpen, sinceMs: nowMs })
    const forMs = nowMs - way.sinceMs
    // A relay that flaps does not reset the back-off.
    if (isOpen && forMs >= RELAY_CONNECT_TIMEOUT_MS + LASTED_MS) way.failures = 0
    if (isOpen || nowMs < way.retryAtMs) return false
    return table.pathOf(member) === null || table.doubted(member) || forMs >= STANDBY_AFTER_MS
  }

  #considerMembers(member: MemberId, nowMs: number): readonly RelayingOutput[] {
    const { table, routes } = this.#config
    const path = table.pathOf(member)
    const missing = this.#note(member, path, nowMs)
    if (!missing || path === "relayed-by-member" || table.relaysTo(member).has("members")) return []
    const waitMs = path === null ? RELAY_AFTER_MS : MEMBER_RELAY_AFTER_MS
    if (nowMs < missing.retryAtMs || nowMs - missing.sinceMs < waitMs) return []
    const direct = table.direct().map((neighbour) => neighbour.member)
    const route = routes.find(member, direct)
    // Only the last hop may name the incarnation. A false one reported by others must not spoil the route.
    const incarnation = route && routes.incarnationOf(member, route.at(-1)!)
    if (!route || incarnation === null) return []
    this.#tried(missing, nowMs)
    return [{ type: "openThroughMembers", member, incarnation, route }]
  }

  /** `null` for a member that needs no relay route. */
  #note(member: MemberId, path: LinkPath | null, nowMs: number): Missing | null {
    if (path === "direct") {
      this.#missing.delete(member)
      return null
    }
    const missing = this.#missing.get(member) ?? { sinceMs: nowMs, relayedSinceMs: null, retryAtMs: nowMs, failures: 0 }
    this.#missing.set(member, missing)
    missing.relayedSinceMs = path === "relayed-by-member" ? (missing.relayedSinceMs ?? nowMs) : null
    // A link that flaps does not reset the back-off. Otherwise a relaying member that breaks it each time would keep
    // both ends retrying for ever.
    if (missing.relayedSinceMs !== null && nowMs - missing.relayedSinceMs >= LASTED_MS) missing.failures = 0
    return missing
  }

  #tried(way: Way, nowMs: number): void {
    const pauseMs = Math.min(RELAY_RETRY_MS_MAX, RELAY_RETRY_MS * 2 ** Math.min(way.failures, 10))
    way.retryAtMs = nowMs + jittered(pauseMs, this.#config.random)
    way.failures += 1
  }
}
