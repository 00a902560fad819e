/** Every limit of the mesh in one place, each with what happens there. */

/**
 * Members that the room tells of; beyond it the longest unheard one without a connection is forgotten, else the newcomer is
 * ignored. As many as the signalling server lets into a room, and as link states are kept of; each is some 6 KB at most.
 */
export const CONTACTS_MAX = 512
/** Connections that are not up yet; beyond it own attempts wait and offers are dropped (the offerer tries again). */
export const HALF_OPEN_MAX = 16
/** Remote and local candidates per attempt; further ones are dropped. */
export const CANDIDATES_MAX = 64
/** Of one connection; a further one is dropped, and the connection fails and is made anew. */
export const ICE_RESTARTS_MAX = 16
export const CANDIDATE_CHARACTERS_MAX = 1024
export const SDP_CHARACTERS_MAX = 16_384
/** Certificate in an advertisement or handshake; a larger one does not decode. */
export const CERTIFICATE_BYTES_MAX = 4096
/** A sealed advertisement or signal; a larger one is dropped before anything is computed. */
export const SEALED_BYTES_MAX = 32 * 1024
/** Cached pair keys of signal senders; the least recently used one is forgotten and costs one Diffie-Hellman again. */
export const SENDERS_MAX = 512

/**
 * Signatures awaited at once for one sender, and senders; what comes beyond is dropped and counted. Twice the contacts: their
 * advertisements, and certificates that a neighbour hands over of all of them at once.
 */
export const LANE_TASKS_MAX = 256
export const LANES_MAX = 1024

/**
 * Plaintext of one hop frame: larger messages are fragmented, smaller ones share a frame. Half as much costs a tenth more
 * of processor time a message, twice as much gains nothing, and nothing else passes on a slow line while a frame does.
 */
export const FRAME_BYTES_MAX = 32_768
/** One message over a link. Sending more is the caller's error; receiving more ends the link. */
export const MESSAGE_BYTES_MAX = 4 * 1024 * 1024
/** Hop keys are agreed anew after so many bytes, both directions together, or this long. */
export const REKEY_BYTES = 256 * 1024 * 1024
export const REKEY_MS = 15 * 60_000
/** A member whose turn it is and that does not rekey by then has its link ended. */
export const REKEY_OVERDUE_BYTES = 2 * REKEY_BYTES
/** Unreliable frames under the former keys are still taken for so long. */
export const REKEY_OVERLAP_MS = 5_000
/** How far back behind the newest an unreliable frame is still taken; an older one counts as lost. */
export const REPLAY_WINDOW_FRAMES = 1024
/** One unreliable message; a larger one takes the reliable lane. */
export const UNRELIABLE_BYTES_MAX = 16_382
/** Unreliable messages that wait for the end of a turn; beyond it the oldest gives way: the newest wins. */
export const UNRELIABLE_WAITING_BYTES_MAX = 64 * 1024

/** From opening a peer connection to its open channel. */
export const CONNECT_TIMEOUT_MS = 20_000
/** From the open channel to the confirmed association. */
export const ASSOCIATION_TIMEOUT_MS = 10_000
/**
 * An attempt that fails is followed by another after this long, doubled each time up to the maximum, each ±25%. With a
 * relayed link meanwhile there is no hurry. With none at all the maximum is short, or who was cut off by tampering would
 * stay so for long after its end; it still lets nobody make a member open connections faster than a browser forgets them.
 */
export const RETRY_MS = 1_000
export const RETRY_MS_MAX = 60_000
export const UNLINKED_RETRY_MS_MAX = 5_000
/**
 * A connection that was up and broke is made again at once, for its link is to be resumed; this is doubled each time, too,
 * until one has lasted.
 */
export const RETRY_BROKEN_MS = 100
export const LASTED_MS = 5_000
/** Offers, answers and candidates are repeated until the channel opens: the room may have lost, or spoilt, any of them. */
export const SIGNAL_REPEAT_MS = 2_500
/** A third attempt of one member within this time is dropped. */
export const OFFER_INTERVAL_MS = 500
/**
 * Own attempts keep this distance instead: what is dropped is said again only after `SIGNAL_REPEAT_MS`, and the other end may
 * have got the former ones later than this one, or counts to its next tick.
 */
