import type { MemberId, View } from "@keymoot/transport"
import { expect, test } from "vitest"
import { splitIntoChunks } from "../../src/history/chunks.ts"
import { TransferDebts } from "../../src/history/transfer-debts.ts"
import { transferIn } from "../../src/history/arrivals.ts"

const [ada, bob, cleo, eve, tom] = [..."abcef"].map((letter) => letter.repeat(32)) as [
  MemberId,
  MemberId,
  MemberId,
  MemberId,
  MemberId,
]

/** Cleo keeps these debts. */
function open() {
  const debts = new TransferDebts()
  let views = 0
  const idOf = (view: number) => `${view}`.padStart(32, "0").padEnd(64, "0") as View["id"]
  /** A secured view: whether Cleo continues a transfer. `meanwhile`: before she has secured it. */
  const view = (
    present: readonly MemberId[],
    newcomers: readonly MemberId[] = [],
    { viewers = [] as readonly MemberId[], meanwhile = (): void => undefined } = {},
  ): boolean => {
    const id = idOf(++views)
    debts.onView({ transitional: present.filter((member) => !newcomers.includes(member)) })
    meanwhile()
    const members = present.map((member) => ({ id: member, incarnation: 1 }))
    return debts.onSecured({ id, members }, newcomers, cleo, (member) => !viewers.includes(member))
  }
  const send = (from: MemberId, ofView: number, chunks: number): void => {
    const pieces = splitIntoChunks(new Uint8Array(150_000), transferIn(idOf(ofView)))
    for (const piece of pieces.slice(0, chunks)) debts.onChunk(from, piece)
  }
  return { view, send }
}

test("continues when the sender leaves before its last chunk", () => {
  const { view, send } = open()
  expect(view([bob, cleo, tom], [tom])).toBe(false)
  send(bob, 1, 2)
  expect(view([cleo, tom])).toBe(true)
})

test("does not continue when the last chunk was delivered", () => {
  const { view, send } = open()
  view([bob, cleo, tom], [tom])
  send(bob, 1, 3)
  expect(view([cleo, tom])).toBe(false)
})

test("does not continue when the last chunk came before the view was secured here", () => {
  const { view, send } = open()
  view([bob, cleo, tom], [tom], { meanwhile: () => send(bob, 1, 3) })
  expect(view([cleo, tom])).toBe(false)
})

test("leaves it to the lowest remaining member, and follows when that one leaves", () => {
  const { view } = open()
  view([ada, bob, cleo, tom], [tom])
  expect(view([bob, cleo, tom])).toBe(false)
  expect(view([cleo, tom])).toBe(true)
})

test("leaves nothing to a newcomer, which lacks the log, when the sender leaves", () => {
  const { view } = open()
  view([ada, bob, cleo], [ada])
  expect(view([ada, cleo])).toBe(true)
})

test("continues when the sender became a viewer", () => {
  const { view } = open()
  view([bob, cleo, tom], [tom])
  expect(view([bob, cleo, tom], [], { viewers: [bob] })).toBe(true)
})

test("continues when the sender started again for further newcomers and left", () => {
  const { view, send } = open()
  view([bob, cleo, tom], [tom])
  view([bob, cleo, tom, eve], [eve])
  send(bob, 2, 2)
  expect(view([cleo, tom, eve])).toBe(true)
})

test("does not continue when the transfer that replaced the first one was whole", () => {
  const { view, send } = open()
  view([bob, cleo, tom], [tom])
  view([bob, cleo, tom, eve], [eve])
  send(bob, 2, 3)
  expect(view([cleo, tom, eve])).toBe(false)
})

test("does not continue when all newcomers have gone too", () => {
  const { view } = open()
  view([bob, cleo, tom], [tom])
  expect(view([cleo])).toBe(false)
})

test("takes another member's chunk for no transfer of the sender", () => {
  const { view, send } = open()
  view([bob, cleo, tom, eve], [tom, eve])
  send(eve, 1, 3)
  expect(view([cleo, tom, eve])).toBe(true)
})

test("does not continue when others would report history without newcomers", () => {
  const { view } = open()
  view([bob, cleo, tom], [tom])
  view([bob, cleo, tom])
  view([bob, cleo, tom])
  expect(view([cleo, tom])).toBe(false)
})
