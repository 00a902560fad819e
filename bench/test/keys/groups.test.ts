import { expect, test } from "vitest"
import type { Figure } from "../../src/experiment/figure.ts"
import { groupsExperiment } from "../../src/groups/groups-experiment.ts"
import { p256Group } from "../../src/groups/p256.ts"
import { expectSound } from "../sound.ts"

test("groups: gives operations of each group and library, and events of each module", async () => {
  const figures: Figure[] = []
  for await (const figure of groupsExperiment.run({ sizes: [4], modules: ["tgdh"], runs: 1 }, () => {}))
    figures.push(figure)
  expectSound("groups", figures)
  const operations = figures.filter(({ event }) => event === undefined)
  expect(new Set(operations.map(({ module }) => module)).size).toBe(4)
  // ristretto255 twice and P-256 once, for one module; a leave, a join, a partition and a merge each.
  expect(figures.length - operations.length).toBe(3 * 4)
  expect(groupsExperiment.shows!.found(figures)).toContain("not measured")
})

test("P-256 is a group: WebCrypto's x-coordinates, its laws, and what it refuses", async () => {
  const { subtle } = crypto
  const curve = { name: "ECDH", namedCurve: "P-256" }
  const { privateKey, publicKey } = (await subtle.generateKey(curve, true, ["deriveBits"])) as CryptoKeyPair
  const { d } = await subtle.exportKey("jwk", privateKey)
  const s = new Uint8Array(Buffer.from(d!, "base64url")) as Parameters<typeof p256Group.multiplyBase>[0]
  const random = () => p256Group.randomScalar(crypto.getRandomValues(new Uint8Array(64)))
  const raw = new Uint8Array(await subtle.exportKey("raw", publicKey))
  expect(p256Group.multiplyBase(s).subarray(1)).toEqual(raw.subarray(1, 33))

  const [a, b] = [random(), random()]
  const [x, y] = [p256Group.multiplyBase(a), p256Group.multiplyBase(b)]
  expect(p256Group.multiply(x, b)).toEqual(p256Group.multiply(y, a))
  expect(p256Group.multiply(p256Group.multiply(x, b), p256Group.invert(b))).toEqual(x)
  expect(p256Group.add(p256Group.subtract(x, y), y)).toEqual(x)
  const identity = p256Group.subtract(x, x)
  expect(p256Group.decode(identity)).toEqual({ rejected: "identity" })
  expect(p256Group.decode(new Uint8Array(33).fill(7))).toEqual({ rejected: "non-canonical" })
  expect(p256Group.decode(x.subarray(1))).toEqual({ rejected: "length" })
})
