import { beforeAll, describe, expect, test } from "vitest"
import { ConferenceLog, ERASED_KEYS_MAX, ERASURES_KEPT, LOG_ITEMS_MAX } from "../../src/history/conference-log.ts"
import { decodeErasure, encodeErasure, ERASED_AT_ONCE_MAX, ERASURE_CHANNEL } from "../../src/history/erasure.ts"
import { encodeSnapshot, takeSnapshot } from "../../src/history/log-snapshot.ts"
import { type LogItem, signItem } from "../../src/history/log-item.ts"
import type { OwnIdentity } from "../../src/identity/own-identity.ts"
import { newcomer } from "../identity/people.ts"

const CONFERENCE = "ab".repeat(16)
const SECRET = "the safe is behind the picture"
let ada: OwnIdentity
let eve: OwnIdentity
let secret: LogItem
let other: LogItem

async function said(by: OwnIdentity, sequence: number, channel: string, payload: Uint8Array): Promise<LogItem> {
  const authored = await signItem(by.signer, CONFERENCE, { channel, payload, sentAtMs: 1000 * sequence })
  return { ...authored, position: { epoch: 1, view: "c".repeat(64), sequence } }
}
const taking = (by: OwnIdentity, sequence: number, ...ids: string[]) =>
  said(by, sequence, ERASURE_CHANNEL, encodeErasure({ channel: "chat", ids }))
const texts = (log: ConferenceLog) =>
  [...log].filter(({ channel }) => channel === "chat").map(({ payload }) => new TextDecoder().decode(payload))
const fillers = (count: number) =>
  Array.from({ length: count }, (_, i): LogItem => {
    const id = i.toString(16).padStart(32, "0")
    return { ...other, id, position: { ...other.position, sequence: 10 + i } }
  })
/** As it is handed over, and kept on a device. */
const encoded = (log: ConferenceLog) =>
  Buffer.from(encodeSnapshot(takeSnapshot(log, new Set(), () => ada.certificate))).toString("latin1")

beforeAll(async () => {
  ada = await newcomer("Ada")
  eve = await newcomer("Eve")
  secret = await said(ada, 1, "chat", new TextEncoder().encode(SECRET))
  other = await said(ada, 2, "chat", new TextEncoder().encode("hello"))
})

