import { loadSodiumX25519 } from "@keymoot/gke"
import { nobleX25519 } from "@keymoot/transport"
import { randomBytes } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"

const sodium = await loadSodiumX25519()

test("libsodium's X25519 gives the keys and secrets of noble's", () => {
  for (let run = 0; run < 20; run++) {
    const [ours, theirs] = [randomBytes(32), randomBytes(32)] as [Uint8Array, Uint8Array]
    const point = nobleX25519.publicKey(theirs)
    expect(sodium.publicKey(theirs)).toEqual(point)
    expect(sodium.shared(ours, point)).toEqual(nobleX25519.shared(ours, point))
    expect(sodium.shared(ours, point)).toEqual(nobleX25519.shared(theirs, sodium.publicKey(ours)))
  }
})

test.each([
  ["zero", new Uint8Array(32)],
  ["one", Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 1 : 0))],
])("both refuse the point %s, which makes every secret zero", (_, point) => {
  for (const x25519 of [sodium, nobleX25519]) expect(x25519.shared(randomBytes(32), point)).toBeNull()
})
