import type { RequestName } from "@keymoot/transport/signaling-protocol"
import type { Rate } from "./token-bucket.ts"

/** What one server carries. Sizes of single payloads are the protocol's, see `signaling-protocol/limits.ts`. */
export interface Limits {
  /** Open connections, all together. At the bound a new one is refused with HTTP 403 and the client tries again later. */
  readonly connectionsMax: number
  /** Open connections of one network address; beyond: HTTP 403. */
  readonly connectionsPerAddressMax: number
  /** New connections of one network address; beyond: HTTP 403. */
  readonly connects: Rate
  /** Network addresses that are remembered; beyond, whoever comes from a further one is refused with HTTP 403. */
  readonly addressesMax: number
  /** What one network address may do in all its connections, in multiples of what one connection may. */
  readonly connectionsWorthPerAddress: number
  /** The same for requests that store something, which costs the disk and stays. */
  readonly storersWorthPerAddress: number
  /** Rooms of one connection; beyond: `too-many-rooms`. */
  readonly roomsPerConnectionMax: number
  /** Addresses in one room; beyond: `room-full`. */
  readonly membersPerRoomMax: number
  /** Requests of one connection that wait for their turn; beyond: `rate-limited`. */
  readonly requestsWaitingMax: number
  /** What waits for one slow reader; beyond either, it is told `too-slow` if it still reads, and disconnected. */
  readonly packetsUnreadMax: number
  readonly bytesUnreadMax: number
  /** Relayed bytes of one connection; beyond, frames wait. */
  readonly relayRate: Rate
  /** Relayed bytes of one connection in the long run; beyond: `relay-quota`. */
  readonly relayPerConnection: Rate
  /** Relayed bytes of all connections from one network address to one process; beyond: `relay-quota`. */
  readonly relayPerAddress: Rate
  /**
   * All requests of one connection but those to relay, since a busy relay must not keep its connection from signalling the
   * way out of it; beyond: `rate-limited`.
   */
  readonly requests: Rate
  /** Of one connection and kind; beyond: `rate-limited`. */
  readonly requestsOf: Readonly<Record<RequestName, Rate>>
  /** Received by one connection, everything counted; while it is in debt: `rate-limited`. */
  readonly bytes: Rate
  /** Frames of one connection, whatever is in them; beyond: `flooding`, and disconnected. */
  readonly frames: Rate
  /** Requests of one connection that were refused by rate or malformed; beyond: `flooding`, and disconnected. */
  readonly nuisances: Rate
  /** New connections that a network address forfeits for each of its own that was closed for flooding. */
  readonly connectsPerFlood: number
  /** Stored descriptors; beyond: `storage-full` until some expire. */
  readonly conferencesMax: number
  /** Stored certificates; beyond: `storage-full` until some expire. */
  readonly participantsMax: number
  /** How often what has expired is deleted. Between two purges it is already unknown. */
  readonly purgeIntervalMs: number
  /** A connection that has not answered a ping for this long is gone, and its addresses are free. */
  readonly pingIntervalMs: number
  readonly pingTimeoutMs: number
  /** A connection that has not said in this time what it wants is closed. */
  readonly handshakeTimeoutMs: number
}

const MIB = 1024 * 1024
const plenty: Rate = { burst: 1_000, perSecond: 200 }
const some: Rate = { burst: 100, perSecond: 10 }
const few: Rate = { burst: 20, perSecond: 0.5 }

/**
 * A newcomer signals each of its new neighbours an offer and some ten candidates at once, and its neighbours do the same
 * when it is a part of the network that came back: hence the burst. What is stored, or costs a signature, is scarce.
 */
export const LIMITS: Limits = {
  connectionsMax: 10_000,
  connectionsPerAddressMax: 512,
  connects: { burst: 512, perSecond: 20 },
  addressesMax: 50_000,
  connectionsWorthPerAddress: 32,
  storersWorthPerAddress: 4,
  roomsPerConnectionMax: 16,
  membersPerRoomMax: 512,
  requestsWaitingMax: 1_000,
  packetsUnreadMax: 2_048,
  relayRate: { burst: MIB, perSecond: MIB / 2 },
  // Chat and board need a hundredth of it for hours; a file of half a gigabyte is what it is not for.
  relayPerConnection: { burst: 256 * MIB, perSecond: MIB / 16 },
  relayPerAddress: { burst: 1024 * MIB, perSecond: MIB / 4 },
  bytesUnreadMax: 4 * MIB,
  requests: plenty,
  requestsOf: {
    "participant:challenge": few,
    "participant:add": few,
    "participant:prove": few,
    "participant:get": some,
    "participant:list": some,
    "conference:create": few,
    "conference:get": some,
    "conference:list": some,
    "room:enter": some,
    "room:leave": some,
    "room:advertise": { burst: 40, perSecond: 8 },
    signal: plenty,
    relay: { burst: 2_000, perSecond: 1_000 },
    "turn:credentials": { burst: 16, perSecond: 0.1 },
  },
  bytes: { burst: 16 * MIB, perSecond: MIB },
  // A request is a frame or two: with an attachment.
  frames: { burst: 8_000, perSecond: 3_000 },
  nuisances: { burst: 100, perSecond: 5 },
  connectsPerFlood: 64,
  conferencesMax: 100_000,
  participantsMax: 100_000,
  purgeIntervalMs: 60_000,
  pingIntervalMs: 10_000,
  pingTimeoutMs: 10_000,
  handshakeTimeoutMs: 10_000,
}
