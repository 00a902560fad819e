import { CONFERENCE_LIFETIME_MS_MAX, type RequestName } from "@keymoot/transport/signaling-protocol"
import type { Rate } from "./token-bucket.ts"

/** The capacity of one server. The protocol bounds the sizes of single payloads, see `signaling-protocol/limits.ts`. */
export interface Limits {
  /** Open connections in total. Beyond, a new one gets HTTP 403, and the client tries again later. */
  readonly connectionsMax: number
  /** Open connections of one network address; beyond: HTTP 403. */
  readonly connectionsPerAddressMax: number
  /** New connections of one network address; beyond: HTTP 403. */
  readonly connects: Rate
  /** TCP connections of one network address. Beyond, they are reset, or get HTTP 429 behind a proxy. */
  readonly socketsPerAddressMax: number
  /** HTTP requests of one network address, long polling included; beyond: HTTP 429. */
  readonly httpRequests: Rate
  /** Bytes of HTTP answers to one network address; while it is in debt: HTTP 429. */
  readonly httpBytes: Rate
  /** Unread bytes of HTTP answers to one network address; beyond: HTTP 429. */
  readonly httpUnreadPerAddressMax: number
  /** An HTTP connection that reads nothing for this long is reset. Longer than a poll waits for a ping. */
  readonly httpStalledMs: number
  /** An HTTP answer that has not been read completely in this time is abandoned, and its connection is reset. */
  readonly httpAnswerMsMax: number
  /** Network addresses in memory. Beyond, a connection from a new address gets HTTP 403. */
  readonly addressesMax: number
  /** The limits of one network address, in multiples of the limits of one connection. */
  readonly connectionsWorthPerAddress: number
  /** The same for requests that store something: they cost disk space permanently. */
  readonly storersWorthPerAddress: number
  /** Bytes that one network address stores, see `storage-quota.ts`; beyond: `rate-limited`. */
  readonly storedPerAddress: Rate
  /** Rooms of one connection; beyond: `too-many-rooms`. */
  readonly roomsPerConnectionMax: number
  /** Places in one room for clients that prove that they hold the invitation; beyond: `room-full`. */
  readonly provenPerRoomMax: number
  /** The same from one network address. Every holder of the link can prove, a removed member included. */
  readonly provenPerRoomAndAddressMax: number
  /** Places in one room for clients that know the conference id only, beside those above; beyond: `room-full`. */
  readonly unprovenPerRoomMax: number
  readonly unprovenPerRoomAndAddressMax: number
  /** Signals and advertisements of all unproven clients of one process in one room; beyond: `rate-limited`. */
  readonly unprovenTraffic: Rate
  /**
   * Bytes of advertisements and signals from one network address, counted once for each receiver in any process;
   * beyond: `rate-limited`.
   */
  readonly fanOut: Rate
  /** How long the place of a proven client with a broken connection stays reserved for its network address. */
  readonly placeKeptMs: number
  /** Queued requests of one connection; beyond: `rate-limited`. */
  readonly requestsWaitingMax: number
  /**
   * Unread packets and bytes of one slow reader. Beyond either, it gets `too-slow` if it still reads, and is
   * disconnected.
   */
  readonly packetsUnreadMax: number
  readonly bytesUnreadMax: number
  /** Unread bytes of all connections of one network address; beyond, the connection that adds to them is disconnected. */
  readonly bytesUnreadPerAddressMax: number
  /** Relayed bytes of one connection; beyond, frames wait. */
  readonly relayRate: Rate
  /** Relayed bytes of one connection over a long time; beyond: `relay-quota`. */
  readonly relayPerConnection: Rate
  /** Relayed bytes of all connections from one network address to one process; beyond: `relay-quota`. */
  readonly relayPerAddress: Rate
  /**
   * Unanswered frames of all connections from one network address to one process, in bytes; beyond: `relay-window`. Half
   * of it is only for connections with few bytes under way, see `relay.ts`.
   */
  readonly relayUnderWayPerAddress: number
  /**
   * All requests of one connection except relayed frames; beyond: `rate-limited`. A busy relay must not keep its
   * connection from the signalling that would replace it by a direct path.
   */
  readonly requests: Rate
  /** Requests of one connection, by kind; beyond: `rate-limited`. */
  readonly requestsOf: Readonly<Record<RequestName, Rate>>
  /**
   * Bytes received from one connection in total; while it is in debt: `rate-limited`. When the debt reaches the burst, the
   * connection gets `flooding` and is disconnected.
   */
  readonly bytes: Rate
  /** WebSocket frames of one connection, valid or not. Beyond, it gets `flooding` and is disconnected. */
  readonly frames: Rate
  /** Frames of all connections of one network address. Beyond, the connection that sends one is treated the same way. */
  readonly framesPerAddress: Rate
  /**
   * Requests of one connection that were refused by rate or were malformed. Beyond, it gets `flooding` and is
   * disconnected.
   */
  readonly nuisances: Rate
  /** New connections that a network address forfeits for each of its own that was closed for flooding. */
  readonly connectsPerFlood: number
  /** Stored descriptors; beyond: `storage-full` until some expire. */
  readonly conferencesMax: number
  /** Stored certificates; beyond: `storage-full` until some expire. */
  readonly participantsMax: number
  /** How long a certificate is published at most. Its holder may publish it again. */
  readonly publishedMsMax: number
  /** Interval at which expired rows are deleted. Queries ignore them earlier. */
  readonly purgeIntervalMs: number
  /**
   * How long after its expiry a row is kept, invisible to clients, while the table has room. A clock that jumps forward
   * by less deletes nothing.
   */
  readonly purgeGraceMs: number
  /** A connection that leaves a ping unanswered for this long is closed, and its addresses become free. */
  readonly pingIntervalMs: number
  readonly pingTimeoutMs: number
  /** Timeout of Redis. After it, every request that needs Redis fails with `storage-failed`. */
  readonly redisAnswerMs: number
  /** STUN requests from one network, an IPv4 /24 or an IPv6 /64; beyond: no answer. */
  readonly stunPerNetwork: Rate
  /** STUN requests in total; beyond: no answer. */
  readonly stunTotal: Rate
  /** Networks whose STUN requests are counted. Beyond, up to a half is forgotten. */
  readonly stunNetworksMax: number
  /** Interval at which a process tries again to get the port of STUN that another program has. */
  readonly stunRetryMs: number
  /** A connection that does not complete its handshake in this time is closed. */
  readonly handshakeTimeoutMs: number
}

