/** Invalid values in place of a blinded key, on a member's path and beside it. */
import { expect, test } from "vitest"
import { createToyGroup } from "@keymoot/gke/testing"
import { createKeyTreeCodec } from "../../src/key-tree/tree-codec.ts"
import { strShape } from "../../src/str/str-shape.ts"
import { tgdhShape } from "../../src/tgdh/tgdh-shape.ts"
import type { Harness, View } from "../harness.ts"
import { expectStillAgrees, groupOf, ids } from "../small-groups.ts"

const group = createToyGroup()
const TREES = [
  { name: "tgdh", codec: createKeyTreeCodec(group, tgdhShape) },
  { name: "str", codec: createKeyTreeCodec(group, strShape) },
] as const
const NO_ELEMENTS = [group.elementBytes - 1, 0].map((last) => new Uint8Array(group.elementBytes).fill(0xff, 0, last))
const IDENTITY = Uint8Array.of(...new Uint8Array(group.elementBytes - 1), 1)

for (const { name, codec } of TREES) {
  test(`${name}: all detect a blinded key that is no element, and get no secret`, () => {
    for (const instead of [...NO_ELEMENTS, IDENTITY]) {
      for (let at = 0; ; at++) {
        const harness = groupOf(name, "abcdefgh")
        const view = harness.install(harness.propose(ids("abcefgh")))
        const { from, bytes } = view.log[0]!
        const message = codec.decodeMessage(bytes)
        if (message?.kind !== "keys") throw new Error("a leave is answered by keys")
        if (at >= message.blinded.length) break
        const forged = codec.encodeMessage({ ...message, blinded: message.blinded.with(at, instead) })
        for (const id of view.members) if (id !== from) harness.inject(id, from, forged)
        const found = harness.faults.map(({ at: member, reason }) => `${member} ${reason}`)
        expect(found.sort()).toEqual(view.members.filter((id) => id !== from).map((id) => `${id} malformed-message`))
        expect(view.members.filter((id) => harness.member(id).secret)).toEqual([])
        expectStillAgrees(harness, "abcefgh")
      }
    }
  })

  test(`${name}: a forged message in a member's own turn is a fault, without a secret`, () => {
    // Two places change, so that under TGDH one sponsor waits for the other's key: its turn comes when it has sent nothing yet.
    const begin = (): { harness: Harness; view: View } => {
      const harness = groupOf(name, "abcdefghijkl")
      return { harness, view: harness.install(harness.propose(ids("abdefghijl"))) }
    }
    const { harness: calm, view: whole } = begin()
    calm.settle()
    for (const { from, bytes } of whole.log) {
      const message = codec.decodeMessage(bytes)
      if (message?.kind !== "keys") throw new Error("nobody's state is missing")
      const { harness, view } = begin()
      // As many keys as the member is to publish then, all of them elements.
      const blinded = message.blinded.map(() => group.multiplyBase(group.randomScalar(harness.random())))
      expect(harness.inject(from, from, codec.encodeMessage({ ...message, blinded }))).toEqual([
        { type: "fault", member: from, reason: "wrong-key" },
      ])
      harness.settle()
      expect(harness.member(from).secret).toBeNull()
      expect(harness.secrets.filter((secret) => secret.view === view && secret.member === from)).toEqual([])
      expectStillAgrees(harness, "abdefghijl")
    }
    expect(whole.log.length).toBe(name === "tgdh" ? 2 : 1)
  })

  test(`${name}: a useless forged message in a member's name is a fault; it continues`, () => {
    const harness = groupOf(name, "abcdefghijkl")
    const { members } = harness.install(harness.propose(ids("abdefghijl")))
    for (const id of members) {
      for (const [round, count] of [
        [1, 5],
        [2, 5],
        [3, 1],
      ] as const) {
        const blinded = Array.from({ length: count }, () => group.multiplyBase(group.randomScalar(harness.random())))
        const outputs = harness.inject(id, id, codec.encodeMessage({ kind: "keys", round, blinded }))
        expect(outputs.map((output) => output.type === "fault" && output.member)).toEqual([id])
      }
    }
    harness.settle()
    expect(members.filter((id) => harness.member(id).secret === null)).toEqual([])
  })
}
