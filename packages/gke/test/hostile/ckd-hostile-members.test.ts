import { expect, test } from "vitest"
import type { Element, MemberId, Scalar } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { recording } from "../secrecy/eavesdropper.ts"
import { Harness, type View } from "../harness.ts"
import { expectStillAgrees, groupOf, ids, nameOf, takeFaults } from "../small-groups.ts"
import { decodeMessage, encodeMessage, type Message } from "../../src/ckd/ckd-codec.ts"
import { type Channel, open, seal } from "../../src/ckd/sealing.ts"
import { createSeatAttachmentCodec } from "../../src/seniority/seat-attachment.ts"

const group = createToyGroup()
const attachments = createSeatAttachmentCodec(group.elementBytes)
const [a, b, c, d] = ids("abcd") as [MemberId, MemberId, MemberId, MemberId]

/** a, b, c and d, of whom a is the controller. Its multicast of a further view is on its way. */
function sealedByA(): { harness: Harness; view: View; message: Message; shareOfA: Scalar } {
  const mind = recording(group)
  const harness = new Harness(group, { module: "ckd" })
  harness.start("a", mind.group)
  for (const name of "bcd") harness.start(name)
  harness.change(ids("abcd"))
  const view = harness.install(harness.propose(ids("abcd")))
  expect(view.log.map(({ from }) => nameOf(from))).toEqual(["a"])
  return { harness, view, message: decodeMessage(view.log[0]!.bytes)!, shareOfA: mind.copies.at(-1)! }
}

function replace(view: View, message: Message): void {
  view.log[0] = { view, from: a, bytes: encodeMessage(message) }
}

const keyedIn = (harness: Harness, view: View): string[] =>
  harness.secrets.flatMap((secret) => (secret.view === view ? [nameOf(secret.member)] : [])).sort()

test("the controller has no key before its own message is back, as others then have it", () => {
  const { harness, view } = sealedByA()
  harness.deliverNext(b, a)
  expect(keyedIn(harness, view)).toEqual(["b"])
  harness.deliverNext(a, a)
  expect(keyedIn(harness, view)).toEqual(["a", "b"])
})

test("a controller that seals garbage for one member is at fault there only", () => {
  const { harness, view, message } = sealedByA()
  replace(view, { ...message, sealed: message.sealed.with(1, new Uint8Array(48)) })
  harness.settle(ids("bcd"))
  expect(takeFaults(harness)).toEqual(["c of a: wrong-key"])
  expect(keyedIn(harness, view)).toEqual(["b", "d"])
  expectStillAgrees(harness, "bcd")
})

test("a controller that seals another secret for one member is detected", () => {
  const { harness, view, message, shareOfA } = sealedByA()
  const peer = attachments.decode(view.attachments.get(c)!)!.share as Element
  const channel = { sid: view.sid, controller: a, member: c }
  replace(view, {
    ...message,
    sealed: message.sealed.with(1, seal(group, shareOfA, peer, channel, new Uint8Array(32))),
  })
  harness.settle(ids("bcd"))
  expect(takeFaults(harness)).toEqual(["c of a: wrong-key"])
  expect(keyedIn(harness, view)).toEqual(["b", "d"])
  expectStillAgrees(harness, "bcd")
})

test("a secret sealed for one member opens at no other member, view or controller", () => {
  const { harness, view, message } = sealedByA()
  replace(view, { ...message, sealed: [message.sealed[1]!, message.sealed[0]!, message.sealed[2]!] })
  harness.settle(ids("bcd"))
  expect(takeFaults(harness)).toEqual(["b of a: wrong-key", "c of a: wrong-key"])
  const next = harness.install(harness.propose(ids("abcd")))
  harness.inject(d, a, view.log[0]!.bytes)
  expect(takeFaults(harness)).toEqual(["d of a: wrong-key"])
  expect(keyedIn(harness, next)).toEqual([])
  expectStillAgrees(harness, "abcd")
})

