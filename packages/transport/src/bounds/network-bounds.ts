/** Every limit of the mesh, each with what happens when it is reached. */

/**
 * Contacts from the room. Beyond it the longest unheard one without a connection is evicted, else the newcomer is
 * ignored. Equal to the capacity of a server's room and of the link states. A contact takes some 6 KB at most.
 */
export const CONTACTS_MAX = 512
/** Connections that are not up yet. Beyond it own attempts wait and offers are dropped (the offerer retries). */
export const HALF_OPEN_MAX = 16
/** Relayed connections that are not up yet. A newcomer opens one to each member of a full mesh at once. */
export const RELAYS_HALF_OPEN_MAX = 32
/** Remote and local candidates per attempt. Further ones are dropped. A peer's description may have as many. */
export const CANDIDATES_MAX = 64
/** ICE restarts of one connection, with repetitions. A further one is dropped, and the connection is replaced. */
export const ICE_RESTARTS_MAX = 16
export const CANDIDATE_CHARACTERS_MAX = 1024
export const SDP_CHARACTERS_MAX = 16_384
/** First message of an association in a signal, 1184 bytes of it a key for ML-KEM. A larger one does not decode. */
export const OPENING_BYTES_MAX = 256 + 1184
/** Certificate in an advertisement or handshake. A larger one does not decode. */
export const CERTIFICATE_BYTES_MAX = 4096
/** Extension of a card, for later versions. A card with more does not decode. Never changes. */
export const CARD_EXTENSION_BYTES_MAX = 1024
/** A sealed advertisement or signal. A larger one is dropped before anything is computed. */
export const SEALED_BYTES_MAX = 32 * 1024
/** Cached keys of signal senders. The least recently used one is evicted, and costs a Diffie-Hellman again. */
export const SENDERS_MAX = 512
/**
 * Room addresses that send a first signal, at once and in a second. Beyond it their signals are dropped, and an honest
 * sender tries again. A full conference of 128 members may return twice at once.
 */
export const NEW_SENDERS_BURST = 256
export const NEW_SENDERS_PER_SECOND = 32

/**
 * Pending signature checks per sender, and senders. Beyond it a message is dropped and counted. Twice the contacts:
 * their advertisements, and the certificates of all of them that a neighbour may send at once.
 */
export const LANE_TASKS_MAX = 256
export const LANES_MAX = 1024

/**
 * Plaintext of one hop frame. Larger messages are fragmented, and smaller ones share a frame. Half of it costs a tenth
 * more processor time per message, and twice of it gains nothing. On a slow line nothing else passes while a frame
 * does, and its receiver hears nothing until all of it has come. So only a link that has just carried more than
 * `LINK_BYTES_FIRST` in each of two seconds has frames of more than one packet.
 */
export const FRAME_BYTES_MAX = 32_768
/**
 * Plaintext of a hop frame that fits into one packet of a data channel. For each message Chromium sends at most four
 * packets. The rest of a longer message waits for an acknowledgement, so for a round trip.
 */
export const PACKET_FRAME_BYTES_MAX = 1_100
/**
 * Messages of one turn that always go in such frames. On a fast link a longer turn has frames of `FRAME_BYTES_MAX`, which
 * cost less to seal.
 */
export const SHORT_TURN_BYTES_MAX = 16_384
/** One message over a link. Sending more is the caller's error. Receiving more ends the link. */
export const MESSAGE_BYTES_MAX = 4 * 1024 * 1024
/** New hop keys are agreed after so many bytes, both directions together, or after so long. */
export const REKEY_BYTES = 256 * 1024 * 1024
export const REKEY_MS = 15 * 60_000
/** If the member that should rekey has not done so by then, the link ends. */
export const REKEY_OVERDUE_BYTES = 2 * REKEY_BYTES
/**
 * Minimum interval between two offers of new keys from the other end, unless so many bytes have passed since the last
 * change. An offer costs its receiver a Diffie-Hellman and its sender nothing. An honest end offers once in `REKEY_MS`.
 * A link on which an offer comes sooner ends.
 */
export const REKEY_APART_MS = 60_000
export const REKEY_APART_BYTES = REKEY_BYTES / 2
/** Unreliable frames under the former keys are accepted for so long. */
export const REKEY_OVERLAP_MS = 5_000
/** Replay window of unreliable frames, in frames behind the newest. An older frame counts as lost. */
export const REPLAY_WINDOW_FRAMES = 1024
/** One unreliable message. A larger one is sent as reliable. */
export const UNRELIABLE_BYTES_MAX = 16_382
/** Unreliable messages queued until the end of a turn. Beyond it the oldest are dropped: the newest win. */
export const UNRELIABLE_WAITING_BYTES_MAX = 64 * 1024

