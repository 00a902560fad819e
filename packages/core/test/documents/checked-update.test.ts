import * as fc from "fast-check"
import { expect, test } from "vitest"
import * as Y from "yjs"
import { checkUpdate, isOfClient } from "../../src/documents/checked-update.ts"
import { differentTypes, drawnBy } from "./drawings.ts"

/** Bytes of which some were changed, cut out or put in. */
const mutated = (bytes: Uint8Array) =>
  fc
    .array(fc.record({ at: fc.nat(), to: fc.nat(255), cut: fc.nat(2), put: fc.nat(2) }), { minLength: 1, maxLength: 3 })
    .map((changes) => {
      const next = [...bytes]
      for (const { at, to, cut, put } of changes) {
        next.splice(at % (next.length + 1), cut, ...Array<number>(put).fill(to))
      }
      return Uint8Array.from(next)
    })

test("takes a changed update as a whole or not at all", () => {
  const { updates } = differentTypes()
  let taken = 0
  const oneOf = fc.nat(updates.length - 1).chain((index) => fc.tuple(fc.constant(index), mutated(updates[index]!)))
  fc.assert(
    fc.property(oneOf, ([index, bytes]) => {
      const checked = checkUpdate(bytes)
      if (!checked) return
      const doc = new Y.Doc()
      for (const update of updates.slice(0, index)) Y.applyUpdate(doc, update)
      const known = (client: number): number => Y.getState(doc.store, client)
      if ([...checked.needs].some(([client, clock]) => known(client) < clock)) return
      taken++
      Y.applyUpdate(doc, bytes)
      expect(doc.store.pendingStructs).toBeNull()
      expect(doc.store.pendingDs).toBeNull()
      for (const [client, { to }] of checked.ranges) expect(known(client)).toBeGreaterThanOrEqual(to)
    }),
    { numRuns: 3000 },
  )
  expect(taken, "some of them are updates still").toBeGreaterThan(100)
})

test("accepts every honest update, and states its contents and dependencies", () => {
  const { doc, updates } = differentTypes()
  const copy = new Y.Doc()
  for (const update of updates) {
    const checked = checkUpdate(update)!
    for (const [client, clock] of checked.needs) expect(Y.getState(copy.store, client)).toBeGreaterThanOrEqual(clock)
    Y.applyUpdate(copy, update)
    for (const [client, { to }] of checked.ranges) expect(Y.getState(copy.store, client)).toBe(to)
  }
  expect(checkUpdate(Y.encodeStateAsUpdate(doc))!.needs.size).toBe(0)
})

test("the client of an own change is read from its beginning", () => {
  const doc = drawnBy(7, 5)
  const [own, other] = [Y.encodeStateAsUpdate(doc), Y.encodeStateAsUpdate(drawnBy(8, 5))]
  expect(isOfClient(own, 7)).toBe(true)
  expect(isOfClient(own, 8)).toBe(false)
  expect(isOfClient(Y.mergeUpdates([own, other]), 7)).toBe(false)
  const deletion = Y.encodeStateAsUpdate(doc, Y.encodeStateVector(doc))
  expect(isOfClient(deletion, 8)).toBe(true)
})

test("an update whose end cannot be read is none", () => {
  const update = Y.encodeStateAsUpdate(drawnBy(7, 5))
  for (let length = 0; length < update.length; length++) expect(checkUpdate(update.subarray(0, length))).toBeNull()
})

test("refuses a part that depends on itself or a later one: Yjs would throw midway", () => {
  // One string of client 1, at clock 0, whose left neighbour is its own clock 0.
  const update = Uint8Array.of(1, 1, 1, 0, 0x84, 1, 0, 1, 97, 0)
  expect(() => Y.applyUpdate(new Y.Doc(), update)).toThrow()
  expect(checkUpdate(update)).toBeNull()
})
