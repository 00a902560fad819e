import { aesGcm } from "../../src/ciphers/aes-gcm.ts"
import { majoritySigningInput } from "@keymoot/gke"
import { createToyGroup, toyX25519 } from "@keymoot/gke/testing"
import { memberIdFromBytes, type MemberId, type View } from "@keymoot/transport"
import { sha256, sha512 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import { encodeRosterBody } from "../../src/secure-group/agreement-body.ts"
import { encodeSessionAttachment } from "../../src/secure-group/attachments.ts"
import type { EpochKeysInput, EpochKeysOutput } from "../../src/secure-group/epoch-keys.ts"
import { SessionKeys } from "../../src/secure-group/session-keys.ts"

const group = createToyGroup()
const hash = (text: string): Uint8Array => sha256(utf8ToBytes(text))
const sign = (publicKey: Uint8Array, bytes: Uint8Array): Uint8Array => sha512(concatBytes(publicKey, bytes))

/** Five named people, of whom the script says who is in which view. Roster messages are delivered at once, unless they are lost. */
class World {
  readonly roster: MemberId[] = ["ada", "bob", "cleo", "dan", "eve"].map((name) =>
    memberIdFromBytes(hash(name).slice(0, 16)),
  )
  readonly keys = new Map<MemberId, SessionKeys>()
  /** Keys of the current view, by member; hashed. */
  readonly found = new Map<MemberId, string>()
  readonly faults: { readonly by: MemberId; readonly member: MemberId; readonly reason: string }[] = []
  refreshes = 0
  losing = false
  #queue: (() => void)[] = []
  #epoch = 0

  constructor() {
    this.roster.sort()
    for (const id of this.roster) this.arrive(id)
  }

  /** Also a member that reloads. */
  arrive(self: MemberId): void {
    const keys = new SessionKeys({
      self,
      module: "majority",
      group,
      x25519: toyX25519(group),
      verifier: {
        verify: (publicKey, bytes, signature) => bytesToHex(sign(publicKey, bytes)) === bytesToHex(signature),
      },
      roster: this.roster.map((member) => ({ member, publicKey: hash(member), fingerprint: hash(`cert ${member}`) })),
      conferenceId: new Uint8Array(16),
      descriptorHash: new Uint8Array(32),
      cipher: aesGcm,
      postQuantum: "off",
      kem: null,
      statementsHash: new Uint8Array(32),
      invitation: new Uint8Array(32),
      random: { bytes: randomBytes },
    })
    this.keys.set(self, keys)
  }

  handle(self: MemberId, input: EpochKeysInput): void {
    this.#act(self, this.keys.get(self)!.handle(input))
  }

  #act(self: MemberId, outputs: readonly EpochKeysOutput[]): void {
    for (const output of outputs) {
      if (output.type === "keyed") this.found.set(self, bytesToHex(sha256(output.epochKey)))
      if (output.type === "refreshDue") this.refreshes++
      if (output.type === "fault") this.faults.push({ by: self, member: output.member, reason: output.reason })
      if (output.type !== "statement") continue
      const signature = sign(hash(self), majoritySigningInput(output.statement))
      const body = encodeRosterBody({ ...output, signature })
      const copies = output.via === "multicast" ? [...output.to, self] : output.to
      for (const to of copies) {
        if (this.losing && to !== self) continue
        this.#queue.push(() => this.handle(to, { type: "rosterMessage", from: self, body }))
      }
    }
  }

  /** The keys with which its members come out of a view of these, null for who has none. */
  view(
    count: readonly number[],
    lies = new Map<MemberId, Uint8Array>(),
    beforeInstall = (): void => undefined,
  ): (string | null)[] {
    const ids = count.map((i) => this.roster[i]!).sort()
    const epoch = ++this.#epoch
    const proposal = { epoch, coordinator: ids[0]! }
    const attached = ids.map((id) => [id, lies.get(id) ?? this.keys.get(id)!.contribute(proposal, ids)] as const)
    const view: View = {
      id: bytesToHex(hash(`view ${epoch} ${ids.join()}`)) as View["id"],
      epoch,
      proposal,
      members: ids.map((id) => ({ id, incarnation: 1 })),
      transitional: ids,
      features: [],
      attachments: new Map(attached),
    }
    beforeInstall()
    this.found.clear()
    for (const id of ids) this.#act(id, this.keys.get(id)!.begin(view))
    this.settle()
    return ids.map((id) => this.found.get(id) ?? null)
  }

  settle(): void {
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) next()
  }
}