/** Timeout from opening a peer connection to its open channel. */
export const CONNECT_TIMEOUT_MS = 20_000
/** Timeout from the open channel to the confirmed association. */
export const ASSOCIATION_TIMEOUT_MS = 10_000
/**
 * Back-off after a failed attempt: the first value, doubled each time up to the maximum, each ±25%. With a relayed link
 * meanwhile the maximum is long. With no link at all it is short, so a member cut off by tampering comes back soon
 * after the tampering ends. It is still long enough that attackers cannot make a member open connections faster than a
 * browser frees them.
 */
export const RETRY_MS = 1_000
export const RETRY_MS_MAX = 60_000
export const UNLINKED_RETRY_MS_MAX = 5_000
/**
 * First back-off after a connection that was up and broke. It is short, since its link is to be resumed. It doubles
 * each time too, until a connection has lasted.
 */
export const RETRY_BROKEN_MS = 100
export const LASTED_MS = 5_000
/**
 * Retransmission interval of offers, answers and candidates until the channel opens: the room may lose or spoil any of
 * them.
 */
export const SIGNAL_REPEAT_MS = 2_500
/** A third attempt of one member within this time is dropped. */
export const OFFER_INTERVAL_MS = 500
/**
 * Minimum interval between own attempts. It exceeds `OFFER_INTERVAL_MS`, since the other end may receive earlier
 * attempts later than this one, or counts to its next tick. A dropped offer is repeated only after `SIGNAL_REPEAT_MS`.
 */
export const OWN_OFFER_INTERVAL_MS = 750
/** A member not advertised for the first time gets no new attempt. After the second it is evicted. */
export const CONTACT_STALE_MS = 45_000
export const CONTACT_FORGOTTEN_MS = 180_000
/** Minimum interval between two hellos to one advertisement of one member. */
export const HELLO_INTERVAL_MS = 3_000
/**
 * Intervals of regular advertisements, ±25%. The second applies while a member seems to be missing. The first ones
 * after an entry come sooner, since the room may lose them.
 */
export const ADVERTISE_MS = 15_000
export const ADVERTISE_MISSING_MS = 4_000
export const ADVERTISE_SOON_MS: readonly number[] = [1_000, 4_000]
/** A refused or unanswered `room-enter` is retried after this long, with a fresh address. */
export const ENTER_RETRY_MS = 5_000

/** Ignored members. Beyond it the one that was ignored first is heard again. */
export const IGNORED_MAX = 256

/** Grace time of a link without a connection, before the member counts as gone. Its messages are kept that long. */
export const RESUME_GRACE_MS = 2_500
/**
 * The grace time if the other end closed the connection without a goodbye, as a closed page does, and is not heard
 * through the room. A live member is heard at once, and then has the longer grace time, since a new connection takes
 * many round trips.
 */
export const CLOSED_GRACE_MS = 1_000
/** Minimum time for a new connection to resume its link. It may exceed the grace time by as much. */
export const RESUMING_MS = 1_000
/**
 * Unacknowledged bytes to one member above which senders pause and nothing is sent twice. The window follows the link's
 * throughput of a second, between the last two values. The first value applies until that is known. A line of a megabit
 * carries it in a second, so a heartbeat behind it arrives before its sender is suspected.
 */
export const LINK_BYTES_FIRST = 128 * 1024
export const LINK_BYTES_MIN = 64 * 1024
export const LINK_BYTES_MAX = 1024 * 1024
/** Unacknowledged bytes to one member above which payload is refused. The second value is for a relayed link. */
export const PAYLOAD_BYTES_HIGH = 4 * 1024 * 1024
export const RELAYED_PAYLOAD_BYTES_HIGH = 512 * 1024
/** Unacknowledged bytes of any kind. A link that reaches it is given up. */
export const UNACKED_BYTES_MAX = 64 * 1024 * 1024
/**
 * Unacknowledged messages, the oldest, that are compared with one that is to be retransmitted. Further ones are not
 * found, and the message is sent twice.
 */
export const UNDER_WAY_COMPARED_MAX = 256
/** Received bytes that are acknowledged at once. Fewer are acknowledged at the next tick. */
export const ACK_BYTES = 64 * 1024
/**
 * Silence after which a link with unacknowledged messages takes no more heartbeats. In an outage they would only queue
 * up, and the first that arrive after it would describe the time before.
 */
export const LINK_SILENT_MS = 1_000
/**
 * Unacknowledged bytes to one member above which its heartbeats wait behind them. Below, a heartbeat may be lost on a
 * direct path. In an outage the data channel carries one packet until its next retransmission, 1.2 KB. So a nudge only
 * leaves if little else was under way.
 */
