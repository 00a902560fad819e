/** Every limit and time of the overlay in one place, each with what happens there. */

/** Up to so many members, themselves included, everybody has everybody for a neighbour. */
export const FULL_MESH_MAX = 24
/** Neighbours that a member looks for beyond that; below the least it asks those that it knows of, without waiting for the bus. */
export const DEGREE = 8
export const DEGREE_MIN = 6
/** Above this no neighbour is taken, and what was before is let go. */
export const DEGREE_MAX = 12
/** Neighbours on the way to the sequencer that a member looks for; as many places are kept for those who ask for it. */
export const PARENTS = 2

/** Members known by what the bus, neighbours and refusals say (the passive set); beyond it the longest unheard one goes. */
export const KNOWN_MAX = 512
/** A member that nothing was heard of for so long is not counted any more. */
export const KNOWN_MS = 60_000
/** Named in a refusal. */
export const ALTERNATIVES_MAX = 4

/** Everybody decides on an advertisement at a random time within this, or its sender would be asked by all at once. */
export const DECIDE_MS = 400
/** A handshake that is not answered by then has failed. */
export const HANDSHAKE_MS = 1_500
/** From one advertisement to the next, with too few neighbours; and otherwise, ±25 %. */
export const ROUND_MS = 1_000
export const ADVERTISE_MS = 15_000
/** Rounds without any handshake after which the others are asked to answer twice as likely, up to the second figure. */
export const EMPTY_ROUNDS = 2
export const EAGERNESS_MAX = 64
/** Neighbours to whom nothing else has gone are told so often that there is a link; who says nothing for the second time is one no more. */
export const HEARTBEAT_MS = 500
export const NEIGHBOUR_MS = 2_500
/** Every so many heartbeats one goes to all of them: it says how many neighbours there are. */
export const DEGREE_TOLD_ROUNDS = 4
/** From one tick to the next at most, in a member that is not late itself. */
export const TICK_LATE_MS = 500
/** With whom it was agreed, and with whom no link comes about by then: behind slow networks that takes a while. */
export const LINKING_MS = 12_000
/** Neighbours that were asked are let go again, to keep the degree, at most so often. */
export const PRUNE_MS = 200
/** Refusals in a row after which a member with too few neighbours asks others to give one up. */
export const REFUSALS_MAX = 3
/** Members from beyond a cut that are taken although there is no place, and others in need, at most so often. */
export const REUNION_MS = 1_000

/** What a member says of itself anew is told at most so often; what changes meanwhile goes together. */
export const LINK_STATE_MS = 200
/** What members tell besides their links is announced so often to neighbours outside of the tree. */
export const NEWS_MS = 500
/** Records of members that cannot be reached are kept for so long: they may be back with nothing new to say. */
export const LINK_STATE_KEPT_MS = 60_000
/** Members that there are records of; beyond it those of new ones are not taken. */
export const LINK_STATES_MAX = 512
/** Named in one record: somewhat more than any member has after a cut has healed. */
export const NEIGHBOURS_TOLD_MAX = 64
/** Of one record as bytes: neighbours, and what is held of 320 members who all speak. */
export const LINK_RECORD_BYTES_MAX = 16 * 1024
/** Records of one message; more go in several. */
export const LINK_RECORDS_MAX = 64
/** Members that a message to one other passes at most: twice what 300 members of this degree ever need. */
export const HOPS_MAX = 16

/** Messages kept for those who have missed them, their bytes, and for how long: the oldest go first. */
export const GOSSIP_KEPT_MAX = 4096
export const GOSSIP_KEPT_BYTES_MAX = 32 * 1024 * 1024
export const GOSSIP_KEPT_MS = 30_000
/** Ids that are remembered so that nothing is delivered twice. */
export const GOSSIP_SEEN_MAX = 65_536
/** An announced message, or record, that has not come by then is asked for; and of the next announcer after the second figure. */
export const GRAFT_AFTER_MS = 300
export const GRAFT_AGAIN_MS = 300
/** Announcers kept of one message, or record, that has not come; messages announced and not come. */
export const ANNOUNCERS_MAX = 16
export const MISSING_MAX = 4096
/** The latter of those that one neighbour was the first to announce: what it makes up takes nobody else's room. */
export const MISSING_OF_ONE_MAX = 512
/** Sent to one neighbour on its asking, from one tick to the next: a few bytes of asking must not become a flood. */
export const GRAFTED_BYTES_MAX = 4 * 1024 * 1024
/** Ids of one announcement. */
export const ANNOUNCED_MAX = 4096
