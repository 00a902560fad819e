import * as fc from "fast-check"
import { expect, test } from "vitest"
import { type Element, loadSodiumGroup, type MemberId, type PrimeOrderGroup, type Scalar } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { Harness, memberNamed, type View } from "./harness.ts"
import { createBdCodec } from "../src/bd/bd-codec.ts"
import { differenceAt, sumOfKeys } from "../src/bd/ring.ts"
import { createAttachmentCodec } from "../src/clusters/attachment.ts"
import { isCanonicalScalar } from "../src/group/prime-order-group.ts"

const group = createToyGroup()
const sodium = await loadSodiumGroup()
const codec = createBdCodec(group)
const attachments = createAttachmentCodec(group)
const ids = (names: string): MemberId[] => [...names].map(memberNamed)
const nameOf = (id: MemberId): string => String.fromCodePoint(Number.parseInt(id.slice(0, 2), 16))

function harnessOf(names: string, recorded: PrimeOrderGroup = group): Harness {
  const harness = new Harness(group, { seed: names, module: "bd" })
  for (const name of names) harness.start(name, recorded)
  return harness
}

function expectStillAgrees(harness: Harness, names: string): void {
  harness.faults.length = 0
  harness.change(ids(names))
  expect(harness.faults).toEqual([])
  const secrets = new Set(ids(names).map((id) => harness.member(id).secret?.secret))
  expect(secrets.size).toBe(1)
  expect(secrets.has(undefined)).toBe(false)
}

/** Each fault once, as "who reason", in order. */
const faultsOf = (harness: Harness): string[] =>
  [...new Set(harness.faults.map(({ member, reason }) => `${nameOf(member)} ${reason}`))].sort()

function replaceDifference(view: View, sender: string, change: (x: Element) => Element): void {
  const index = view.log.findIndex(({ from }) => from === memberNamed(sender))
  const sent = view.log[index]!
  const message = codec.decodeMessage(sent.bytes)
  if (message?.kind !== "difference") throw new Error("each member has sent its X first")
  const difference = change(message.difference as Element)
  view.log[index] = { ...sent, bytes: codec.encodeMessage({ kind: "difference", difference }) }
}

const somewhere = (harness: Harness): Element => group.multiplyBase(group.randomScalar(harness.random()))

test("running sums give the paper's key: n times a shared key plus the weighted X", () => {
  for (const { members, backend } of [3, 4, 5, 9].flatMap((members) =>
    [group, sodium].map((backend) => ({ members, backend })),
  )) {
    const random = (i: number): Uint8Array => new Uint8Array(64).fill(17 * (i + 1))
    const scalars = Array.from({ length: members }, (_, i) => backend.randomScalar(random(i)))
    const shares = scalars.map((scalar) => backend.multiplyBase(scalar))
    const differences = scalars.map((scalar, i) => differenceAt(backend, shares, i, scalar))
    const sums = scalars.map((scalar, i) => sumOfKeys(backend, shares, differences, i, scalar))
    // Σ r_i r_{i+1}, straight from the shares.
    const exponent = scalars
      .map((scalar, i) => backend.multiplyScalars(scalar, scalars[(i + 1) % members]!))
      .reduce((a, b) => backend.addScalars(a, b))
    for (const sum of sums) expect(sum).toEqual(backend.multiplyBase(exponent))
  }
})

test("a member costs three exponentiations, in any group", () => {
  for (const members of [3, 10, 40]) {
    let exponentiations = 0
    let additions = 0
    const counting: PrimeOrderGroup = {
      ...group,
      multiply: (e, s) => {
        exponentiations++
        return group.multiply(e, s)
      },
      multiplyBase: (s) => {
        exponentiations++
        return group.multiplyBase(s)
      },
      add: (a, b) => {
        additions++
        return group.add(a, b)
      },
      addEncoded: (a, b) => {
        additions++
        return group.addEncoded(a, b)
      },
    }
    const harness = new Harness(group, { module: "bd" })
    const all = Array.from({ length: members }, (_, i) => harness.start(`m${i + 10}`, i === 0 ? counting : group))
    harness.change(all)
    expect(exponentiations).toBe(3)
    expect(additions).toBe(2 * members - 1)
  }
})

test("two members are a plain Diffie-Hellman and send nothing", () => {
  const harness = harnessOf("ab")
  const { view, rounds } = harness.change(ids("ab"))
  expect(view.log).toEqual([])
  expect(rounds).toBe(0)
  expect(harness.member(memberNamed("a")).secret?.secret).toBe(harness.member(memberNamed("b")).secret?.secret)
})

