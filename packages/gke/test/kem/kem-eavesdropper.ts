/** The knowledge of an attacker on the post-quantum agreement, closed under opening seals and hashing seeds forward. */
import type { Kem } from "@keymoot/gke"
import type { Multicast, View } from "@keymoot/gke/testing"
import { bytesToHex } from "@noble/hashes/utils.js"
import { secretOf } from "../../src/clusters/completed-epoch.ts"
import { decodeKemMessage } from "../../src/kem-ckd/kem-ckd-codec.ts"
import { nextSeed, openSeed } from "../../src/kem-ckd/kem-sealing.ts"

/** A view's traffic. */
type Overheard = Pick<View, "sid" | "members"> & { readonly log: readonly Pick<Multicast, "from" | "bytes">[] }

/** All seeds that follow from secret keys, seeds and the traffic of these views, in their order. */
export function derivableSeeds(
  kem: Kem,
  views: readonly Overheard[],
  secretKeys: readonly Uint8Array[],
  seeds: readonly Uint8Array[] = [],
): Uint8Array[] {
  const found = new Map(seeds.map((seed) => [bytesToHex(seed), seed]))
  const add = (seed: Uint8Array | null): void => void (seed && found.set(bytesToHex(seed), seed))
  for (const { sid, members, log } of views) {
    const known = [...found.values()]
    for (const seed of known) add(nextSeed(seed, sid))
    for (const { from, bytes } of log) {
      const message = decodeKemMessage(bytes)
      if (message?.type !== "seed") continue
      for (const sealed of message.sealed)
        for (const member of members)
          for (const secretKey of secretKeys) add(openSeed(kem, secretKey, { sid, leader: from, member }, sealed))
    }
  }
  return [...found.values()]
}

/** The secret of a view of so many members whose seed this is. */
export const kemSecret = (seed: Uint8Array, members: number): Uint8Array => secretOf("ml-kem", seed, members)
