import { expect, test } from "vitest"
import { decodeNotice, decodeStatements, encodeNotice, encodeStatements } from "../../src/admission/index.ts"
import { isSignedByIssuer, STATEMENT_BYTES_MAX, STAYING_MAX, decodeStatement } from "../../src/admission/statement.ts"
import { STATEMENTS_OF_ONE_MAX } from "../../src/admission/statement-set.ts"
import { openVouch, signVouch, VOUCH_MS, vouchesFor } from "../../src/admission/vouch.ts"
import { eachByteFlipped } from "../identity/people.ts"
import { bytesOf, checker, scope, setOf, Speaker } from "./hosts.ts"

const [ada, bob, tom, eve] = await Promise.all(["Ada", "Bob", "Tom", "Eve"].map((name) => Speaker.of(name)))
const fresh = (speaker: Speaker): Speaker => new Speaker(speaker.identity)
const generation = (number: number, removals = "00".repeat(32)) =>
  ({ type: "generation", generation: number, commitment: "11".repeat(32), removals, staying: [] }) as const

test("a statement is read back as it was written, the longest too, and changed in any byte counts for nothing", async () => {
  const host = fresh(ada!)
  const staying = Array.from({ length: STAYING_MAX }, () => bob!.key)
  const longest = await host.say({ ...generation(2), staying })
  expect(longest.bytes.length).toBeLessThanOrEqual(STATEMENT_BYTES_MAX)
  expect(decodeStatement(longest.bytes)?.statement).toEqual(longest.statement)
  const { bytes } = await host.removes(fresh(eve!))
  for (const { flipped } of eachByteFlipped(bytes)) {
    const decoded = decodeStatement(flipped)
    if (decoded) expect(await isSignedByIssuer(decoded, scope, checker)).toBe(false)
  }
  for (const cut of [0, 1, bytes.length - 1]) expect(decodeStatement(bytes.subarray(0, cut))).toBeNull()
  expect(decodeStatement(new Uint8Array([...bytes, 0]))).toBeNull()
})

test("a statement of another conference, or of another descriptor, is none here", async () => {
  const signed = await fresh(ada!).removes(fresh(eve!))
  for (const other of [
    { ...scope, conferenceId: new Uint8Array(16).fill(1) },
    { ...scope, descriptorHash: new Uint8Array(32).fill(1) },
  ])
    expect(await isSignedByIssuer(signed, other, checker)).toBe(false)
})

test("what nobody but a host has signed is not taken, whoever passes it on", async () => {
  const set = setOf(ada!)
  expect(await set.merge(bytesOf(await fresh(bob!).removes(fresh(ada!))))).toEqual({ changed: false, bad: false })
  const forged = (await fresh(ada!).removes(fresh(eve!))).bytes.slice()
  forged[0]! ^= 1
  expect(await set.merge([forged])).toEqual({ changed: false, bad: true })
  expect(await set.merge([new Uint8Array(7)])).toEqual({ changed: false, bad: true })
  expect(set.standing.removed.size).toBe(0)
})

test("the same statements in any order, in any pieces and repeated, make the same standing", async () => {
  const [a, b] = [fresh(ada!), fresh(bob!)]
  const all = [
    await a.makes(b, "host"),
    await b.makes(fresh(tom!), "viewer"),
    await b.removes(fresh(eve!)),
    await a.say(generation(2)),
  ]
  const whole = setOf(ada!)
  await whole.merge(bytesOf(...all))
  const backwards = setOf(ada!)
  await backwards.merge(bytesOf(...all.toReversed()))
  const pieces = setOf(ada!)
  for (const piece of [...all.toReversed(), ...all, ...all]) await pieces.merge(bytesOf(piece))
  expect(backwards.standing).toEqual(whole.standing)
  expect(pieces.standing).toEqual(whole.standing)
  expect(whole.standing.removed).toEqual(new Set([eve!.key]))
  const again = setOf(ada!)
  await again.merge(decodeStatements(encodeStatements(whole.encoded()))!)
  expect(again.standing).toEqual(whole.standing)
})

test("a host says so much and no more; others still can", async () => {
  const [a, b] = [fresh(ada!), fresh(bob!)]
  const set = setOf(ada!)
  await set.merge(bytesOf(await a.makes(b, "host")))
  const many = []
  for (let i = 0; i <= STATEMENTS_OF_ONE_MAX; i++) many.push(await b.makes(fresh(tom!), i % 2 ? "viewer" : "editor"))
  await set.merge(bytesOf(...many))
  expect([set.isFullFor(b.key), set.isFullFor(a.key)]).toEqual([true, false])
  expect(set.last(b.key)?.statement.number).toBe(STATEMENTS_OF_ONE_MAX)
  await set.merge(bytesOf(await a.removes(b)))
  expect(set.standing.removed).toEqual(new Set([b.key]))
})

test("a host's word is good for an hour, for just these statements, and in its office only", async () => {
  const [a, b] = [fresh(ada!), fresh(bob!)]
  const set = setOf(ada!)
  const at = 1_000_000_000
  const word = async (speaker: Speaker) => {
    const { key: issuer, identity } = speaker
    return signVouch(identity.signer, scope, { issuer, digest: set.standing.digest, saidAtMs: at })
  }
  const { bytes } = await word(a)
  const vouch = (await openVouch(bytes, scope, checker))!
  expect([at, at + VOUCH_MS - 1, at + VOUCH_MS].map((now) => vouchesFor(vouch, set.standing, now))).toEqual([
    true,
    true,
    false,
  ])
  expect(vouchesFor(vouch, set.standing, at - VOUCH_MS)).toBe(false)
  expect(vouchesFor((await openVouch((await word(b)).bytes, scope, checker))!, set.standing, at)).toBe(false)
  for (const { flipped } of eachByteFlipped(bytes)) expect(await openVouch(flipped, scope, checker)).toBeNull()
  await set.merge(bytesOf(await a.removes(fresh(eve!))))
  expect(vouchesFor(vouch, set.standing, at)).toBe(false)
})

test("notices are read back as they were written, and nothing else is read", async () => {
  const { bytes } = await fresh(ada!).removes(fresh(eve!))
  const notices = [
    { type: "statements", statements: [bytes], vouch: new Uint8Array(136) },
    { type: "statements", statements: [], vouch: null },
    { type: "invitation", secret: new Uint8Array(16).fill(7) },
    { type: "refusal" },
  ] as const
  for (const notice of notices) {
    const encoded = encodeNotice(notice)
    expect(decodeNotice(encoded)).toEqual(notice)
    for (let cut = 0; cut < encoded.length; cut++) expect(decodeNotice(encoded.subarray(0, cut))).toBeNull()
    expect(decodeNotice(new Uint8Array([...encoded, 0]))).toBeNull()
  }
})
