import * as fc from "fast-check"
import { beforeAll, describe, expect, test } from "vitest"

import {
  type AuthoredItem,
  decodeAuthoredItem,
  encodeAuthoredItem,
  signItem,
  verifyItem,
} from "../../src/history/log-item.ts"
import { createCredentialChecker, type MemberCredential } from "../../src/identity/certificates/credential-checker.ts"
import type { OwnIdentity } from "../../src/identity/own-identity.ts"
import { eachBitFlipped, eachByteFlipped, newcomer } from "../identity/people.ts"

const CONFERENCE = "0123456789abcdef".repeat(2)
const checker = createCredentialChecker()
let [ada, bob]: OwnIdentity[] = []
let [adaCredential, bobCredential]: MemberCredential[] = []
let item: AuthoredItem

const verify = (candidate: AuthoredItem, author = adaCredential!, conference = CONFERENCE) =>
  verifyItem(candidate, conference, author, checker)

beforeAll(async () => {
  ;[ada, bob] = [await newcomer("Ada"), await newcomer("Bob")]
  ;[adaCredential, bobCredential] = [(await checker.check(ada.certificate))!, (await checker.check(bob.certificate))!]
  item = await signItem(ada.signer, CONFERENCE, {
    channel: "chat",
    payload: Uint8Array.of(1, 2, 3),
    sentAtMs: 1_700_000_000_000,
  })
})

describe("what somebody said", () => {
  test("is known to be theirs", async () => {
    expect(item).toMatchObject({ author: ada!.member, fingerprint: ada!.fingerprint, channel: "chat" })
    expect(await verify(item)).toBe(true)
    expect(await verify(decodeAuthoredItem(encodeAuthoredItem(item))!)).toBe(true)
  })

  test("cannot be changed by who hands it over", async () => {
    const changes: Partial<AuthoredItem>[] = [
      { payload: Uint8Array.of(1, 2, 4) },
      { channel: "chap" },
      { sentAtMs: item.sentAtMs + 1 },
      { id: "0".repeat(32) },
      { signature: new Uint8Array(64) },
    ]
    for (const change of changes) expect(await verify({ ...item, ...change })).toBe(false)
  })

  test("cannot be attributed to somebody else, nor made up in their name", async () => {
    const asBob = { author: bob!.member, fingerprint: bob!.fingerprint }
    expect(await verify({ ...item, ...asBob }, bobCredential)).toBe(false)
    expect(await verify({ ...item, author: bob!.member })).toBe(false)
    const made = await signItem(bob!.signer, CONFERENCE, item)
    expect(await verify({ ...made, author: ada!.member, fingerprint: ada!.fingerprint })).toBe(false)
    expect(await verify(item, bobCredential)).toBe(false)
  })

  test("cannot be brought from another conference", async () => {
    expect(await verify(item, adaCredential, "f" + CONFERENCE.slice(1))).toBe(false)
  })

  test("is not verified when any bit of its bytes is flipped", async () => {
    for (const { flipped } of eachBitFlipped(encodeAuthoredItem(item))) {
      const decoded = decodeAuthoredItem(flipped)
      if (decoded !== null) expect(await verify(decoded)).toBe(false)
    }
  })
})

test("bytes cut, extended, changed or random are no item, and no exception", () => {
  const bytes = encodeAuthoredItem(item)
  for (let length = 0; length < bytes.length; length++) expect(decodeAuthoredItem(bytes.subarray(0, length))).toBeNull()
  expect(decodeAuthoredItem(Uint8Array.of(...bytes, 0))).toBeNull()
  for (const { flipped } of eachByteFlipped(bytes)) expect(decodeAuthoredItem(flipped)).not.toEqual(item)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (noise) => {
      decodeAuthoredItem(noise)
    }),
  )
})
