/** Times of single operations of a group. */
import type { PrimeOrderGroup } from "@keymoot/gke"
import { type Figure, figureOf } from "../experiment/figure.ts"

export const MULTIPLICATION = "one multiplication"
export const GENERATOR = "one multiplication of the generator"
const CHECKED = "one multiplication of a peer's element, checked"
const ADDITION = "one addition"

/** Operations that are timed together, because a browser's clock is coarse. */
const AT_ONCE = 10
const WARM_UP_RUNS = 1
/** Names the library's place in the figures. */
export const WEB_CRYPTO = "P-256 (WebCrypto, x-coordinate alone)"

type Operation = readonly [metric: string, act: () => unknown]

/** @param name of the group and its library */
export async function operationsOf(name: string, group: PrimeOrderGroup, runs: number): Promise<Figure[]> {
  const random = () => group.randomScalar(crypto.getRandomValues(new Uint8Array(64)))
  const [s, e, f] = [random(), group.multiplyBase(random()), group.multiplyBase(random())]
  return timed(name, runs, [
    [MULTIPLICATION, () => group.multiply(e, s)],
    [GENERATOR, () => group.multiplyBase(s)],
    [CHECKED, () => group.multiplyEncoded(e, s)],
    [ADDITION, () => group.add(e, f)],
  ])
}

/** WebCrypto's ECDH, which has no addition. */
export async function webCryptoOperations(runs: number): Promise<Figure[]> {
  const { subtle } = crypto
  const curve = { name: "ECDH", namedCurve: "P-256" }
  const generate = () => subtle.generateKey(curve, true, ["deriveBits"]) as Promise<CryptoKeyPair>
  const [own, peer] = [await generate(), await generate()]
  const encoded = await subtle.exportKey("raw", peer.publicKey)
  const multiply = (key: CryptoKey) => subtle.deriveBits({ name: "ECDH", public: key }, own.privateKey, 256)
  return timed(WEB_CRYPTO, runs, [
    [MULTIPLICATION, () => multiply(peer.publicKey)],
    [GENERATOR, generate],
    [CHECKED, async () => multiply(await subtle.importKey("raw", encoded, curve, false, []))],
  ])
}

async function timed(module: string, runs: number, operations: readonly Operation[]): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [metric, act] of operations) {
    const values: number[] = []
    for (let run = -WARM_UP_RUNS; run < runs; run++) {
      const startMs = performance.now()
      for (let i = 0; i < AT_ONCE; i++) await act()
      if (run >= 0) values.push((performance.now() - startMs) / AT_ONCE)
    }
    figures.push(figureOf({ experiment: "groups", module, metric, unit: "ms" }, values))
  }
  return figures
}
