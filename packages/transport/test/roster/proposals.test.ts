import { expect, test } from "vitest"
import { GroupCore } from "../../src/group/core.ts"
import type { GroupOutput } from "../../src/view/group-types.ts"
import { decodeFrame, encodeFrame, encodeStaticPart } from "../../src/wire/frame.ts"
import { Cores, numbered, times } from "../group/cores.ts"

const [stranger, self, other] = [numbered(0), numbered(1), numbered(2)]
const conferenceTag = new Uint8Array(32)

/** A member's outputs when a stranger, linked by some mistake, proposes a view of the two. */
function answerToProposal(
  roster: readonly (typeof self)[] | null,
  isInside: (member: typeof self) => boolean = () => true,
): readonly GroupOutput[] {
  const core = new GroupCore({
    self: { id: self, incarnation: 1 },
    conferenceTag,
    epochFloor: 0,
    roster,
    policy: { isInside },
    ...times,
  })
  core.step({ type: "tick", nowMs: 0 })
  core.step({ type: "linkUp", peer: stranger, incarnation: 1 })
  const members = [stranger, self].map((id) => ({ id, incarnation: 1 }))
  const staticPart = encodeStaticPart({
    conferenceTag,
    view: core.view.id,
    origin: stranger,
    service: "none",
    sequence: 0,
    kind: "propose",
    message: { proposal: { epoch: 1, coordinator: stranger }, members },
  })
  const frame = decodeFrame(encodeFrame(staticPart, new Uint8Array(64)))!
  return core.step({ type: "frame", from: stranger, frame, syncs: [] })
}

test("a member accepts no view with somebody who is not in the roster", () => {
  const kinds = answerToProposal([self, other]).map((output) =>
    output.type === "sign" ? output.payload.kind : output.type,
  )
  expect(kinds).toEqual(["nack"])
  expect(answerToProposal(null).map(({ type }) => type)).toContain("flushRequest")
})

test("refuses a view with a person that is not admitted, and names those to notify", () => {
  const outputs = answerToProposal(null, (member) => member !== stranger)
  expect(outputs.map((output) => (output.type === "sign" ? output.payload.kind : output.type))).toEqual([
    "unadmitted",
    "nack",
  ])
  expect(outputs[0]).toEqual({ type: "unadmitted", coordinator: stranger })
})

test("names those to notify when a proposal has a member removed from the view", () => {
  const removed = numbered(2)
  let isRemoved = false
  const policy = { isInside: (member: typeof self) => !(isRemoved && member === removed) }
  const cores = new Cores(3, (member) => (member === 1 ? { policy } : {}))
  const [coordinator, member] = [cores.members[0]!, cores.members[1]!]
  cores.run(2000)
  expect(member.size).toBe(3)

  const answers: GroupOutput[] = []
  cores.watch = (of, output) => of === member && answers.push(output)
  isRemoved = true
  cores.step(member, { type: "linkDown", peer: removed })
  const { members, epoch } = member.core.view
  const message = { proposal: { epoch: epoch + 1, coordinator: coordinator.id }, members }
  cores.inject(member, coordinator, { kind: "propose", message })
  expect(answers).toContainEqual({ type: "unadmitted", coordinator: coordinator.id })
})
