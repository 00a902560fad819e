/** Networks of the papers and others, as delays between members. */
import type { NetworkName } from "./experiment.ts"

/** One way, in milliseconds, between members by their places, from 0. */
export type DelayMs = (from: number, to: number) => number

const LAN_ROUND_TRIP_MS = 0.1

/**
 * The papers' sites (Amir, Kim, Nita-Rotaru, Tsudik, section 6.2.1). Eleven machines are at Johns Hopkins (JHU), one at Irvine
 * (UCI), one at ICU in Korea. Members are assigned to the thirteen machines in turn. Here the first three are at different
 * sites, so that small groups span the network too.
 */
const MACHINES = 13
const UCI = 1
const ICU = 2
const ROUND_TRIPS_MS = { "JHU-UCI": 70, "UCI-ICU": 300, "JHU-ICU": 270 } as const

export type Site = "JHU" | "UCI" | "ICU"

export function siteOf(place: number): Site {
  const machine = place % MACHINES
  if (machine === UCI) return "UCI"
  return machine === ICU ? "ICU" : "JHU"
}

/** Round trips of the papers. */
export function roundTripBetween(a: Site, b: Site): number {
  if (a === b) return LAN_ROUND_TRIP_MS
  const sites = new Set([a, b])
  if (!sites.has("ICU")) return ROUND_TRIPS_MS["JHU-UCI"]
  return sites.has("UCI") ? ROUND_TRIPS_MS["UCI-ICU"] : ROUND_TRIPS_MS["JHU-ICU"]
}

/** @param network `lan`, `wan`, or a round trip in milliseconds; "/13" behind it changes no delay */
export function delaysOf(network: NetworkName): DelayMs {
  const [name] = network.split("/")
  if (name === "wan") return (from, to) => roundTripBetween(siteOf(from), siteOf(to)) / 2
  const roundTripMs = name === "lan" ? LAN_ROUND_TRIP_MS : Number(name)
  return () => roundTripMs / 2
}

/** The processors that all members share, by their places in turn: 13 of "lan/13". Null if each has its own. */
export function processorsOf(network: NetworkName): number | null {
  const [, count] = network.split("/")
  return count === undefined ? null : Number(count)
}
