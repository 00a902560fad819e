import {
  ADVERTISE_MS,
  DEGREE,
  DEGREE_MAX,
  DEGREE_MIN,
  HEARTBEAT_MS,
  NEIGHBOUR_MS,
  ROUND_MS,
} from "../../bounds/overlay-bounds.ts"

/** The protocol's constants, which the benchmark sweeps. All members of a conference have the same. */
export type DiscoveryParameters = {
  /** Members that answer an advertisement on average, as a multiple of `degree`. */
  readonly answers: number
  /** Neighbours that a member looks for; fewest, and most. */
  readonly degree: number
  readonly degreeMin: number
  readonly degreeMax: number
  /** Interval of advertisements with too few neighbours, and otherwise. */
  readonly roundMs: number
  readonly advertiseMs: number
  /** Interval of heartbeats, and silence after which a neighbour is dropped. */
  readonly heartbeatMs: number
  readonly neighbourMs: number
}

export const DISCOVERY: DiscoveryParameters = {
  answers: 1.5,
  degree: DEGREE,
  degreeMin: DEGREE_MIN,
  degreeMax: DEGREE_MAX,
  roundMs: ROUND_MS,
  advertiseMs: ADVERTISE_MS,
  heartbeatMs: HEARTBEAT_MS,
  neighbourMs: NEIGHBOUR_MS,
}
