import * as fc from "fast-check"
import { beforeAll, describe, expect, test } from "vitest"

import { CHUNK_BYTES_MAX, ChunkAssembler, splitIntoChunks } from "../../src/history/chunks.ts"
import { ConferenceLog, LOG_BYTES_MAX, LOG_ITEMS_MAX } from "../../src/history/conference-log.ts"
import { decodeSnapshot, encodeSnapshot, takeSnapshot, verifySnapshot } from "../../src/history/log-snapshot.ts"
import { type LogItem, NO_ITEM, signItem } from "../../src/history/log-item.ts"
import { createCredentialChecker, type MemberCredential } from "../../src/identity/certificates/credential-checker.ts"
import { memberIdOf } from "../../src/identity/certificates/certificate.ts"
import type { OwnIdentity } from "../../src/identity/own-identity.ts"
import { eachByteFlipped, newcomer } from "../identity/people.ts"

const CONFERENCE = "ab".repeat(16)
/** `npm run test:all` changes each byte. An odd number, so that each bit is changed in turn. */
const BYTES_APART = process.env["RUNS"] === "full" ? 1 : 5
const checker = createCredentialChecker()
let people: OwnIdentity[]
let credentials: MemberCredential[]
let items: LogItem[]

async function said(by: OwnIdentity, sequence: number, payload = Uint8Array.of(sequence)): Promise<LogItem> {
  const authored = await signItem(by.signer, CONFERENCE, { channel: "chat", payload, sentAtMs: 1000 * sequence })
  return { ...authored, position: { epoch: 1 + (sequence >> 2), view: "c".repeat(64), sequence } }
}

/** An unsigned one, for what does not look at signatures. */
function unsigned(number: number, payloadBytes = 10): LogItem {
  const id = number.toString(16).padStart(32, "0")
  const position = { epoch: 1, view: "c".repeat(64), sequence: number }
  const content = {
    after: NO_ITEM,
    channel: "chat",
    payload: new Uint8Array(payloadBytes),
    sentAtMs: 0,
    signature: new Uint8Array(64),
  }
  return { ...content, id, position, fingerprint: items[0]!.fingerprint, author: items[0]!.author }
}

beforeAll(async () => {
  people = [await newcomer("Ada"), await newcomer("Bob"), await newcomer("Eve")]
  credentials = await Promise.all(people.map(async ({ certificate }) => (await checker.check(certificate))!))
  items = await Promise.all(Array.from({ length: 12 }, (_, sequence) => said(people[sequence % 3]!, sequence)))
})

/** As everybody holds it: Bob is here, Ada and Eve have left, and their certificates are still known. */
function snapshotOfBob(of = items) {
  const certificates = new Map(people.map((person) => [person.fingerprint, person.certificate]))
  return takeSnapshot(of, new Set([people[1]!.fingerprint]), (fingerprint) => certificates.get(fingerprint))
}
const verify = (snapshot: ReturnType<typeof snapshotOfBob>) =>
  verifySnapshot(snapshot, CONFERENCE, [credentials[1]!], checker)

