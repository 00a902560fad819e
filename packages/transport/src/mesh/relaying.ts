import type { MemberId } from "../ids.ts"
import {
  CONTACT_STALE_MS,
  CONTACTS_MAX,
  LASTED_MS,
  RELAY_AFTER_MS,
  RELAY_INTERVAL_MS,
  RELAY_RETRY_MS,
  RELAY_RETRY_MS_MAX,
  SERVER_RELAY_AFTER_MS,
} from "./bounds.ts"
import type { Contact } from "./discovery.ts"
import { jittered } from "./jitter.ts"
import type { LinkPath } from "./peering.ts"
import type { Routes } from "./routes.ts"

export type RelayingConfig = {
  readonly self: MemberId
  readonly random: (length: number) => Uint8Array
  readonly routes: Routes
  /** With others no detour is looked for. */
  wants(member: MemberId): boolean
  /** Fresh ones. */
  contacts(): Iterable<Readonly<Contact>>
  directNeighbours(): readonly MemberId[]
  /** How the member is linked now, and which relayed links are in the making. */
  stateOf(member: MemberId): { readonly path: LinkPath | null; isHalfOpen(way: "members" | "server"): boolean }
  openThroughMembers(member: MemberId, incarnation: number, route: readonly MemberId[]): void
  openThroughServer(contact: Readonly<Contact>): void
}

type Way = { retryAtMs: number; failures: number }
/** A member without a direct link: since when, since when without any, and what was tried. */
type Missing = { pathlessSinceMs: number | null; relayedSinceMs: number | null; members: Way; server: Way }

/**
 * When to take the longer way to a member: a third member soon, so that one link is enough to join; the server's relay
 * only when no member can help. The lower id opens, as with offers. Direct attempts go on meanwhile.
 */
export class Relaying {
  readonly #config: RelayingConfig
  readonly #missing = new Map<MemberId, Missing>()
  readonly #offeredAtMs = new Map<MemberId, number>()

  constructor(config: RelayingConfig) {
    this.#config = config
  }

  /** False for a member that asks for relayed links without pause, and when too many do at once. */
  mayOpen(origin: MemberId, nowMs: number): boolean {
    for (const [member, atMs] of this.#offeredAtMs)
      if (nowMs - atMs >= RELAY_INTERVAL_MS) this.#offeredAtMs.delete(member)
    if (this.#offeredAtMs.has(origin) || this.#offeredAtMs.size >= CONTACTS_MAX) return false
    this.#offeredAtMs.set(origin, nowMs)
    return true
  }

  tick(nowMs: number): void {
    const { self, routes, contacts } = this.#config
    const told = routes.known()
    const present = new Map<MemberId, Readonly<Contact>>()
    for (const contact of contacts()) {
      if (nowMs - contact.heardAtMs <= CONTACT_STALE_MS) present.set(contact.credential.member, contact)
    }
    for (const member of this.#missing.keys())
      if (!told.has(member) && !present.has(member)) this.#missing.delete(member)
    for (const member of new Set([...told.keys(), ...present.keys()])) {
      if (member > self && this.#config.wants(member))
        this.#consider(member, told.get(member), present.get(member), nowMs)
    }
  }

  #consider(
    member: MemberId,
    incarnation: number | undefined,
    contact: Readonly<Contact> | undefined,
    nowMs: number,
  ): void {
    const state = this.#config.stateOf(member)
    const missing = this.#note(member, state.path, nowMs)
    if (!missing || state.path === "relayed-by-member") return
    const { members, server, pathlessSinceMs } = missing
    const route = incarnation === undefined ? null : this.#route(member)
    if (route && nowMs >= members.retryAtMs && !state.isHalfOpen("members")) {
      this.#tried(members, nowMs)
      this.#config.openThroughMembers(member, incarnation!, route)
    }
    // Not instead of members, but beside them when they do not bring about a link: one of them may be hostile.
    const inNeed = pathlessSinceMs !== null && nowMs - pathlessSinceMs >= SERVER_RELAY_AFTER_MS
    if (state.path === null && contact && inNeed && nowMs >= server.retryAtMs && !state.isHalfOpen("server")) {
      this.#tried(server, nowMs)
      this.#config.openThroughServer(contact)
    }
  }

  /** `null` for a member that needs no detour. */
  #note(member: MemberId, path: LinkPath | null, nowMs: number): Missing | null {
    if (path === "direct") {
      this.#missing.delete(member)
      return null
    }
    const missing = this.#missing.get(member) ?? {
      pathlessSinceMs: null,
      relayedSinceMs: null,
      members: { retryAtMs: nowMs + RELAY_AFTER_MS, failures: 0 },
      server: { retryAtMs: nowMs, failures: 0 },
    }
    this.#missing.set(member, missing)
    missing.relayedSinceMs = path === null ? null : (missing.relayedSinceMs ?? nowMs)
    // A link that comes and goes is none: whoever spoils it as soon as it is up would have the pair try again for ever.
    const lasts = missing.relayedSinceMs !== null && nowMs - missing.relayedSinceMs >= LASTED_MS
    missing.pathlessSinceMs = lasts ? null : (missing.pathlessSinceMs ?? (path === null ? nowMs : null))
    if (lasts && path === "relayed-by-member") missing.members.failures = 0
    return missing
  }

  #tried(way: Way, nowMs: number): void {
    const pauseMs = Math.min(RELAY_RETRY_MS_MAX, RELAY_RETRY_MS * 2 ** Math.min(way.failures, 10))
    way.retryAtMs = nowMs + jittered(pauseMs, this.#config.random)
    way.failures += 1
  }

  #route(member: MemberId): readonly MemberId[] | null {
    return this.#config.routes.find(member, this.#config.directNeighbours())
  }
}
