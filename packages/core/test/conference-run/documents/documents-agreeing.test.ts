/** Members whose documents differ: they converge, or are notified that they cannot. */
import { expect, test, vi } from "vitest"
import { WISHES_ANSWERED_MAX } from "../../../src/client/documents/document-agreement.ts"
import type { ConferenceDocument } from "../../../src/client/documents/document.ts"
import { DIFFERENCES_BEFORE_REPORT } from "../../../src/documents/comparison.ts"
import { MessageKind } from "../../../src/multicast/message-kind.ts"
import { documentOf, memberOf, peersOf, TRANSFER } from "./documents.ts"

const WAIT = { timeout: 60_000 }
const QUIET_MS = 20
type Said = { readonly kind: number; readonly payload: Uint8Array; readonly channel: string }

/** Members in one view. `passes`: what of a member's messages another one gets; null for nothing. */
function company(letters: string, passes: (from: string, to: string, said: Said) => Uint8Array | null) {
  const documents = new Map<string, ConferenceDocument>()
  const reported: string[] = []
  const said = new Map<string, number[]>()
  for (const letter of letters) {
    const call = async (_: string, params: Partial<Said>) => {
      if (params.payload === undefined) return []
      const message = params as Said
      said.set(letter, [...(said.get(letter) ?? []), message.kind])
      for (const [other, document] of documents) {
        const payload = other === letter ? null : passes(letter, other, message)
        if (payload) document.onPayload({ type: "payload", ...message, from: memberOf(letter), payload })
      }
      return null
    }
    const report = ({ code, member }: { code: string; member: string | null }): void => {
      reported.push(`${letter}: ${code} ${member?.[0]}`)
    }
    documents.set(letter, documentOf(letter, call, { report, quietMs: QUIET_MS }))
  }
  const of = (letter: string): ConferenceDocument => documents.get(letter)!
  return {
    of,
    elements: (letter: string) => of(letter).doc.getMap("elements"),
    meet: () => documents.forEach((document) => document.onView(peersOf(letters), "nothing", TRANSFER)),
    reported,
    /** How often a member has sent this. */
    count: (letter: string, kind: number) => (said.get(letter) ?? []).filter((each) => each === kind).length,
    close: () => documents.forEach((document) => document.close()),
  }
}

const everything = (_: string, __: string, { payload }: Said): Uint8Array => payload

test("members with the same document say so once, and ask for nothing", async () => {
  const { meet, elements, count, reported, close } = company("abc", everything)
  meet()
  elements("a").set("stroke", 1)
  await expect
    .poll(() => [..."abc"].map((letter) => count(letter, MessageKind.documentDigest)), WAIT)
    .toEqual([1, 1, 1])
  expect([..."abc"].map((letter) => count(letter, MessageKind.documentWish))).toEqual([0, 0, 0])
  expect(reported).toEqual([])
  close()
})

test("a stroke that one member never got comes to it all the same", async () => {
  let lost = 0
  const { meet, elements, reported, close } = company("abc", (from, to, { kind, payload }) => {
    const loses = from === "a" && to === "c" && kind === MessageKind.documentUpdate && lost++ === 0
    return loses ? null : payload
  })
  meet()
  elements("a").set("lost", 1)
  await Promise.resolve()
  elements("a").set("next", 2)
  await expect.poll(() => elements("c").toJSON(), WAIT).toEqual({ lost: 1, next: 2 })
  expect(reported).toEqual([])
  close()
})

test("a deletion that one member never got comes to it all the same", async () => {
  let loses = false
  const { meet, elements, close } = company("ab", (from, _, { kind, payload }) =>
    loses && from === "a" && kind === MessageKind.documentUpdate ? null : payload,
  )
  meet()
  elements("a").set("stroke", 1)
  await expect.poll(() => elements("b").size, WAIT).toBe(1)
  loses = true
  elements("a").delete("stroke")
  await expect.poll(() => elements("b").size, WAIT).toBe(0)
  close()
})

test("gets a change from another holder when its author has gone", async () => {
  const { meet, elements, of, close } = company("abd", (from, to, { kind, payload }) =>
    from === "d" && to === "b" && kind === MessageKind.documentUpdate ? null : payload,
  )
  of("a").onView(peersOf("abd"), "nothing", TRANSFER)
  of("d").onView(peersOf("abd"), "nothing", TRANSFER)
  elements("d").set("stroke", 1)
  await expect.poll(() => elements("a").size, WAIT).toBe(1)
  for (const letter of ["a", "b"]) of(letter).onView(peersOf("ab"), "nothing", TRANSFER)
  await expect.poll(() => elements("b").toJSON(), WAIT).toEqual({ stroke: 1 })
  void meet
  close()
})