const one = (keys: readonly (string | null)[]): string => {
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).not.toBeNull()
  return keys[0]!
}

test("fewer than half wait, without anything to be expected; more than half have a key", () => {
  const world = new World()
  expect(world.view([0, 1])).toEqual([null, null])
  expect(world.keys.get(world.roster[0]!)!.expectsKey).toBe(false)
  one(world.view([0, 1, 2]))
  expect(world.keys.get(world.roster[0]!)!.expectsKey).toBe(true)
})

test("one key serves all views of a session, however small, and late members get it", () => {
  const world = new World()
  const key = one(world.view([0, 1, 2]))
  expect(one(world.view([2]))).toBe(key)
  expect(one(world.view([2, 3]))).toBe(key)
  // None of the three who made it is here any more.
  expect(one(world.view([3, 4]))).toBe(key)
  expect(one(world.view([0, 1, 2, 3, 4]))).toBe(key)
})

test("a member that reloaded is given the key again, and plays no part as two people", () => {
  const world = new World()
  const key = one(world.view([0, 1, 2]))
  world.arrive(world.roster[1]!)
  expect(one(world.view([0, 1]))).toBe(key)
  expect(world.faults).toEqual([])
})

test("all who made a key reload at once: more than half make another one", () => {
  const world = new World()
  const key = one(world.view([0, 1, 2]))
  for (const i of [0, 1, 2]) world.arrive(world.roster[i]!)
  expect(one(world.view([0, 1, 2]))).not.toBe(key)
})

test("a new key is agreed when somebody asks, and only while more than half are there", () => {
  const world = new World()
  const key = one(world.view([0, 1, 2]))
  world.keys.get(world.roster[1]!)!.renew()
  const next = one(world.view([0, 1, 2]))
  expect(next).not.toBe(key)
  world.keys.get(world.roster[1]!)!.renew()
  expect(one(world.view([0, 1]))).toBe(next)
  // Asked for once: the view after the next one keeps its key.
  expect(one(world.view([0, 1, 2]))).toBe(next)
})

test("a new key asked for during an install comes with the view after it", () => {
  const world = new World()
  const key = one(world.view([0, 1, 2]))
  expect(one(world.view([0, 1, 2], new Map(), () => world.keys.get(world.roster[0]!)!.renew()))).toBe(key)
  expect(one(world.view([0, 1, 2]))).not.toBe(key)
})

test("takes the later key when two partitions hold different ones", () => {
  const world = new World()
  const early = one(world.view([0, 1, 2]))
  world.keys.get(world.roster[2]!)!.renew()
  const late = one(world.view([2, 3, 4]))
  expect(one(world.view([0, 1]))).toBe(early)
  expect(one(world.view([0, 1, 2, 3, 4]))).toBe(late)
})

test("repeats messages that were given up when both ends learn of it", () => {
  const world = new World()
  world.losing = true
  expect(world.view([0, 1, 2])).toEqual([null, null, null])
  world.losing = false
  for (const i of [0, 1, 2]) {
    for (const j of [0, 1, 2]) {
      if (i !== j) world.handle(world.roster[i]!, { type: "rosterLost", peer: world.roster[j]! })
    }
  }
  world.settle()
  one([0, 1, 2].map((i) => world.found.get(world.roster[i]!) ?? null))
})

test("a session too small to have begun gets its key by another view change", () => {
  const world = new World()
  world.losing = true
  world.view([0, 1, 2])
  expect(world.view([0, 1])).toEqual([null, null])
  world.losing = false
  for (const [i, j] of [
    [0, 1],
    [0, 2],
    [1, 0],
    [1, 2],
    [2, 0],
    [2, 1],
  ] as const) {
    world.handle(world.roster[i]!, { type: "rosterLost", peer: world.roster[j]! })
  }
  world.settle()
  expect(world.refreshes).toBeGreaterThan(0)
  one(world.view([0, 1]))
})

