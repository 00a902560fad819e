import { expect, test } from "vitest"
import type { Element, MemberId } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { type Harness, memberNamed, type View } from "../harness.ts"
import { expectStillAgrees, groupOf, ids, nameOf, takeFaults } from "../small-groups.ts"
import { createGdhCodec, type Message, type PartialKeyList } from "../../src/gdh/gdh-codec.ts"

const group = createToyGroup()
const codec = createGdhCodec(group)
const [a, b, c, d, e, f] = ids("abcdef") as [MemberId, MemberId, MemberId, MemberId, MemberId, MemberId]
const anyElement = (harness: Harness): Element => group.multiplyBase(group.randomScalar(harness.random()))

/** a, b, c and d agree; then e and f come: d, e and f are the chain, f its controller. Nothing is delivered yet. */
function joinOfTwo(): { harness: Harness; view: View } {
  const harness = groupOf("gdh", "abcd")
  harness.start("e")
  harness.start("f")
  return { harness, view: harness.install(harness.propose(ids("abcdef"))) }
}

/** a to f agree; then f leaves. The list of e, the newest that is left, is on its way. */
function leaveOfOne(): { harness: Harness; view: View; list: PartialKeyList } {
  const harness = groupOf("gdh", "abcdef")
  const view = harness.install(harness.propose(ids("abcde")))
  const message = codec.decode(view.log[0]!.bytes)
  if (message?.kind !== "list") throw new Error("a leave is one list")
  return { harness, view, list: message.list }
}

const keyedIn = (harness: Harness, view: View): string[] =>
  harness.secrets.flatMap((secret) => (secret.view === view ? [nameOf(secret.member)] : [])).sort()

test("the member before it detects a controller that broadcasts a different token", () => {
  const { harness, view } = joinOfTwo()
  while (view.log.length === 0) harness.deliverNext(...nextUnicast(harness, view))
  const element = anyElement(harness)
  view.log[0] = { view, from: f, bytes: codec.encode({ kind: "broadcast", element }) }
  harness.settle(ids("abcde"))
  expect(takeFaults(harness)).toEqual(["e of f: wrong-key"])
  expect(keyedIn(harness, view)).toEqual([])
  expectStillAgrees(harness, "abcde")
})

function nextUnicast(harness: Harness, view: View): [MemberId, MemberId] {
  const { to, from } = view.unicasts.find((message) => harness.sendersWaiting(message.to).includes(message.from))!
  return [to, from]
}

test("a controller that lists a wrong partial key is at fault there, others agree", () => {
  const { harness, view, list } = leaveOfOne()
  const wrong: Message = { kind: "list", list: { ...list, partials: list.partials.with(1, anyElement(harness)) } }
  view.log[0] = { view, from: e, bytes: codec.encode(wrong) }
  harness.settle(ids("abcd"))
  expect(takeFaults(harness)).toEqual(["b of e: wrong-key"])
  expect(keyedIn(harness, view)).toEqual(["a", "c", "d"])
  expect(new Set(harness.secrets.filter((secret) => secret.view === view).map(({ secret }) => secret)).size).toBe(1)
  expectStillAgrees(harness, "abcd")
})

test("a controller that lists keys of another key than committed is at fault for all", () => {
  const { harness, view, list } = leaveOfOne()
  const factor = group.randomScalar(harness.random())
  const partials = list.partials.map((partial) => group.multiply(partial as Element, factor))
  view.log[0] = { view, from: e, bytes: codec.encode({ kind: "list", list: { ...list, partials } }) }
  harness.settle(ids("abcd"))
  expect(takeFaults(harness)).toEqual(ids("abcd").map((at) => `${nameOf(at)} of e: wrong-key`))
  expect(keyedIn(harness, view)).toEqual([])
  expectStillAgrees(harness, "abcd")
})

test("a flipped bit of a list blames the controller, or changes only the transcript", () => {
  const { view } = leaveOfOne()
  const { length } = view.log[0]!.bytes
  let accused = 0
  for (let bit = 0; bit < 8 * length; bit++) {
    const { harness, view } = leaveOfOne()
    harness.deliverNext(a, e)
    const { bytes } = view.log[0]!
    harness.inject(b, e, bytes.with(bit >> 3, bytes[bit >> 3]! ^ (1 << (bit & 7))))
    const [mine, theirs] = [harness.member(b).secret, harness.member(a).secret!]
    if (mine) {
      expect(mine.secret).toBe(theirs.secret)
      expect(mine.transcript).not.toBe(theirs.transcript)
    } else {
      accused++
      expect(takeFaults(harness)[0]).toMatch(/^b of e: (malformed-message|wrong-key)$/)
    }
  }
  expect(accused).toBeGreaterThan(8 * (2 + 2 + 32 + 8))
})