const MIB = 1024 * 1024

// Exported because docs/budgets.md states them. An office of 128 people that opens the app at once requests some forty
// files and two megabytes each. `httpUnreadPerAddressMax` is an eighth of the memory that deploy/systemd gives a
// process.
export const SOCKETS_PER_ADDRESS_MAX = 1_024
/**
 * Charged to the quotas for each relayed frame besides its bytes. It is less than `RELAY_FRAME_COST_BYTES`, which counts
 * the memory of a frame under way.
 */
export const RELAY_FRAME_CHARGE_BYTES = 256
export const HTTP_REQUESTS_BURST = 8_000
export const HTTP_REQUESTS_PER_SECOND = 400
export const HTTP_BYTES_BURST = 1_024 * MIB
export const HTTP_BYTES_PER_SECOND = MIB
export const HTTP_UNREAD_BYTES_MAX = 128 * MIB
// 128 people behind one address who enter a full room advertise three times in five seconds: 192 MiB, at 1 KiB each.
export const FAN_OUT_BYTES_BURST = 256 * MIB
export const FAN_OUT_BYTES_PER_SECOND = 4 * MIB
// A forged source gets at most 2.2 times the bytes (`stun/binding.ts`): 18 KB a second for one network, with headers.
export const STUN_BURST = 4_000
export const STUN_PER_SECOND = 200
export const STUN_TOTAL_BURST = 10_000
export const STUN_TOTAL_PER_SECOND = 5_000
export const STUN_NETWORKS_MAX = 20_000

const plenty: Rate = { burst: 1_000, perSecond: 200 }
const some: Rate = { burst: 100, perSecond: 10 }
const few: Rate = { burst: 20, perSecond: 0.5 }

/**
 * The burst covers a newcomer and a returning network. A newcomer sends each of its new neighbours an offer and some
 * ten candidates at once. Its neighbours do the same when it is part of a network that has returned. Requests that
 * store rows or verify signatures have low rates.
 */