export const HEARTBEATS_LOSSY_BYTES_MAX = 4 * 1024
/** A connection is given up for another if messages wait for so long, and nothing at all comes from the peer. */
export const STALL_MS = 10_000
/**
 * Patience with a peer that is heard and does not acknowledge. To it comes the time in which `SLOWEST_LINE` carries all
 * that waits. A peer that takes longer obstructs, since a full window stops all sending to the group.
 */
export const ACK_PATIENCE_MS = 20_000
/**
 * Bytes per millisecond of the slowest supported line, 64 kbit/s in a conference of up to six members. A member that has much to acknowledge gets the time
 * that this line needs, since all of it may be queued on its path.
 */
export const SLOWEST_LINE = 8
/**
 * Links that such a line can bear. A member with more of them needs a line that is as many times faster, so the group
 * counts no more copies of a message.
 */
export const SLOWEST_LINE_LINKS = 5
/**
 * Bytes of other traffic that extend the patience: the acknowledgement may wait behind them. A window and a batch are
 * less. A peer that causes more traffic gains nothing. In the group, held frames extend the patience up to the same
 * bound. The largest frame is as long.
 */
export const ACK_BEHIND_BYTES_MAX = 512 * 1024
/** Ended connections that are reported to the peer on the next one. It detects older ones by itself. */
export const OVER_MAX = 8

/** Delay before a lost relay of the server is opened again behind a path that is not in doubt. */
export const STANDBY_AFTER_MS = 5_000
/**
 * Silence after which a path is left for another, while messages wait for acknowledgements. It is three heartbeats and
 * a round trip of 100 ms. Leaving a path that is only slow costs a retransmission of the window.
 */
export const PATH_SILENT_MS = 700
/**
 * The same silence while the voice of a call is missing too. It covers a round trip of 200 ms and the 100 ms for which
 * an acknowledgement waits.
 */
export const PATH_UNHEARD_MS = 300
/**
 * Interval of probes over a path that was left: the first value, doubled up to the maximum while none is answered. The
 * path itself repeats them, and further ones would take the place of nudges.
 */
export const PATH_PROBE_MS = 500
export const PATH_PROBE_MS_MAX = 4_000
/**
 * Interval of nudges over a silent direct path, and frames of a nudge. Data channels repeat lost frames after a
 * back-off, which grows to seconds in an outage. They repeat them at once after the acknowledgements of three later
 * frames (RFC 9260, section 7.2.4), and nobody waits for those. Each has about 100 bytes with its headers, and
 * `PATH_DEAD_MS` ends them. More of them would fill the one packet that may be under way.
 */
export const PATH_NUDGE_MS = 500
export const PATH_NUDGES = 3
/** A direct connection that was left is made anew after such a time without a frame of the peer. */
export const PATH_DEAD_MS = 10_000
/**
 * Hold of a path that was left: the first value, doubled each time up to the maximum. So an attacker on the network
 * causes at most 12 changes of a link's path in the first minute, and 2 a minute after that. An attacker that also
 * controls the server's relay causes at most two in `PATH_SILENT_MS` and `PATH_UNHEARD_MS` together.
 */
export const PATH_HOLD_MS = 1_000
export const PATH_HOLD_MS_MAX = 60_000
/** A kind of path that has worked for so long after its hold is trusted as at first. */
export const PATH_LASTED_MS = 60_000
/**
 * Time for a member that was just met to open the relay itself: its request follows its hello. A request of the lower id
 * in that time would replace it, and cost a newcomer a round trip.
 */
export const RELAY_FIRST_MS = 150
/** Back-off of a failed relayed link: the first value, doubled each time up to the maximum, each ±25%. */
export const RELAY_RETRY_MS = 1_000
export const RELAY_RETRY_MS_MAX = 30_000
/** Minimum interval between two requests of one member for relayed links. An earlier request is dropped. */
export const RELAY_INTERVAL_MS = 500
/** Timeout from opening a relayed link to the other end's answer. */
export const RELAY_CONNECT_TIMEOUT_MS = 8_000
/**
 * Certificates cached from neighbours, pending requests to one neighbour, their timeout, and the callers waiting for
 * one of them. The bound is per neighbour: one that reports many members and answers no request cannot block requests
 * to others. The cache is as large as that of link states, since a newcomer learns all of them over its first link.
 */
export const CREDENTIALS_FETCHED_MAX = 512
export const CERTIFICATE_REQUESTS_MAX = 512
export const CERTIFICATE_WAITS_MAX = 16
export const CERTIFICATE_REQUEST_MS = 5_000
/**
 * Certificates sent to one neighbour on its request, at once and in a second. Further requests are dropped, and the
 * neighbour asks again. A newcomer may ask for those of all members at once.
 */
export const CERTIFICATE_ANSWERS_BURST = 512
export const CERTIFICATE_ANSWERS_PER_SECOND = 100
