import type { Randomness } from "@keymoot/transport"
import { randomBytes } from "@noble/hashes/utils.js"

/** The platform's generator. */
export const platformRandomness: Randomness = { bytes: randomBytes }