test("changes the view when a key is replaced while a member still asks for it", () => {
  const world = new World()
  one(world.view([0, 1, 2]))
  world.losing = true
  world.keys.get(world.roster[0]!)!.renew()
  world.view([0, 1, 2])
  // Three comes and asks for the first key, when the others come to the second.
  world.view([0, 1, 2, 3])
  world.losing = false
  for (const i of [0, 1, 2]) {
    for (const j of [0, 1, 2]) {
      if (i !== j) world.handle(world.roster[i]!, { type: "rosterLost", peer: world.roster[j]! })
    }
  }
  world.settle()
  expect(world.refreshes).toBeGreaterThan(0)
  one(world.view([0, 1, 2, 3]))
})

test("changes the view when a key is replaced between the statements and the view", () => {
  const world = new World()
  one(world.view([0, 1, 2]))
  world.losing = true
  world.keys.get(world.roster[0]!)!.renew()
  world.view([0, 1, 2])
  world.losing = false
  const finish = (): void => {
    for (const i of [0, 1, 2]) {
      for (const j of [0, 1, 2]) {
        if (i !== j) world.handle(world.roster[i]!, { type: "rosterLost", peer: world.roster[j]! })
      }
    }
    world.settle()
    world.refreshes = 0
  }
  // All have said that they hold the first key, but three, who asks for it when there is only the second.
  expect(world.view([0, 1, 2, 3], new Map(), finish)[3]).toBeNull()
  expect(world.refreshes).toBeGreaterThan(0)
  one(world.view([0, 1, 2, 3]))
})

test("a member that enters an earlier session meanwhile still gets the later key", () => {
  const world = new World()
  const early = one(world.view([0, 1, 2]))
  world.losing = true
  world.keys.get(world.roster[0]!)!.renew()
  world.view([0, 1, 2, 3])
  world.losing = false
  // None has the second key yet, so the first serves this small view.
  expect(one(world.view([0, 3]))).toBe(early)
  for (const i of [0, 1, 2]) {
    for (const j of [0, 1, 2]) {
      if (i !== j) world.handle(world.roster[i]!, { type: "rosterLost", peer: world.roster[j]! })
    }
  }
  world.settle()
  world.view([0, 1, 2, 3])
  for (const i of [0, 1, 2]) {
    world.handle(world.roster[i]!, { type: "rosterLost", peer: world.roster[3]! })
    world.handle(world.roster[3]!, { type: "rosterLost", peer: world.roster[i]! })
  }
  world.handle(world.roster[3]!, { type: "tick", nowMs: 0 })
  world.settle()
  expect(one([0, 1, 2, 3].map((i) => world.found.get(world.roster[i]!) ?? null))).not.toBe(early)
})

test("a member without its key asks for another view after a while, once per key", () => {
  const world = new World()
  one(world.view([0, 1, 2]))
  world.losing = true
  for (let nowMs = 0; nowMs < 10_000; nowMs += 50) {
    if (nowMs % 5000 === 0) world.view([2, 3])
    world.handle(world.roster[3]!, { type: "tick", nowMs })
  }
  expect(world.refreshes).toBe(1)
})

test("an impossible session claim is a fault; an unknown one is skipped next time", () => {
  const world = new World()
  const key = one(world.view([0, 1, 2]))
  const liar = world.roster[2]!
  const claim = (epoch: number): Map<MemberId, Uint8Array> =>
    new Map([[liar, encodeSessionAttachment({ held: { epoch, viewId: hash("no such view") }, renews: false })]])
  expect(one(world.view([0, 1, 2], claim(2 ** 40)).slice(0, 2))).toBe(key)
  expect(world.faults).toContainEqual({ by: world.roster[0], member: liar, reason: "malformed-attachment" })
  // Alone with the liar, one names it; with more than half, one asks for another session.
  expect(world.view([0, 2], claim(2))[0]).toBeNull()
  expect(world.keys.get(world.roster[0]!)!.awaiting()).toEqual([liar])
  expect(world.view([0, 1, 2], claim(3))[0]).toBeNull()
  expect(world.keys.get(world.roster[0]!)!.awaiting()).toEqual([])
  world.keys.get(world.roster[0]!)!.renew()
  one(world.view([0, 1, 2], claim(4)))
})

test("blames a member that sends what it did not sign", () => {
  const world = new World()
  const [ada, bob] = world.roster as [MemberId, MemberId]
  world.handle(ada, { type: "rosterMessage", from: bob, body: new Uint8Array(100) })
  world.handle(ada, { type: "rosterMessage", from: bob, body: new Uint8Array(0) })
  expect(world.faults).toEqual([1, 2].map(() => ({ by: ada, member: bob, reason: "malformed-body" })))
})