test("an X that is the identity, by copying a neighbour's neighbour, is not a fault", () => {
  const harness = harnessOf("abcd")
  const proposal = harness.propose(ids("abcd"))
  const { share } = attachments.decode(proposal.attachments.get(memberNamed("b"))!)!
  proposal.attachments.set(memberNamed("d"), attachments.encode({ share, standing: null, state: new Uint8Array(0) }))
  const view = harness.install(proposal, ids("abc"))
  const message = codec.decodeMessage(view.log.find(({ from }) => from === memberNamed("c"))!.bytes)
  if (message?.kind !== "difference") throw new Error("c has sent its X")
  expect(group.decode(message.difference as Element)).toEqual({ rejected: "identity" })
  for (const at of ids("abc")) for (const { from, bytes } of view.log) harness.inject(at, from, bytes)
  expect(harness.faults).toEqual([])
})

test("a wrong X is blamed on its sender when all have opened their shares", () => {
  for (const names of ["abc", "abcdefgh"]) {
    for (const liar of names) {
      const harness = harnessOf(names)
      const view = harness.install(harness.propose(ids(names)))
      replaceDifference(view, liar, () => somewhere(harness))
      harness.settle()
      expect(harness.secrets).toEqual([])
      expect(faultsOf(harness)).toEqual([`${liar} wrong-key`])
      expect(new Set(harness.faults.map(({ at }) => at)).size).toBe(names.length)
      expectStillAgrees(harness, names)
    }
  }
})

test("several liars are named together, and no honest member with them", () => {
  const liars = fc.subarray([..."abcdefg"], { minLength: 1, maxLength: 7 })
  const property = fc.property(liars, fc.nat(), (liars, seed) => {
    const harness = new Harness(group, { seed: `${seed}`, module: "bd" })
    for (const name of "abcdefg") harness.start(name)
    const view = harness.install(harness.propose(ids("abcdefg")))
    for (const liar of liars) replaceDifference(view, liar, () => somewhere(harness))
    harness.settle()
    expect(faultsOf(harness)).toEqual(liars.map((liar) => `${liar} wrong-key`))
    expect(harness.secrets).toEqual([])
  })
  fc.assert(property, { numRuns: 50 })
})

test("a liar that opens another share than its own, or no number, is named for that", () => {
  const zero = new Uint8Array(8)
  const forgeries: [string, (share: Uint8Array) => Uint8Array][] = [
    ["d wrong-key", () => group.randomScalar(new Uint8Array(64).fill(3))],
    ["d wrong-key", () => zero],
    ["d malformed-message", () => new Uint8Array(8).fill(0xff)],
    ["d malformed-message", (share) => share.slice(1)],
  ]
  for (const [expected, forge] of forgeries) {
    const harness = harnessOf("abcdef")
    const view = harness.install(harness.propose(ids("abcdef")))
    replaceDifference(view, "d", () => somewhere(harness))
    while (view.log.length === 6) for (const id of view.members) harness.deliverNext(id, harness.sendersWaiting(id)[0]!)
    harness.settle(ids("d"))
    const index = view.log.findIndex(({ from, bytes }) => from === memberNamed("d") && bytes[1] === 2)
    const sent = view.log[index]!
    view.log[index] = { ...sent, bytes: Uint8Array.of(1, 2, ...forge(sent.bytes.slice(2))) }
    harness.faults.length = 0
    harness.settle(ids("abcef"))
    expect(faultsOf(harness)).toEqual([expected])
    expectStillAgrees(harness, "abcef")
  }
})

test("an opening is a fault if the sum is right, or if foreign, second or private", () => {
  const harness = harnessOf("abc")
  const view = harness.install(harness.propose(ids("abc")))
  const opening = codec.encodeMessage({ kind: "opening", share: group.randomScalar(harness.random()) })
  const receiver = memberNamed("a")
  harness.inject(receiver, memberNamed("x"), opening)
  harness.inject(receiver, memberNamed("b"), opening, "unicast")
  expect(harness.faults.splice(0).map(({ member }) => nameOf(member))).toEqual(["x", "b"])
  // It may come before the last X, so it waits; once.
  harness.inject(receiver, memberNamed("b"), opening)
  expect(harness.faults).toEqual([])
  harness.inject(receiver, memberNamed("b"), opening)
  expect(harness.faults.splice(0).map(({ member }) => nameOf(member))).toEqual(["b"])
  harness.settle(view.members)
  expect(faultsOf(harness)).toEqual(["b unexpected-message"])
  expect(harness.member(receiver).secret).not.toBeNull()
  harness.faults.length = 0
  harness.inject(receiver, memberNamed("c"), opening)
  expect(faultsOf(harness)).toEqual(["c unexpected-message"])
})