describe("a message that its author takes back", () => {
  test("is no longer in the log, its transfers or its copies", async () => {
    let erased = 0
    const log = new ConferenceLog(() => erased++)
    log.merge([secret, other], 9)
    expect(encoded(log)).toContain(SECRET)
    log.merge([await taking(ada, 3, secret.id)], 9)
    expect(encoded(log)).not.toContain(SECRET)
    expect(texts(log)).toEqual(["hello"])
    expect(erased).toBe(1)
  })

  test("does not come back in any order of transfers", async () => {
    const taken = await taking(ada, 3, secret.id)
    for (const order of [
      [secret, taken, other],
      [taken, secret, other],
      [other, taken, secret],
    ]) {
      const log = new ConferenceLog()
      const added = order.flatMap((item) => log.merge([item], 9))
      expect(texts(log)).toEqual(["hello"])
      expect(log.merge([secret, ...order], 9)).toEqual([])
      expect(new ConferenceLog().merge(order, 9)).not.toContainEqual(secret)
      expect(added).toContainEqual(taken)
    }
  })

  test("stays if somebody else says so, or if what is taken back is the taking back", async () => {
    const log = new ConferenceLog()
    log.merge([secret, await taking(eve, 3, secret.id)], 9)
    expect(texts(log)).toEqual([SECRET])
    const taken = await taking(ada, 4, secret.id)
    log.merge([taken, await taking(ada, 5, taken.id)], 9)
    expect(log.merge([secret], 9)).toEqual([])
  })

  test("does not come back when newer messages have filled the log and are erased", async () => {
    const log = new ConferenceLog()
    log.merge([secret, await taking(ada, 3, secret.id)], 9)
    const filler = fillers(LOG_ITEMS_MAX)
    log.merge(filler, 9)
    expect(log.size).toBe(LOG_ITEMS_MAX)
    log.merge([await taking(ada, 5000, ...filler.slice(-2).map(({ id }) => id))], 9)
    expect(log.merge([secret], 9)).toEqual([])
    // A newcomer gets the erasure too, before or after the message.
    for (const items of [
      [secret, ...log],
      [...log, secret],
    ]) {
      const newcomers = new ConferenceLog()
      for (const item of items) newcomers.merge([item], 9)
      expect(texts(newcomers)).not.toContain(SECRET)
    }
  })

  test("does not come back when other erasures have pushed its own out", async () => {
    const log = new ConferenceLog()
    const taken = await taking(ada, 3, secret.id)
    log.merge([secret, taken], 9)
    for (let sequence = 10; sequence <= 10 + ERASURES_KEPT; sequence++) {
      log.merge([await taking(eve, sequence, secret.id)], 9)
    }
    log.merge(fillers(LOG_ITEMS_MAX - ERASURES_KEPT), 9)
    expect(log.has(taken)).toBe(false)
    log.merge([await taking(ada, 9000, fillers(1)[0]!.id)], 9)
    expect(log.merge([secret], 9)).toEqual([])
  })

  test("does not come back when one transfer erases as many others as are remembered", async () => {
    const log = new ConferenceLog()
    const taken = await taking(ada, 3, secret.id)
    log.merge([secret, taken], 9)
    const one = await taking(eve, 1, secret.id)
    const flood = fillers(ERASED_KEYS_MAX / ERASED_AT_ONCE_MAX).map((item, i) => {
      const ids = Array.from({ length: ERASED_AT_ONCE_MAX }, (_, j) => `${i}0${j}`.padStart(32, "0"))
      const position = { ...item.position, epoch: 0 }
      return { ...one, id: item.id, position, payload: encodeErasure({ channel: "chat", ids }) }
    })
    log.merge(flood, 9)
    expect(log.has(taken)).toBe(true)
    expect(log.merge([secret], 9)).toEqual([])
  })

  test("loses no message when large payloads come that are no erasures", async () => {
    const log = new ConferenceLog()
    log.merge(fillers(5), 9)
    const junk = { ...(await taking(eve, 1, secret.id)), payload: new Uint8Array(123_000) }
    const flood = fillers(17).map(({ id }) => ({ ...junk, id, position: { ...junk.position, epoch: 0 } }))
    expect(log.merge(flood, 9)).toEqual([])
    expect(log.merge([secret], 9)).toHaveLength(1)
    expect(texts(log)).toHaveLength(6)
  })

  test("leaves room for messages when a member sends nothing but erasures", async () => {
    const log = new ConferenceLog()
    const erasure = await taking(eve, 1, secret.id)
    const flood = fillers(10 * ERASURES_KEPT).map((item) => ({ ...erasure, id: item.id, position: item.position }))
    log.merge(flood, 9)
    expect(log.size).toBeLessThanOrEqual(LOG_ITEMS_MAX)
    const later = fillers(LOG_ITEMS_MAX).map((item) => ({
      ...item,
      position: { ...item.position, sequence: 90_000 + item.position.sequence },
      id: item.id.replace(/^0/u, "f"),
    }))
    log.merge(later, 9)
    expect(texts(log)).toHaveLength(LOG_ITEMS_MAX - ERASURES_KEPT)
  })
})

test("an erasure is refused in every other form than its own", () => {
  const bytes = encodeErasure({ channel: "chat", ids: ["ab".repeat(16)] })
  expect(decodeErasure(bytes)).toEqual({ channel: "chat", ids: ["ab".repeat(16)] })
  for (let length = 0; length < bytes.length; length++) expect(decodeErasure(bytes.subarray(0, length))).toBeNull()
  expect(decodeErasure(Uint8Array.from([...bytes, 0]))).toBeNull()
  const ids = Array.from({ length: ERASED_AT_ONCE_MAX + 1 }, () => "ab".repeat(16))
  expect(() => encodeErasure({ channel: "chat", ids })).toThrow(RangeError)
})