export const OWN_OFFER_INTERVAL_MS = 750
/** A member not advertised for so long is offered no new attempt, and after the second figure forgotten. */
export const CONTACT_STALE_MS = 45_000
export const CONTACT_FORGOTTEN_MS = 180_000
/** The shortest time between two hellos to one advertisement of one member. */
export const HELLO_INTERVAL_MS = 3_000
/**
 * Regular advertisements, ±25%, the second while somebody seems to be missing; the first ones after an entry come sooner,
 * since the bus may lose them.
 */
export const ADVERTISE_MS = 15_000
export const ADVERTISE_MISSING_MS = 4_000
export const ADVERTISE_SOON_MS: readonly number[] = [1_000, 4_000]
/** A refused or unanswered `room-enter` is repeated after this long, with a fresh address. */
export const ENTER_RETRY_MS = 5_000

/** Direct neighbours that a member tells of. Further ones are not told, and nothing is relayed to them. */
export const NEIGHBOURS_MAX = 64
/** Members between the two ends of a relayed link; a longer route does not decode. */
export const RELAY_HOPS_MAX = 3

/** How long a link that broke may be away before the member counts as gone. Its messages are kept that long. */
export const RESUME_GRACE_MS = 2_500
/**
 * The same, if the other end closed the connection without a goodbye and is not heard of through the room since: a page that
 * is gone. One that is there says so at once, and making another connection takes many round trips: for that there is the
 * longer grace.
 */
export const CLOSED_GRACE_MS = 1_000
/**
 * Sent and not acknowledged by one member: above it senders pause, and nothing is sent a second time. It follows what the
 * link carries in a second, between the last two; the first stands until that is known. A line of a megabit carries it in a
 * second, so that a heartbeat behind it comes before its sender is suspected.
 */
export const LINK_BYTES_FIRST = 128 * 1024
export const LINK_BYTES_MIN = 64 * 1024
export const LINK_BYTES_MAX = 1024 * 1024
/** The same: above it payload to it is turned away, the second figure on a relayed link. */
export const PAYLOAD_BYTES_HIGH = 4 * 1024 * 1024
export const RELAYED_PAYLOAD_BYTES_HIGH = 512 * 1024
/** The same for everything: a member that takes control messages so slowly is given up. */
export const UNACKED_BYTES_MAX = 64 * 1024 * 1024
/** Received bytes that are acknowledged at once; less is acknowledged with the next tick. */
export const ACK_BYTES = 64 * 1024
/** A connection on which nothing is acknowledged for so long is given up for another. */
export const STALL_MS = 10_000
/** Ended connections that the peer is told of on the next one; older ones it finds out about by itself. */
export const OVER_MAX = 8

/** A member to whom there is no link is reached through another member after this long, or else through the server. */
export const RELAY_AFTER_MS = 400
export const SERVER_RELAY_AFTER_MS = 3_000
/** A relayed link that fails is tried again after this long, doubled each time up to the maximum, each ±25%. */
export const RELAY_RETRY_MS = 1_000
export const RELAY_RETRY_MS_MAX = 30_000
/** The shortest time between two relayed links that one member asks for; one that comes sooner is dropped. */
export const RELAY_INTERVAL_MS = 500
/** Ends of relayed links here; beyond it a new one fails at once. */
export const CIRCUITS_MAX = 64
/** Waiting bytes for one neighbour above which nothing more is relayed to it: circuits end, and take another way. */
export const RELAY_FORWARD_BYTES_HIGH = 8 * 1024 * 1024
/** From the opening of a relayed link to the other end's answer. */
export const RELAY_CONNECT_TIMEOUT_MS = 8_000
/**
 * Certificates fetched from neighbours that are kept; requests to one neighbour that wait, for so long, and what waits for
 * one of them. Each neighbour has its own: one that tells of many and answers nothing keeps nobody from asking others. As
 * many as link states are kept of: a newcomer is told of all of them over its first link.
 */
export const CREDENTIALS_FETCHED_MAX = 512
export const CERTIFICATE_REQUESTS_MAX = 512
export const CERTIFICATE_WAITS_MAX = 16
export const CERTIFICATE_REQUEST_MS = 5_000