test("a seal of the same two shares opens for its session, controller and member only", () => {
  const random = (value: number): Uint8Array => new Uint8Array(64).fill(value)
  const [mine, theirs] = [group.randomScalar(random(1)), group.randomScalar(random(2))]
  const secret = new Uint8Array(32).fill(3)
  const channel = { sid: new Uint8Array(32), controller: a, member: b }
  const sealed = seal(group, mine, group.multiplyBase(theirs), channel, secret)
  const opened = (as: Channel): Uint8Array | null => open(group, theirs, group.multiplyBase(mine), as, sealed)
  expect(opened(channel)).toEqual(secret)
  for (const other of [{ sid: new Uint8Array(32).fill(1) }, { controller: c }, { member: c }]) {
    expect(opened({ ...channel, ...other })).toBeNull()
  }
})

test("a flipped bit blames the controller, or changes only the transcript", () => {
  const { view } = sealedByA()
  const { length } = view.log[0]!.bytes
  let accused = 0
  for (let bit = 0; bit < 8 * length; bit++) {
    const { harness, view } = sealedByA()
    harness.deliverNext(b, a)
    const { bytes } = view.log[0]!
    harness.inject(c, a, bytes.with(bit >> 3, bytes[bit >> 3]! ^ (1 << (bit & 7))))
    const [mine, theirs] = [harness.member(c).secret, harness.member(b).secret!]
    if (mine) {
      expect(mine.secret).toBe(theirs.secret)
      expect(mine.transcript).not.toBe(theirs.transcript)
    } else {
      accused++
      expect(takeFaults(harness)[0]).toMatch(/^c of a: (malformed-message|wrong-key)$/)
    }
  }
  // Version, commitment, number of seals, and its own: the other two seals are for others to open.
  expect(accused).toBe(8 * (1 + 32 + 2 + 48))
})

test("a foreign, repeated or private message is a fault, and the agreement continues", () => {
  const { harness, view } = sealedByA()
  const { bytes } = view.log[0]!
  harness.inject(c, b, bytes)
  harness.inject(c, a, bytes, "unicast")
  harness.inject(a, b, bytes)
  expect(takeFaults(harness)).toEqual([
    "a of b: unexpected-message",
    "c of a: unexpected-message",
    "c of b: unexpected-message",
  ])
  harness.settle()
  expect(keyedIn(harness, view)).toEqual([..."abcd"])
  harness.inject(c, a, bytes)
  expect(takeFaults(harness)).toEqual(["c of a: unexpected-message"])
})

test("seals for more or fewer members than there are is a fault of the controller", () => {
  for (const change of [
    (sealed: readonly Uint8Array[]) => sealed.slice(1),
    (sealed: readonly Uint8Array[]) => [...sealed, sealed[0]!],
  ]) {
    const { harness, view, message } = sealedByA()
    replace(view, { ...message, sealed: change(message.sealed) })
    harness.settle(ids("bcd"))
    expect(takeFaults(harness)).toEqual(["b", "c", "d"].map((at) => `${at} of a: malformed-message`))
    expectStillAgrees(harness, "bcd")
  }
})

test("every member detects a share that is the identity or no element", () => {
  for (const share of [Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1), new Uint8Array(8).fill(0xff)]) {
    for (const liar of "ac") {
      const harness = groupOf("ckd", "abcd")
      const proposal = harness.propose(ids("abcd"))
      const [id] = ids(liar) as [MemberId]
      const { standing } = attachments.decode(proposal.attachments.get(id)!)!
      proposal.attachments.set(id, attachments.encode({ share, standing }))
      harness.install(
        proposal,
        ids("abcd").filter((other) => other !== id),
      )
      const finders = [..."abcd"].filter((name) => name !== liar)
      expect(takeFaults(harness)).toEqual(finders.map((at) => `${at} of ${liar}: malformed-attachment`))
      expectStillAgrees(harness, [..."abcd"].filter((name) => name !== liar).join(""))
    }
  }
})