export const LIMITS: Limits = {
  connectionsMax: 10_000,
  connectionsPerAddressMax: 512,
  connects: { burst: 512, perSecond: 20 },
  socketsPerAddressMax: SOCKETS_PER_ADDRESS_MAX,
  httpRequests: { burst: HTTP_REQUESTS_BURST, perSecond: HTTP_REQUESTS_PER_SECOND },
  httpBytes: { burst: HTTP_BYTES_BURST, perSecond: HTTP_BYTES_PER_SECOND },
  httpUnreadPerAddressMax: HTTP_UNREAD_BYTES_MAX,
  httpStalledMs: 20_000,
  httpAnswerMsMax: 300_000,
  addressesMax: 50_000,
  connectionsWorthPerAddress: 32,
  storersWorthPerAddress: 4,
  // About five megabytes a day: one address needs months to fill the store, and an IPv6 site a week.
  storedPerAddress: { burst: 4 * MIB, perSecond: 64 },
  roomsPerConnectionMax: 16,
  provenPerRoomMax: 512,
  // An office behind one address: 128 people, whose former places are still reserved when all of them return at once.
  provenPerRoomAndAddressMax: 256,
  unprovenPerRoomMax: 32,
  unprovenPerRoomAndAddressMax: 4,
  unprovenTraffic: { burst: 256, perSecond: 16 },
  fanOut: { burst: FAN_OUT_BYTES_BURST, perSecond: FAN_OUT_BYTES_PER_SECOND },
  placeKeptMs: 30_000,
  requestsWaitingMax: 1_000,
  packetsUnreadMax: 2_048,
  relayRate: { burst: MIB, perSecond: MIB / 2 },
  // A member of a full mesh that is active may relay its heartbeats for hours, and twelve behind one address may too.
  // The quota excludes large transfers, like files of half a gigabyte.
  relayPerConnection: { burst: 256 * MIB, perSecond: MIB / 4 },
  relayPerAddress: { burst: 1024 * MIB, perSecond: MIB },
  // A half has room for the longest frame of each of 512 connections: 65 KiB, as counted.
  relayUnderWayPerAddress: 65 * MIB,
  bytesUnreadMax: 4 * MIB,
  bytesUnreadPerAddressMax: 64 * MIB,
  requests: plenty,
  requestsOf: {
    "participant:challenge": few,
    "participant:add": few,
    "participant:prove": few,
    "participant:remove": few,
    "participant:get": some,
    "participant:list": some,
    "conference:create": few,
    "conference:get": some,
    "conference:end": few,
    "conference:list": some,
    "room:enter": some,
    "room:leave": some,
    "room:advertise": { burst: 40, perSecond: 8 },
    signal: plenty,
    relay: { burst: 2_000, perSecond: 1_000 },
    "ice:servers": { burst: 16, perSecond: 0.1 },
  },
  bytes: { burst: 16 * MIB, perSecond: MIB },
  // A request is one frame, or two with an attachment.
  frames: { burst: 8_000, perSecond: 3_000 },
  // 6,400 requests a second, and the smallest relayed frames with their acknowledgements, all with an attachment.
  framesPerAddress: { burst: 64_000, perSecond: 24_000 },
  nuisances: { burst: 100, perSecond: 5 },
  connectsPerFlood: 64,
  conferencesMax: 100_000,
  participantsMax: 100_000,
  // As long as a conference may be kept.
  publishedMsMax: CONFERENCE_LIFETIME_MS_MAX,
  purgeIntervalMs: 60_000,
  purgeGraceMs: 24 * 60 * 60 * 1000,
  pingIntervalMs: 10_000,
  pingTimeoutMs: 10_000,
  redisAnswerMs: 5_000,
  // A browser asks once for each peer connection and way out, and again every ten seconds. The burst serves 128 people
  // behind one address who enter a conference at once.
  stunPerNetwork: { burst: STUN_BURST, perSecond: STUN_PER_SECOND },
  stunTotal: { burst: STUN_TOTAL_BURST, perSecond: STUN_TOTAL_PER_SECOND },
  stunNetworksMax: STUN_NETWORKS_MAX,
  stunRetryMs: 5_000,
  handshakeTimeoutMs: 10_000,
}
