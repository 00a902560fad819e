/** A line of so many Mbit/s each way, and its way to the others: as with a slow DSL line. */
export const MEGABITS = 1.6
export const ONE_WAY_MS = 20
/** By which the page's main thread is slower. */
export const SLOWDOWN = 4

/** Waiting times of a person, each with nothing cached. */
export const FORM = "cold load to the name field of the start page"
export const FACTS = "cold load of a link to the facts of the invitation"
export const JOIN_AT_ONCE = "join pressed at once to secured with one other"
export const JOIN_LATER = "join pressed 10 s later to secured with one other"