describe("a newcomer who is handed the history", () => {
  test("gets all of it, with the names of those who have left", async () => {
    const bytes = encodeSnapshot(snapshotOfBob())
    const { items: verified, authors, rejected } = await verify(decodeSnapshot(bytes)!)
    expect(verified).toEqual(items)
    expect(rejected).toBe(0)
    expect(items.map((item) => authors.get(item.fingerprint)?.name).slice(0, 3)).toEqual(["Ada", "Bob", "Eve"])
    expect(decodeSnapshot(bytes)!.certificates).toHaveLength(2)
  })

  test("takes no forged, altered or foreign message, and still takes the others", async () => {
    const [first, second, third, ...rest] = snapshotOfBob().items as [LogItem, LogItem, LogItem]
    const elsewhere = { ...first, ...(await signItem(people[0]!.signer, "00".repeat(16), first)) }
    const inBobsName = { ...third, author: people[1]!.member, fingerprint: people[1]!.fingerprint }
    const altered = { ...second, payload: Uint8Array.of(99) }
    const forged = { ...snapshotOfBob(), items: [first, altered, inBobsName, elsewhere, ...rest] }
    const verdict = await verify(decodeSnapshot(encodeSnapshot(forged))!)
    expect(verdict.items).toEqual([first, ...rest])
    expect(verdict.rejected).toBe(3)
  })

  test("takes none of an author whose certificate is missing or bad", async () => {
    const { items: handed, certificates } = snapshotOfBob()
    const bad = certificates.map((certificate) => certificate.with(40, certificate[40]! ^ 1))
    for (const others of [[], bad]) {
      const verdict = await verify({ items: handed, certificates: others })
      expect(new Set(verdict.items.map((item) => item.author))).toEqual(new Set([people[1]!.member]))
      expect(verdict.rejected).toBe(8)
    }
  })

  test("takes nothing signed under an invalid certificate, though the signature is good", async () => {
    const mallory = await newcomer("Mallory")
    const certificate = mallory.certificate.slice()
    certificate[certificate.length - 1]! ^= 1
    const signer = { ...mallory.signer, certificate, member: memberIdOf(certificate) }
    const bad = await said({ ...mallory, certificate, signer }, 3)
    const verdict = await verify({ items: [bad, items[1]!], certificates: [certificate] })
    expect(verdict.items).toEqual([items[1]])
    expect(verdict.rejected).toBe(1)
  })

  test("is not handed what nobody could verify", () => {
    const known = takeSnapshot(items, new Set([people[1]!.fingerprint]), () => undefined)
    expect(new Set(known.items.map((item) => item.author))).toEqual(new Set([people[1]!.member]))
  })

  test("refuses a snapshot cut or changed anywhere, or verifies no false part of it", async () => {
    const bytes = encodeSnapshot(snapshotOfBob(items.slice(0, 4)))
    for (let length = 0; length < bytes.length; length++) expect(decodeSnapshot(bytes.subarray(0, length))).toBeNull()
    expect(decodeSnapshot(Uint8Array.of(...bytes, 0))).toBeNull()
    // Positions are the order's, not the author's.
    const truth = new Map(items.map((item) => [item.id, { ...item, position: null }]))
    for (const { at, flipped } of eachByteFlipped(bytes)) {
      if (at % BYTES_APART !== 0) continue
      const decoded = decodeSnapshot(flipped)
      if (decoded === null) continue
      const { items: verified } = await verify(decoded)
      for (const item of verified) expect({ ...item, position: null }).toEqual(truth.get(item.id))
    }
  })

  test("survives random bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (noise) => {
        expect(decodeSnapshot(Uint8Array.of(1, ...noise, 0xff))).toBeNull()
      }),
    )
  })
})

describe("the log", () => {
  const contents = (log: ConferenceLog) => [...log].map((item) => item.position.sequence)

  test("stands in one order, however it came, and twice is once", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(items, { minLength: 12 }), fc.nat(12), (shuffled, cut) => {
        const log = new ConferenceLog()
        log.merge(shuffled.slice(0, cut), 99)
        expect(log.merge(shuffled, 99)).toHaveLength(12 - cut)
        expect(log.merge(shuffled, 99)).toEqual([])
        expect([...log]).toEqual(items)
      }),
    )
  })

  test("does not move what it has to where a liar says it was", () => {
    const log = new ConferenceLog()
    log.merge(items, 99)
    log.merge(
      items.map((item) => ({ ...item, position: { ...item.position, epoch: 0 } })),
      99,
    )
    expect([...log]).toEqual(items)
  })

  /** Ada leaves the view with 0 to 2 in her order. Bob has only the first, and orders it behind messages that she lacks. */
  function apart(here = 16) {
    const [first, ...rest] = [0, 1, 2].map((number) => unsigned(number))
    const log = new ConferenceLog()
    log.merge([{ ...first!, position: { ...first!.position, sequence: here } }], 99)
    return { log, hers: [first!, ...rest] }
  }

  test("keeps an author's order where a partition gave one message two positions", () => {
    const { log, hers } = apart()
    const before = unsigned(15)
    log.merge([before], 99)
    expect(log.merge(hers.toReversed(), 99).map(({ id }) => id)).toEqual([hers[1]!.id, hers[2]!.id])
    expect([...log].map(({ id }) => id)).toEqual([before, ...hers].map(({ id }) => id))
    expect(contents(log)).toEqual([15, 16, 17, 18])
  })

  test("moves items of the same view only, and none that a liar says came later", () => {
    const { log, hers } = apart()
    const otherView = { ...unsigned(3), position: { epoch: 1, view: "d".repeat(64), sequence: 3 } }
    log.merge([hers[0]!, otherView], 99)
    expect(log.has(otherView)).toBe(true)
    expect(contents(log)).toEqual([16, 3])
    log.merge([{ ...hers[0]!, position: { ...hers[0]!.position, sequence: 40 } }, unsigned(41)], 99)
    expect(contents(log)).toEqual([16, 41, 3])
  })

  test("can be transferred with the highest position that a liar can give", () => {
    const { log, hers } = apart(Number.MAX_SAFE_INTEGER)
    log.merge(hers, 99)
    const present = new Set([items[0]!.fingerprint])
    const snapshot = takeSnapshot(log, present, () => undefined)
    expect(decodeSnapshot(encodeSnapshot(snapshot))?.items).toHaveLength(3)
  })

  test("keeps an honest item out for nobody who took its id first", () => {
    const [honest, other] = items as [LogItem, LogItem]
    const log = new ConferenceLog()
    log.merge([{ ...other, id: honest.id }], 99)
    expect(log.merge([honest], 99)).toEqual([honest])
    expect(log.has(honest)).toBe(true)
  })

  test("takes nothing from the future, which nothing could push out", () => {
    const log = new ConferenceLog()
    const future = { ...items[0]!, position: { ...items[0]!.position, epoch: 6 } }
    expect(log.merge([future], 5)).toEqual([])
    expect(log.size).toBe(0)
  })

  test("drops the oldest above its number of items", () => {
    const log = new ConferenceLog()
    log.merge(
      Array.from({ length: 10 * LOG_ITEMS_MAX }, (_, number) => unsigned(number)),
      99,
    )
    expect(log.size).toBe(LOG_ITEMS_MAX)
    expect(contents(log)[0]).toBe(9 * LOG_ITEMS_MAX)
    expect(log.merge([unsigned(3)], 99)).toEqual([])
    expect(log.has(unsigned(3))).toBe(false)
    expect(log.size).toBe(LOG_ITEMS_MAX)
  })

  test("drops the oldest above its bytes, and a full one can be transferred", () => {
    const log = new ConferenceLog()
    const count = Math.ceil((10 * LOG_BYTES_MAX) / 100_000)
    log.merge(
      Array.from({ length: count }, (_, number) => unsigned(number, 100_000)),
      99,
    )
    expect(log.size).toBe(Math.floor(LOG_BYTES_MAX / 100_320))
    expect(contents(log).at(-1)).toBe(count - 1)
    const present = new Set([items[0]!.fingerprint])
    expect(decodeSnapshot(encodeSnapshot(takeSnapshot(log, present, () => undefined)))?.items).toHaveLength(log.size)
  })

  test("does not keep alive the buffer that an item came in", () => {
    const log = new ConferenceLog()
    const decoded = decodeSnapshot(encodeSnapshot(snapshotOfBob()))!
    log.merge(decoded.items, 99)
    for (const item of log) expect(item.payload.buffer.byteLength).toBe(item.payload.length)
  })
})

