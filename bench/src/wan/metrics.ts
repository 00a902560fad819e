/** Metrics between real browsers, and their counterparts in the simulator. */
export const REAL_VIEW = "real: call to view at every member"
export const REAL_KEY = "real: call to key at every member"
export const REAL_SECURED = "real: call to secured at every member"
export const REAL_NEWCOMER = "real: join called to secured at the newcomer"
export const REAL_AGREED = "real: agreed message of 1 KB to its last member"
/** The same by the site of the sequencer, which orders the messages of a view. */
export const REAL_ORDERED = "real: agreed message of 1 KB to its last member, by the sequencer's site"
/** Share in use from the call to secured at every member. All sites share one machine. */
export const PROCESSORS = "real: processors in use during the event"
export const ROUND_TRIP = "real: round trip of the lab"

export const SIMULATED_VIEW = "simulated: event to view at every member"
export const SIMULATED_KEY = "simulated: event to key at every member"
/** All members share as many processors as this machine has. */
export const SIMULATED_SHARED = "simulated: event to key at every member, with this machine's processors for all"
export const SIMULATED_AGREED = "simulated: agreed message of 1 KB to its last member"
export const SIMULATED_ORDERED = "simulated: agreed message of 1 KB to its last member, by the sequencer's site"

/** The event of an agreed message: "from ICU, ordered at JHU". */
export const orderedEvent = (from: string, at: string): string => `from ${from}, ordered at ${at}`

export const MESSAGE_BYTES = 1024