test("a member that factors out something else harms nobody but itself", () => {
  const { harness, view } = joinOfTwo()
  while (!view.unicasts.some(({ from }) => from === b)) {
    const receiver = ids("bdef").find((id) => harness.sendersWaiting(id).length > 0)!
    harness.deliverNext(receiver, harness.sendersWaiting(receiver)[0]!)
  }
  const position = view.unicasts.findIndex(({ from }) => from === b)
  const bytes = codec.encode({ kind: "factored", element: anyElement(harness) })
  view.unicasts[position] = { ...view.unicasts[position]!, bytes }
  harness.settle()
  expect(keyedIn(harness, view)).toEqual(["a", "c", "d", "e", "f"])
  expect(new Set(harness.secrets.filter((secret) => secret.view === view).map(({ secret }) => secret)).size).toBe(1)
  // It may say so, but has itself to blame: the others see no fault.
  expect(takeFaults(harness)).toEqual(["b of f: wrong-key"])
  expectStillAgrees(harness, "acdef")
})

test("unprescribed tokens, factored shares and lists are faults, and it continues", () => {
  const { harness, view } = joinOfTwo()
  const element = anyElement(harness)
  const token = codec.encode({ kind: "token", trail: new Uint8Array(32), element })
  const broadcast = codec.encode({ kind: "broadcast", element })
  const factored = codec.encode({ kind: "factored", element })
  const list = codec.encode({
    kind: "list",
    list: { unicasts: new Uint8Array(32), commitment: new Uint8Array(32), partials: Array(5).fill(element) },
  })
  const expectUnexpected = (at: MemberId, from: MemberId, bytes: Uint8Array, via: "unicast" | "multicast"): void => {
    harness.inject(at, from, bytes, via)
    expect(takeFaults(harness)).toEqual([`${nameOf(at)} of ${nameOf(from)}: unexpected-message`])
  }
  expectUnexpected(e, c, token, "unicast")
  expectUnexpected(f, d, token, "unicast")
  expectUnexpected(a, d, token, "unicast")
  expectUnexpected(d, e, token, "unicast")
  expectUnexpected(e, d, token, "multicast")
  expectUnexpected(f, a, factored, "unicast")
  expectUnexpected(a, f, list, "multicast")
  expectUnexpected(a, e, broadcast, "multicast")
  expectUnexpected(a, f, broadcast, "unicast")
  // e has not passed the token on, so f cannot have it.
  expectUnexpected(e, f, broadcast, "multicast")
  harness.deliverNext(e, d)
  expectUnexpected(e, d, view.unicasts[0]!.bytes, "unicast")
  harness.deliverNext(f, e)
  expectUnexpected(f, f, factored, "unicast")
  expectUnexpected(f, memberNamed("x"), factored, "unicast")
  harness.deliverNext(a, f)
  expectUnexpected(a, f, view.log[0]!.bytes, "multicast")
  harness.deliverNext(f, a)
  expectUnexpected(f, a, view.unicasts.find(({ from }) => from === a)!.bytes, "unicast")
  harness.settle()
  expect(takeFaults(harness)).toEqual([])
  expect(keyedIn(harness, view)).toEqual([..."abcdef"])
  expectUnexpected(a, f, view.log[1]!.bytes, "multicast")
})

test("a message with the identity or no element in it is its sender's fault", () => {
  for (const element of [Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1), new Uint8Array(8).fill(0xff)]) {
    const { harness } = joinOfTwo()
    harness.inject(e, d, codec.encode({ kind: "token", trail: new Uint8Array(32), element }), "unicast")
    harness.inject(a, f, codec.encode({ kind: "broadcast", element }))
    expect(takeFaults(harness)).toEqual(["a of f: malformed-message", "e of d: malformed-message"])
    harness.deliverNext(e, d)
    harness.deliverNext(f, e)
    harness.inject(f, c, codec.encode({ kind: "factored", element }), "unicast")
    expect(takeFaults(harness)).toEqual(["f of c: malformed-message"])
    // The honest ones come after all.
    harness.settle()
    expect(takeFaults(harness)).toEqual([])

    const { harness: other, list } = leaveOfOne()
    other.inject(a, e, codec.encode({ kind: "list", list: { ...list, partials: list.partials.with(3, element) } }))
    other.inject(b, e, codec.encode({ kind: "list", list: { ...list, partials: list.partials.slice(1) } }))
    expect(takeFaults(other)).toEqual(["a of e: malformed-message", "b of e: malformed-message"])
    expectStillAgrees(other, "abcd")
  }
})

test("the list names all earlier unicasts: with another token it would differ", () => {
  const namedBy = (change: (harness: Harness, view: View) => void): Uint8Array => {
    const { harness, view } = joinOfTwo()
    change(harness, view)
    harness.settle()
    const message = codec.decode(view.log[1]!.bytes)
    if (message?.kind !== "list") throw new Error("the list comes second")
    return message.list.unicasts
  }
  const honest = namedBy(() => {})
  const otherTrail = namedBy((_, view) => {
    const token = view.unicasts[0]!
    const message = codec.decode(token.bytes)
    if (message?.kind !== "token") throw new Error("the chain begins with a token")
    view.unicasts[0] = { ...token, bytes: codec.encode({ ...message, trail: new Uint8Array(32).fill(1) }) }
  })
  expect(namedBy(() => {})).toEqual(honest)
  expect(otherTrail).not.toEqual(honest)
})