describe("chunks", () => {
  const content = (bytes: number) => Uint8Array.from({ length: bytes }, (_, i) => (i * 31) >> 3)

  test.each([1, 1000, CHUNK_BYTES_MAX, 300_000])("carry %i bytes in messages of at most 64 KiB", (bytes) => {
    const chunks = splitIntoChunks(content(bytes))
    const assembler = new ChunkAssembler(bytes)
    for (const chunk of chunks.slice(0, -1)) expect(assembler.accept(chunk).type).toBe("incomplete")
    expect(assembler.accept(chunks.at(-1)!)).toEqual({ type: "complete", bytes: content(bytes) })
    for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(CHUNK_BYTES_MAX)
  })

  test("stop at the receiver's bound", () => {
    const assembler = new ChunkAssembler(100_000)
    const [first, second] = splitIntoChunks(content(200_000)) as [Uint8Array, Uint8Array]
    expect(assembler.accept(first).type).toBe("incomplete")
    expect(assembler.accept(second)).toEqual({ type: "rejected", reason: "too-large" })
    expect(assembler.accept(second)).toEqual({ type: "rejected", reason: "out-of-order" })
  })

  test("are refused when foreign, repeated or missing, and a new one restarts", () => {
    const [mine, other] = [splitIntoChunks(content(200_000)), splitIntoChunks(content(200_000))]
    const ofAnotherCount = mine[1]!.with(20, 9)
    for (const wrong of [other[1]!, mine[0]!.slice(0, 100), mine[2]!, mine[3]!, ofAnotherCount]) {
      const assembler = new ChunkAssembler(1_000_000)
      assembler.accept(mine[0]!)
      expect(assembler.accept(wrong).type).toBe("rejected")
      expect(mine.map((chunk) => assembler.accept(chunk).type).at(-1)).toBe("complete")
    }
  })

  test("cut, or of random bytes, never throw", () => {
    const [chunk] = splitIntoChunks(content(50)) as [Uint8Array]
    for (let length = 0; length <= 21; length++) {
      expect(new ChunkAssembler(1000).accept(chunk.subarray(0, length))).toMatchObject({
        type: "rejected",
        reason: "malformed",
      })
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (noise) => {
        expect(new ChunkAssembler(1000).accept(noise).type).not.toBe("incomplete")
      }),
    )
  })
})
