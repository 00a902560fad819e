import { loadX25519 } from "@keymoot/gke"
import sodium from "libsodium-wrappers-sumo"
import { expect, onTestFinished, test } from "vitest"
import type { PostQuantum } from "../../src/api/index.ts"
import { type DriverMember, DriverRoom, primeGroup } from "./driver-harness.ts"
import { findSecrets, MASK, masked, noteWiped, notingGroup, whereHeld } from "./memory.ts"

test("finds a copy of a key anywhere in a buffer", async () => {
  const key = crypto.getRandomValues(new Uint8Array(32))
  const note = masked(key)
  expect(await whereHeld([note])).toHaveLength(1)
  const copy = new Uint8Array(1000)
  copy.set(key, 333)
  key.fill(0)
  expect(await whereHeld([note])).toEqual(["at 333 of 1000 bytes"])
  copy.fill(0)
  expect(await whereHeld([note])).toEqual([])
})

test("leaves no secret in WebAssembly's memory after it was computed with", async () => {
  const [x25519, random] = [await loadX25519(), (): Uint8Array => crypto.getRandomValues(new Uint8Array(64))]
  const [s, t] = [primeGroup.randomScalar(random()), primeGroup.randomScalar(random())]
  const secrets = [
    () => s,
    () => primeGroup.multiply(primeGroup.multiplyBase(t), s),
    () => primeGroup.multiplyEncoded(primeGroup.multiplyBase(s), t) as Uint8Array,
    () => primeGroup.hashToScalar("test", primeGroup.multiplyBase(t)),
    () => primeGroup.multiplyScalars(s, t),
    () => primeGroup.invert(s),
    () => x25519.shared(s, x25519.publicKey(t))!,
  ]
  const memory = (sodium as unknown as { readonly libsodium: { readonly HEAPU8: Uint8Array } }).libsodium
  const held: string[] = []
  for (const compute of secrets.toReversed()) {
    const secret = compute()
    const note = masked(secret)
    secret.fill(0)
    held.push(...findSecrets([memory.HEAPU8.buffer], [note], MASK))
  }
  expect(held).toEqual([])
})

const MODULES = ["tgdh", "str", "bd", "gdh", "ckd"] as const

test.each(MODULES)("%s: holds no secret of a former epoch, nor a copy of an overwritten one", (module) =>
  searchFormer(module, "off"),
)

test("a hybrid conference holds no secret of a former epoch, nor a copy of one", () => searchFormer("tgdh", "hybrid"))

async function searchFormer(module: (typeof MODULES)[number], postQuantum: PostQuantum): Promise<void> {
  const room = new DriverRoom({ module, postQuantum })
  const wiped = noteWiped()
  onTestFinished(() => {
    wiped.stop()
    room.close()
  })
  const computed = new Set<string>()
  // Under a key tree every product is secret; under the others some are published.
  const group = module === "tgdh" || module === "str" ? notingGroup(primeGroup, computed) : primeGroup
  const members = [await room.join("Ada", group), await room.join("Bob", group), await room.join("Carl", group)]
  const [lowest] = members.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  await expect.poll(() => members.every(({ secured, isSecured }) => isSecured && secured.at(-1) === 3)).toBe(true)
  const nextEpoch = async (): Promise<void> => {
    await Promise.all(members.map((member) => member.say("something")))
    const { id: former } = lowest!.driver.view
    // The lowest alone begins a view of the same members.
    lowest!.driver.changeView()
    const isNew = ({ driver: { view }, isSecured }: DriverMember): boolean => isSecured && view.id !== former
    await expect.poll(() => members.every(isNew)).toBe(true)
  }
  for (let epoch = 0; epoch < 3; epoch++) await nextEpoch()
  const former = new Set([...wiped.secrets, ...computed])
  // A share lives until its owner refreshes: in three turns all have, and the present epoch is none of the former.
  for (let epoch = 0; epoch < 4; epoch++) await nextEpoch()
  expect(former.size).toBeGreaterThan(20)
  expect(await whereHeld(former)).toEqual([])
}
