/** Every limit and time of the overlay, each with what happens when it is reached. */

/** Up to this many members, itself included, every member is a neighbour of every other. */
export const FULL_MESH_MAX = 24
/**
 * Neighbours that a member looks for in a larger conference. With fewer than the minimum it asks known members without
 * waiting for the bus.
 */
export const DEGREE = 8
export const DEGREE_MIN = 6
/** Upper bound of neighbours: above it a request is refused, and surplus neighbours are dropped. */
export const DEGREE_MAX = 12
/**
 * Neighbours closer to the sequencer that a member looks for. As many places are reserved for members that ask for one.
 */
export const PARENTS = 2

/**
 * Members known from the bus, neighbours and refusals (the passive set). Beyond it the longest unheard one is evicted.
 */
export const KNOWN_MAX = 512
/** A member that was not heard of for so long is not counted any more. */
export const KNOWN_MS = 60_000
/** Alternatives named in a refusal. */
export const ALTERNATIVES_MAX = 4

/**
 * Each member decides on an advertisement after a random time up to this. Otherwise all would ask its sender at once.
 */
export const DECIDE_MS = 400
/** Timeout of a handshake. */
export const HANDSHAKE_MS = 1_500
/** Interval of advertisements: the first with too few neighbours, otherwise the second, ±25%. */
export const ROUND_MS = 1_000
export const ADVERTISE_MS = 15_000
/**
 * After so many rounds without a handshake members are asked to answer with twice the probability, up to the second
 * value.
 */
export const EMPTY_ROUNDS = 2
export const EAGERNESS_MAX = 64
/**
 * Interval of heartbeats to neighbours that got no other message, from the lower end of each link. After the second time
 * without a message a neighbour is silent: no route uses it, and another may take its place. After the third, a multiple
 * of the second, its link is closed. On busy machines members are late by seconds, and a new link would cost them more.
 */
export const HEARTBEAT_MS = 500
export const NEIGHBOUR_MS = 2_500
export const SILENT_KEPT = 2.4
/** Every so many rounds a heartbeat goes to all neighbours: it states the degree. */
export const DEGREE_REPORT_ROUNDS = 4
/** The highest degree that a heartbeat states, in one byte. */
export const DEGREE_REPORTED_MAX = 255
/** Maximum interval between two ticks of a member that is not late itself. */
export const TICK_LATE_MS = 500
/** Timeout from an agreement to its link: behind slow networks a link takes long. */
export const LINKING_MS = 12_000
/**
 * Minimum interval between two neighbours that are dropped to keep the degree. Others drop this member meanwhile, and
 * their notices take time. At five a second too few were left when a full mesh became too large.
 */
export const PRUNE_MS = 500
/** After so many refusals in a row a member with too few neighbours asks others to drop one. */
export const REFUSALS_MAX = 3
/**
 * Minimum interval between two members beyond the bound that are accepted as neighbours: members from the other side of
 * a partition, or in need.
 */
export const REUNION_MS = 1_000

/**
 * Minimum interval between two records of a member's own. Changes meanwhile go together. Beyond `DEGREE_MAX` links it grows
 * with their number.
 */
export const LINK_STATE_MS = 200
/** Interval at which news besides links is announced to neighbours outside of the tree. */
export const NEWS_MS = 500
/** Records of unreachable members are kept for so long: they may return with nothing new to report. */
export const LINK_STATE_KEPT_MS = 60_000
/** Members with a record. Beyond it records of new members are dropped. */
export const LINK_STATES_MAX = 512
/** Neighbours in one record: somewhat more than any member has after a partition has healed. */
export const NEIGHBOURS_REPORTED_MAX = 64
/** Bytes of one record: its neighbours, and what is held of 320 members who all send. */
export const LINK_RECORD_BYTES_MAX = 16 * 1024
/** Records in one message. More go in several. */
export const LINK_RECORDS_MAX = 64
/** Maximum hops of a message to one member: twice what 300 members of this degree ever need. */
export const HOPS_MAX = 16

/** Messages kept for members that have missed them, their bytes, and for how long. The oldest are evicted first. */
export const GOSSIP_KEPT_MAX = 4096
export const GOSSIP_KEPT_BYTES_MAX = 32 * 1024 * 1024
export const GOSSIP_KEPT_MS = 30_000
/** Ids that are remembered so that no message is delivered twice. */
export const GOSSIP_SEEN_MAX = 65_536
/**
 * An announced message or record that has not come by then is requested. After the second value it is requested from
 * the next announcer.
 */
export const GRAFT_AFTER_MS = 300
export const GRAFT_AGAIN_MS = 300
/** Announcers kept per missing message or record, and the number of announced messages that are missing. */
export const ANNOUNCERS_MAX = 16
export const MISSING_MAX = 4096
/**
 * Missing messages that one neighbour was the first to announce. So invented ids take up no other neighbour's space.
 */
export const MISSING_OF_ONE_MAX = 512
/** Bytes sent to one neighbour on request between two ticks. Otherwise a request of a few bytes could cause a flood. */
export const GRAFTED_BYTES_MAX = 4 * 1024 * 1024
/** Ids in one announcement. */
export const ANNOUNCED_MAX = 4096