test("openings that overtake the last X wait for it", () => {
  const harness = harnessOf("abcd")
  const view = harness.install(harness.propose(ids("abcd")))
  replaceDifference(view, "d", () => somewhere(harness))
  const [late, ...others] = ids("abcd")
  // a has everything but c's X when the openings of the others come.
  for (const id of others) for (const sender of view.members) harness.deliverNext(id, sender)
  for (const sender of ids("abd")) while (harness.deliverNext(late!, sender)) continue
  expect(harness.faults.filter(({ at }) => at === late)).toEqual([])
  harness.settle()
  expect(faultsOf(harness)).toEqual(["d wrong-key"])
  expect(harness.faults).toHaveLength(4)
})

test("in a dispute each opens once, and nobody from outside does", () => {
  const harness = harnessOf("abcd")
  const view = harness.install(harness.propose(ids("abcd")))
  replaceDifference(view, "d", () => somewhere(harness))
  const receiver = memberNamed("a")
  for (const id of view.members) for (const sender of view.members) harness.deliverNext(id, sender)
  harness.deliverNext(receiver, memberNamed("b"))
  expect(harness.faults).toEqual([])
  const opening = view.log.findLast(({ from }) => from === memberNamed("b"))!.bytes
  for (const from of ids("bx")) harness.inject(receiver, from, opening)
  expect(faultsOf(harness)).toEqual(["b unexpected-message", "x unexpected-message"])
  harness.faults.length = 0
  harness.settle()
  expect(faultsOf(harness)).toEqual(["d wrong-key"])
})

test("while it flushes a member opens nothing, and the next view is as any other", () => {
  const harness = harnessOf("abcd")
  const view = harness.install(harness.propose(ids("abcd")))
  replaceDifference(view, "d", () => somewhere(harness))
  const next = harness.propose(ids("abcd"))
  harness.settle()
  expect(view.log).toHaveLength(4)
  harness.install(next)
  harness.settle()
  expect(harness.faults).toEqual([])
  expect(new Set(harness.secrets.map(({ secret }) => secret)).size).toBe(1)
  expect(harness.secrets).toHaveLength(4)
})

test("two colluders can split the key, and the confirmations of the parts differ", () => {
  const harness = harnessOf("abcdef")
  const view = harness.install(harness.propose(ids("abcdef")))
  const shift = somewhere(harness)
  replaceDifference(view, "b", (x) => group.add(x, shift))
  replaceDifference(view, "e", (x) => group.subtract(x, shift))
  harness.settle()
  expect(harness.faults).toEqual([])
  expect(harness.secrets).toHaveLength(6)
  expect(new Set(harness.secrets.map(({ secret }) => secret)).size).toBeGreaterThan(1)
  expect(new Set(harness.secrets.map(({ transcript }) => transcript)).size).toBe(1)
  expectStillAgrees(harness, "acdf")
})

/** A view in which these members attach what they like, installed at the others. */
function installWithout(harness: Harness, names: string, attached: ReadonlyMap<string, Uint8Array>): View {
  const proposal = harness.propose(ids(names))
  for (const [name, share] of attached) {
    proposal.attachments.set(memberNamed(name), attachments.encode({ share, standing: null, state: new Uint8Array(0) }))
  }
  return harness.install(
    proposal,
    ids(names).filter((id) => !attached.has(nameOf(id))),
  )
}

const NO_ELEMENT = new Uint8Array(8).fill(0xff)
const IDENTITY = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1)

test("all detect a Z that is the identity or no element, and no secret results", () => {
  for (const [names, others] of [
    ["abcd", "abc"],
    ["abcdef", "abcef"],
  ] as const) {
    for (const share of [NO_ELEMENT, IDENTITY]) {
      const harness = harnessOf(names)
      const view = installWithout(harness, names, new Map([["d", share]]))
      harness.settle(ids(others))
      expect(view.log).toEqual([])
      expect(harness.faults).toEqual(
        ids(others).map((at) => ({ at, member: memberNamed("d"), reason: "malformed-attachment" })),
      )
      expect(harness.secrets).toEqual([])
      expectStillAgrees(harness, others)
    }
  }
})