test("transfers what only a viewer has when it becomes an editor", async () => {
  let isGone = false
  const { elements, of, reported, close } = company("ade", (from, to, { payload }) =>
    `${from}${to}`.includes("d") && (isGone || `${from}${to}`.includes("a")) ? null : payload,
  )
  for (const letter of ["d", "e"]) of(letter).onView(peersOf("de", "e"), "nothing", TRANSFER)
  elements("d").set("stroke", 1)
  await expect.poll(() => elements("e").size, WAIT).toBe(1)
  isGone = true
  for (const letter of ["a", "e"]) of(letter).onView(peersOf("ae", "e"), "nothing", TRANSFER)
  await expect.poll(() => reported.toSorted(), WAIT).toEqual(["a: divergence e", "e: divergence a"])
  expect(elements("a").size).toBe(0)
  for (const letter of ["a", "e"]) of(letter).onView(peersOf("ae"), "nothing", TRANSFER)
  await expect.poll(() => elements("a").toJSON(), WAIT).toEqual({ stroke: 1 })
  close()
})

test("a member that draws differently for each of the others is detected", async () => {
  const { meet, elements, reported, close } = company("abe", (from, to, { kind, payload }) => {
    if (from !== "e") return payload
    if (kind === MessageKind.documentDigest) return null
    // The letter that both know at the same place.
    return to === "a" ? payload.map((byte) => (byte === 0x78 ? 0x79 : byte)) : payload
  })
  meet()
  elements("e").set("stroke", "xxxx")
  await expect.poll(() => [elements("a").get("stroke"), elements("b").get("stroke")], WAIT).toEqual(["yyyy", "xxxx"])
  const byHonest = (): string[] => reported.filter((each) => !each.startsWith("e")).toSorted()
  await expect.poll(byHonest, WAIT).toEqual(["a: divergence b", "b: divergence a"])
  close()
})

test("both report a divergence when one counts more digests than the other", async () => {
  // One answer of a member may stand for several digests that it has received.
  const { meet, elements, of, reported, close } = company("abe", (from, to, { kind, payload }) => {
    const isDigest = kind === MessageKind.documentDigest
    const isRepeated = isDigest && from === "b" && to === "a"
    const repeated = { type: "payload", channel: "x", kind, from: memberOf("b"), payload } as const
    if (isRepeated) [1, 2, 3].forEach(() => of("a").onPayload(repeated))
    if (from !== "e") return payload
    if (isDigest) return null
    return to === "a" ? payload.map((byte) => (byte === 0x78 ? 0x79 : byte)) : payload
  })
  meet()
  elements("e").set("stroke", "xxxx")
  const byHonest = (): string[] => reported.filter((each) => !each.startsWith("e")).toSorted()
  await expect.poll(byHonest, WAIT).toEqual(["a: divergence b", "b: divergence a"])
  close()
})

test("endless digests of a lying member cause one report and nothing else", async () => {
  const { meet, elements, of, reported, count, close } = company("ab", everything)
  meet()
  elements("a").set("stroke", 1)
  await expect.poll(() => elements("b").size, WAIT).toBe(1)
  await expect.poll(() => count("b", MessageKind.documentDigest), WAIT).toBe(1)
  const lie = { type: "payload", channel: "x", kind: MessageKind.documentDigest, from: memberOf("a") } as const
  for (let i = 0; i < 50; i++) of("b").onPayload({ ...lie, payload: new Uint8Array(32).fill(i) })
  expect(reported).toEqual(["b: divergence a"])
  expect(count("b", MessageKind.documentWish)).toBeLessThan(DIFFERENCES_BEFORE_REPORT)
  close()
})

test("a viewer that wishes at each turn gets the board from few members in a minute", async () => {
  const writers = "abcdef"
  const { meet, of, count, close } = company(writers, everything)
  meet()
  const wish = { type: "payload", channel: "x", kind: MessageKind.documentWish, from: memberOf("0") } as const
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now())
  for (let turn = 0; turn < 10 * WISHES_ANSWERED_MAX; turn++) {
    for (const letter of writers) of(letter).onPayload({ ...wish, payload: Uint8Array.of(turn, 0) })
  }
  clock.mockRestore()
  const sum = (kind: number): number[] => [...writers].map((letter) => count(letter, kind))
  // A digest follows once nothing is being sent.
  await expect.poll(() => Math.min(...sum(MessageKind.documentDigest)), WAIT).toBeGreaterThan(0)
  expect(sum(MessageKind.documentChange).filter((answers) => answers > 0)).toEqual([1, 1, 1])
  close()
})

test("a member that wishes without end is answered once in a while", async () => {
  const { meet, elements, of, count, close } = company("ab", everything)
  meet()
  elements("b").set("stroke", 1)
  await expect.poll(() => elements("a").size, WAIT).toBe(1)
  const wish = { type: "payload", channel: "x", kind: MessageKind.documentWish, from: memberOf("a") } as const
  for (let i = 0; i < 500; i++) of("b").onPayload({ ...wish, payload: Uint8Array.of(i % 256, 0) })
  await expect.poll(() => count("b", MessageKind.documentDigest), WAIT).toBeGreaterThan(0)
  const answers = count("b", MessageKind.documentChange)
  expect(answers).toBeGreaterThan(0)
  expect(answers).toBeLessThan(5)
  // Nobody expects one, so nobody would inflate it.
  expect(count("b", MessageKind.documentChunk)).toBe(0)
  for (const garbage of [new Uint8Array(0), Uint8Array.of(0, 255), new Uint8Array(100).fill(255)]) {
    of("b").onPayload({ ...wish, payload: garbage })
  }
  close()
})
