import { expect, test } from "vitest"
import { decodeNotice, encodeNotice } from "../../src/admission/statements/notice.ts"
import {
  isSignedByIssuer,
  STATEMENT_BYTES_MAX,
  STAYING_MAX,
  decodeStatement,
} from "../../src/admission/statements/statement.ts"
import { CREATOR_STATEMENTS_MAX, HOST_BYTES_MAX, HOST_STATEMENTS_MAX } from "../../src/admission/statements/chains.ts"
import {
  decodeStatements,
  encodeStatements,
  OWN_STATEMENTS_MAX,
  STATEMENTS_MAX,
} from "../../src/admission/statements/statement-set.ts"
import { openVouch, signVouch, VOUCH_MS, vouchesFor } from "../../src/admission/statements/vouch.ts"
import { eachByteFlipped } from "../identity/people.ts"
import { bytesOf, checker, scope, setOf, Speaker } from "./hosts.ts"

const [ada, bob, tom, eve] = await Promise.all(["Ada", "Bob", "Tom", "Eve"].map((name) => Speaker.of(name)))
const fresh = (speaker: Speaker): Speaker => new Speaker(speaker.identity)
const generation = (number: number, removals = "00".repeat(32)) =>
  ({ type: "generation", generation: number, commitment: "11".repeat(32), removals, staying: [] }) as const

test("a statement round-trips, the longest too, and is refused with any byte changed", async () => {
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

test("refuses a statement without a host's signature, from any member", async () => {
  const set = setOf(ada!)
  expect(await set.merge(bytesOf(await fresh(bob!).removes(fresh(ada!))))).toEqual({ changed: false, bad: false })
  const forged = (await fresh(ada!).removes(fresh(eve!))).bytes.slice()
  forged[0]! ^= 1
  expect(await set.merge([forged])).toEqual({ changed: false, bad: true })
  expect(await set.merge([new Uint8Array(7)])).toEqual({ changed: false, bad: true })
  expect(set.standing.removed.size).toBe(0)
})

test("a malformed statement ends the reading, so that a list of them costs little", async () => {
  const set = setOf(ada!)
  const host = fresh(ada!)
  const [before, after] = bytesOf(await host.removes(fresh(eve!)), await host.removes(fresh(tom!)))
  expect(await set.merge([before!, new Uint8Array(0), after!])).toEqual({ changed: true, bad: true })
  expect(set.standing.removed).toEqual(new Set([eve!.key]))
})

test("statements in any order, in pieces or repeated, give the same standing", async () => {
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

test("takes nothing from a host beyond its quota when others still have room", async () => {
  const [a, b] = [fresh(ada!), fresh(bob!)]
  const [set, ofBob] = [setOf(ada!), setOf(ada!, b)]
  const made = await a.makes(b, "host")
  const many = []
  for (let i = 0; i < 10 * HOST_STATEMENTS_MAX; i++) many.push(await b.makes(fresh(tom!), i % 2 ? "viewer" : "editor"))
  for (const each of [set, ofBob]) await each.merge(bytesOf(made, ...many))
  expect([ofBob.hasRoomFor(1), set.hasRoomFor(1)]).toEqual([false, true])
  expect(set.standing.heads.get(b.key)).toBe(many[HOST_STATEMENTS_MAX - 1]!.id)
  await set.merge(bytesOf(await a.removes(b)))
  expect(set.standing.removed).toEqual(new Set([b.key]))
})

test("leaves the creator its room when another host fills all of its own", async () => {
  const [a, b] = [fresh(ada!), fresh(bob!)]
  const set = setOf(ada!, a)
  const staying = Array.from({ length: STAYING_MAX }, () => eve!.key)
  const made = await a.makes(b, "host")
  const large = []
  for (let said = 0; said < 10 * HOST_BYTES_MAX; said += large.at(-1)!.bytes.length) {
    large.push(await b.say({ ...generation(2), staying }))
  }
  await set.merge(bytesOf(made, ...large))
  const bytes = set.encoded().reduce((sum, each) => sum + each.length, -made.bytes.length)
  expect(bytes).toBeLessThanOrEqual(HOST_BYTES_MAX)
  expect(set.hasRoomFor(1)).toBe(true)
  // Removed with nothing heard, it leaves nothing behind, then or later.
  await set.merge(bytesOf(await a.say({ type: "removal", subject: b.key }), ...large))
  expect(set.encoded()).toHaveLength(2)
  const renewed = await a.say({ ...generation(2), staying })
  await set.merge(bytesOf(renewed))
  expect(set.standing.generation?.id).toBe(renewed.id)
})

test("continues its own numbers when an office seemed lost and was not", async () => {
  const [a, t, b] = [fresh(ada!), fresh(tom!), fresh(bob!)]
  const set = setOf(ada!, b)
  const made = [await a.makes(t, "host"), await a.makes(b, "host")]
  // Tom has heard nothing of what Bob says, and is removed by Ada, who has heard nothing of Tom.
  const ended = await t.say({ type: "removal", subject: b.key })
  const said = await b.makes(fresh(eve!), "viewer")
  await set.merge(bytesOf(...made, said, ended))
  expect(set.next()).toBeNull()
  expect(set.encoded()).not.toContainEqual(said.bytes)
  await set.merge(bytesOf(await a.say({ type: "removal", subject: t.key })))
  expect(set.next()).toMatchObject({ number: 2, previous: said.id, office: b.office })
  expect(set.encoded()).toContainEqual(said.bytes)
})

test("a list holds all that a member keeps when every quota is used up", async () => {
  const statements = Array.from({ length: STATEMENTS_MAX + OWN_STATEMENTS_MAX }, () => new Uint8Array(1))
  expect(decodeStatements(encodeStatements(statements))).toHaveLength(statements.length)
  expect(OWN_STATEMENTS_MAX).toBeGreaterThanOrEqual(Math.max(CREATOR_STATEMENTS_MAX, HOST_STATEMENTS_MAX))
})

test("a host's word holds for an hour, for these statements, while it is a host", async () => {
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
