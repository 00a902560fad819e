import type { Rate } from "./token-bucket.ts"

/** What one server carries. Sizes of single payloads are the protocol's, see `signaling-protocol/limits.ts`. */
export interface Limits {
  /** Open connections, all together. At the bound a new one is refused with HTTP 403 and the client tries again later. */
  readonly connectionsMax: number
  /** Rooms of one connection; beyond: `too-many-rooms`. */
  readonly roomsPerConnectionMax: number
  /** Addresses in one room; beyond: `room-full`. */
  readonly membersPerRoomMax: number
  /** Requests of one connection that wait for their turn; beyond: `rate-limited`. */
  readonly requestsWaitingMax: number
  /** Packets that wait for one slow reader; beyond, it is disconnected. It comes back and misses what it missed. */
  readonly packetsUnreadMax: number
  /** All requests of one connection; beyond: `rate-limited`. */
  readonly requests: Rate
  /** Of these, the ones that fan out to a whole room. */
  readonly advertisements: Rate
  /** Of these, the ones that are stored. */
  readonly creations: Rate
  /** Stored descriptors; beyond: `storage-full` until some expire. */
  readonly conferencesMax: number
  /** How often what has expired is deleted. Between two purges an expired conference is already unknown. */
  readonly purgeIntervalMs: number
}

/**
 * A newcomer signals each of its new neighbours an offer and some ten candidates at once, and its neighbours do the same
 * when it is a part of the network that came back: hence the burst.
 */
export const LIMITS: Limits = {
  connectionsMax: 10_000,
  roomsPerConnectionMax: 16,
  membersPerRoomMax: 512,
  requestsWaitingMax: 1_000,
  packetsUnreadMax: 2_048,
  requests: { burst: 1_000, perSecond: 200 },
  advertisements: { burst: 40, perSecond: 8 },
  creations: { burst: 20, perSecond: 0.5 },
  conferencesMax: 100_000,
  purgeIntervalMs: 60_000,
}
