/**
 * An access line and a page. `megabits`: a second, each way. `slowdown`: by which the page's main thread is slower.
 */
export type Line = {
  readonly name: string
  readonly megabits: number
  readonly oneWayMs: number
  readonly slowdown: number
}
/** As with a slow DSL line and an old phone. */
export const SLOW: Line = { name: "slow line", megabits: 1.6, oneWayMs: 20, slowdown: 4 }
/** As from another continent. */
export const FAR: Line = { name: "far line", megabits: 10, oneWayMs: 75, slowdown: 1 }

/** Waiting times of a person, each with nothing cached. */
export const FORM = "cold load to the name field of the start page"
export const FACTS = "cold load of a link to the facts of the invitation"
export const JOIN_AT_ONCE = "join pressed at once to secured with one other"
export const JOIN_LATER = "join pressed 10 s later to secured with one other"
