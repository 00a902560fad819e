/** Objects that layers get from their surroundings. */
import type { Randomness } from "@keymoot/transport"
import { randomBytes } from "@noble/hashes/utils.js"

/** `Date` is the wall clock, and `performance` the monotonic one. Both count milliseconds. */
export interface Clock {
  now(): number
}

/** Takes failures of this program itself, which no other member has caused. They close the conference. */
export type Faults = {
  readonly fail: (error: unknown) => void
}

/** The platform's generator. */
export const platformRandomness: Randomness = { bytes: randomBytes }
