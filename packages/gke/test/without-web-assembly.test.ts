/** If WebAssembly is forbidden or missing, everything goes on over noble. The host's refusals here are those of browsers. */
import { afterEach, expect, test, vi } from "vitest"
import { loadGroup, loadSeedSigner, loadSodiumGroup, loadX25519 } from "@keymoot/gke"
import { nobleGroup } from "../src/group/noble.ts"
import { nobleX25519 } from "../src/hpke/noble-x25519.ts"
import { Harness } from "./harness.ts"
import { MajorityWorld } from "./majority/majority-world.ts"
import { MODULES } from "./modules.ts"

/** As under a content security policy without `wasm-unsafe-eval`. */
const refusing = {
  Module: function refuse(): never {
    throw new Error("Refused to compile or instantiate WebAssembly module")
  },
}
const HOSTS = [
  { name: "a content security policy forbids WebAssembly", webAssembly: refusing },
  { name: "there is no WebAssembly", webAssembly: undefined },
]

afterEach(() => {
  vi.unstubAllGlobals()
})

for (const { name, webAssembly } of HOSTS) {
  test(`agrees over noble on libsodium's secret with each module when ${name}`, async () => {
    const sodiumGroup = await loadSodiumGroup()
    vi.stubGlobal("WebAssembly", webAssembly)
    const group = await loadGroup()
    expect(group).toBe(nobleGroup)
    for (const module of MODULES) {
      const [ours, theirs] = [group, sodiumGroup].map((each) => {
        const harness = new Harness(each, { module: module.name })
        const ids = ["a", "b", "c", "d"].map((member) => harness.start(member))
        harness.change(ids.slice(0, 3))
        harness.change(ids)
        harness.change(ids.slice(1))
        expect(harness.faults).toEqual([])
        return harness.secrets
      })
      expect(ours).toHaveLength(3 + 4 + 3)
      expect(ours!.map(({ secret, transcript }) => [secret, transcript])).toEqual(
        theirs!.map(({ secret, transcript }) => [secret, transcript]),
      )
    }
  })

  test(`gives no signer over libsodium when ${name}`, async () => {
    vi.stubGlobal("WebAssembly", webAssembly)
    expect(await loadSeedSigner()).toBeNull()
  })

  test(`agrees on a majority's key over noble when ${name}`, async () => {
    vi.stubGlobal("WebAssembly", webAssembly)
    const backends = { group: await loadGroup(), x25519: await loadX25519() }
    expect(backends).toEqual({ group: nobleGroup, x25519: nobleX25519 })
    const world = new MajorityWorld(backends, 3)
    for (const id of world.roster.slice(1)) {
      world.arrive(id)
      world.startSession(id, 1)
    }
    world.settle()
    const secrets = new Set(world.present().flatMap(({ secrets }) => [...secrets.values()].map(({ secret }) => secret)))
    expect(secrets.size).toBe(1)
    expect(world.faults).toEqual([])
  })
}

test("uses libsodium when WebAssembly is allowed: noble is ten times slower", async () => {
  expect(await loadGroup()).not.toBe(nobleGroup)
  expect(await loadX25519()).not.toBe(nobleX25519)
})