test("names a bad Z only for itself when both neighbours collude with its owner", () => {
  const harness = harnessOf("abcdef")
  const shares = new Map<string, Uint8Array>([..."ce"].map((name) => [name, somewhere(harness)]))
  const view = installWithout(harness, "abcdef", shares.set("d", NO_ELEMENT))
  for (const name of "cde") {
    const bytes = codec.encodeMessage({ kind: "difference", difference: somewhere(harness) })
    view.log.push({ view, from: memberNamed(name), bytes })
  }
  harness.settle(ids("abf"))
  expect(faultsOf(harness)).toEqual(["d malformed-attachment"])
  expect(harness.secrets).toEqual([])
  expectStillAgrees(harness, "abf")
})

test("blames an invalid X on its sender once all X are there, and no secret results", () => {
  for (const bad of [new Uint8Array(8), new Uint8Array(8).fill(0xff)]) {
    const harness = harnessOf("abcde")
    const view = harness.install(harness.propose(ids("abcde")))
    for (const liar of "bd") replaceDifference(view, liar, () => bad as Element)
    harness.settle()
    expect(harness.secrets).toEqual([])
    expect(faultsOf(harness)).toEqual(["b malformed-message", "d malformed-message"])
    expect(new Set(harness.faults.map(({ at }) => at)).size).toBe(5)
    expectStillAgrees(harness, "ace")
  }
})

test("an attachment with a public state in it is malformed: there is none", () => {
  const harness = harnessOf("abc")
  harness.change(ids("abc"))
  const proposal = harness.propose(ids("abc"))
  const attachment = attachments.decode(proposal.attachments.get(memberNamed("c"))!)!
  proposal.attachments.set(memberNamed("c"), attachments.encode({ ...attachment, state: Uint8Array.of(1) }))
  harness.install(proposal, ids("ab"))
  expect(faultsOf(harness)).toEqual(["c malformed-attachment"])
  expectStillAgrees(harness, "abc")
})

test("no share outlives its view: a thief of a member's memory opens nothing", () => {
  const drawn: Scalar[] = []
  const recorded: PrimeOrderGroup = {
    ...group,
    randomScalar(random) {
      const scalar = group.randomScalar(random)
      drawn.push(scalar)
      return scalar
    },
  }
  const harness = harnessOf("abcd", recorded)
  harness.change(ids("abcd"))
  harness.change(ids("ab"))
  const disputed = harness.install(harness.propose(ids("abcd")))
  replaceDifference(disputed, "d", () => somewhere(harness))
  harness.settle()
  expect(drawn.length).toBe(10)
  expect(drawn.filter((scalar) => scalar.some((byte) => byte !== 0))).toEqual([])
})

test("a decoded message re-encodes to the same bytes, and other bytes give null", () => {
  const likely = fc.tuple(fc.constantFrom(0, 1, 2), fc.constantFrom(0, 1, 2, 3), fc.uint8Array({ maxLength: 20 }))
  const property = fc.property(likely, ([version, tag, rest]) => {
    const input = Uint8Array.of(version, tag, ...rest)
    const message = codec.decodeMessage(input)
    expect(message !== null).toBe(version === 1 && (tag === 1 || tag === 2) && rest.length === 8)
    if (message) expect(codec.encodeMessage(message)).toEqual(input)
  })
  fc.assert(property, { numRuns: 1000, examples: [[[1, 1, new Uint8Array(8)]], [[1, 2, new Uint8Array(8)]]] })
})

test("tells a peer's scalar from one that is not reduced, over either group", () => {
  const order = new Uint8Array(32)
  order.set([0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14])
  order[31] = 0x10
  expect(isCanonicalScalar(sodium, order)).toBe(false)
  expect(isCanonicalScalar(sodium, order.with(0, 0xec))).toBe(true)
  expect(isCanonicalScalar(sodium, order.with(0, 0xee))).toBe(false)
  expect(isCanonicalScalar(sodium, new Uint8Array(32))).toBe(true)
  expect(isCanonicalScalar(sodium, new Uint8Array(32).fill(0xff))).toBe(false)
  expect(isCanonicalScalar(group, new Uint8Array(8).fill(0xff))).toBe(false)
  expect(isCanonicalScalar(group, group.randomScalar(new Uint8Array(64).fill(9)))).toBe(true)
})
