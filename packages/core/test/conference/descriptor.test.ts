import { conferenceIdOf, descriptorHashOf } from "@keymoot/transport/signaling-protocol"
import { bytesToHex } from "@noble/hashes/utils.js"
import { beforeAll, describe, expect, test } from "vitest"

import { descriptorBody, descriptorSigningBytes, signedDescriptor } from "../../src/conference/descriptor-codec.ts"
import { CONFERENCE_DURATION_MS_MAX, createDescriptor } from "../../src/conference/create-descriptor.ts"
import { formatInvitation, type Invitation, parseInvitation } from "../../src/conference/invitation.ts"
import { openDescriptor } from "../../src/conference/descriptor.ts"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import type { OwnIdentity } from "../../src/identity/own-identity.ts"
import { eachByteFlipped, newcomer } from "../identity/people.ts"

const HOUR_MS = 60 * 60 * 1000
const NOW_MS = Date.UTC(2026, 0, 15, 12)
const TITLE = "Quarterly figures"
const checker = createCredentialChecker(() => NOW_MS)

let ada: OwnIdentity
let bytes: Uint8Array
let invitation: Invitation

function create(creator: OwnIdentity, title = TITLE) {
  const times = { startsAtMs: NOW_MS, durationMs: HOUR_MS }
  return createDescriptor({
    server: "https://meet.example",
    creator,
    title,
    keyAgreement: "tgdh",
    admission: { policy: "link" },
    history: "everything",
    ...times,
  })
}
const open = (descriptor: Uint8Array, link: Invitation, nowMs = NOW_MS) =>
  openDescriptor(descriptor, link, checker, nowMs)
/** As the maker of a bad link would pin it. */
const pinned = (descriptor: Uint8Array) => {
  const descriptorHash = descriptorHashOf(descriptor)
  return open(descriptor, { ...invitation, descriptorHash, conferenceId: conferenceIdOf(descriptorHash) })
}

beforeAll(async () => {
  ada = await newcomer("Ada Lovelace", () => NOW_MS)
  ;({ bytes, invitation } = await create(ada))
})

describe("who has the link", () => {
  test("reads the conference and who made it", async () => {
    const descriptor = await open(bytes, invitation)
    expect(descriptor).toMatchObject({
      title: TITLE,
      keyAgreement: "tgdh",
      history: "everything",
      admission: { policy: "link" },
      generation: 1,
    })
    expect(descriptor.creator).toMatchObject({ name: "Ada Lovelace", member: ada.member })
    expect(descriptor.hosts.map((host) => Buffer.from(host).toString("hex"))).toEqual([ada.fingerprint])
    expect([descriptor.startsAtMs, descriptor.endsAtMs]).toEqual([NOW_MS, NOW_MS + HOUR_MS])
    expect(descriptor.roomKey).toHaveLength(32)
    expect((await open(bytes, invitation)).roomKey).toEqual(descriptor.roomKey)
  })

  test("opens it before its start and after its end", async () => {
    for (const nowMs of [NOW_MS - HOUR_MS, NOW_MS + HOUR_MS])
      await expect(open(bytes, invitation, nowMs)).resolves.toMatchObject({ title: TITLE })
  })

  test("cannot open it under another conference's id, though the server serves it there", async () => {
    const link = { ...invitation, conferenceId: "0".repeat(32) }
    await expect(open(bytes, link)).rejects.toMatchObject({ code: "invalid-link" })
  })

  test("cannot open it with any other secret", async () => {
    for (const { flipped: secret } of eachByteFlipped(invitation.secret)) {
      await expect(open(bytes, { ...invitation, secret })).rejects.toMatchObject({ code: "invalid-link" })
    }
  })
})

describe("a hostile server", () => {
  test("finds neither title nor name in what it stores, nor their lengths", async () => {
    const text = Buffer.from(bytes).toString("latin1")
    expect(text).not.toContain("Quarterly")
    expect(text).not.toContain("Lovelace")
    const longest = await create(await newcomer("𝒜".repeat(60), () => NOW_MS), "字".repeat(200))
    expect(longest.bytes).toHaveLength(bytes.length)
    expect((await open(longest.bytes, longest.invitation)).title).toBe("字".repeat(200))
  })

  test("cannot change any byte, nor swap, cut or extend the descriptor", async () => {
    const others = [new Uint8Array(), Uint8Array.of(...bytes, 0), (await create(ada)).bytes]
    for (let length = 0; length < bytes.length; length += 7) others.push(bytes.subarray(0, length))
    for (const { flipped } of eachByteFlipped(bytes)) others.push(flipped)
    for (const other of others)
      await expect(open(other, invitation)).rejects.toMatchObject({ code: "descriptor-mismatch" })
  })
})

describe("the maker of a bad link, who can pin any bytes", () => {
  const bodyOf = () => descriptorBody.decode(signedDescriptor.decode(bytes).body)
  const sign = async (body: Uint8Array, by: OwnIdentity) =>
    signedDescriptor.encode({ body, signature: await by.signer.sign(descriptorSigningBytes(body)) })

  test("gets a typed refusal for every changed byte and every length, never a conference", async () => {
    for (const { flipped } of eachByteFlipped(bytes))
      await expect(pinned(flipped)).rejects.toMatchObject({ code: "invalid-link" })
    for (let length = 0; length < bytes.length; length += 3) {
      await expect(pinned(bytes.subarray(0, length))).rejects.toMatchObject({ code: "invalid-link" })
    }
    await expect(pinned(Uint8Array.of(...bytes, 0))).rejects.toMatchObject({ code: "invalid-link" })
  })

  test("cannot say that somebody else made it", async () => {
    const mallory = await newcomer("Mallory", () => NOW_MS)
    const stolen = descriptorBody.encode({ ...bodyOf(), creatorPublicKey: mallory.publicKey })
    await expect(pinned(await sign(stolen, mallory))).rejects.toMatchObject({ code: "invalid-link" })
    await expect(pinned(await sign(signedDescriptor.decode(bytes).body, mallory))).rejects.toMatchObject({
      code: "invalid-link",
    })
  })

  test("cannot give it the id of another conference", async () => {
    const other = await create(ada)
    const link = { ...other.invitation, conferenceId: invitation.conferenceId }
    await expect(open(other.bytes, link)).rejects.toMatchObject({ code: "invalid-link" })
    expect(() => parseInvitation(formatInvitation(link))).toThrow("do not belong together")
  })

  test("cannot use its sealed parts in another descriptor or invitation generation", async () => {
    const moved = await sign(descriptorBody.encode({ ...bodyOf(), salt: new Uint8Array(16) }), ada)
    await expect(pinned(moved)).rejects.toMatchObject({ code: "invalid-link" })
    const renewed = await sign(descriptorBody.encode({ ...bodyOf(), generation: 2 }), ada)
    await expect(pinned(renewed)).rejects.toMatchObject({ code: "invalid-link" })
  })

  test("gives every choice of keys another hash", () => {
    const choices = (["off", "hybrid"] as const).map((postQuantum) => {
      const body = descriptorBody.encode({ ...bodyOf(), postQuantum })
      expect(descriptorBody.decode(body).postQuantum).toBe(postQuantum)
      return bytesToHex(descriptorHashOf(signedDescriptor.encode({ body, signature: new Uint8Array(64) })))
    })
    expect(new Set(choices).size).toBe(2)
  })

  test("cannot write one that names no host, one twice, or times that make no sense", () => {
    const body = bodyOf()
    const [host] = body.hosts as [Uint8Array]
    const { startsAtMs, endsAtMs } = body
    const bad = [
      { hosts: [] },
      { hosts: [host, host] },
      { endsAtMs: startsAtMs },
      { expiresAtMs: endsAtMs - 1 },
      { generation: 0 },
    ]
    for (const change of bad) expect(() => descriptorBody.encode({ ...body, ...change })).toThrow()
  })
})

test.each([
  ["no duration", { durationMs: 0 }],
  ["a duration over 30 days", { durationMs: CONFERENCE_DURATION_MS_MAX + 1 }],
  ["a title too long", { title: "x".repeat(201) }],
  ["a title with a line break", { title: "a\nb" }],
  ["a server that is no origin", { server: "meet.example" }],
])("makes no conference with %s, and reports it", async (_, change) => {
  const good = {
    server: "https://meet.example",
    creator: ada,
    title: TITLE,
    keyAgreement: "tgdh",
    admission: { policy: "link" },
    history: "from-join",
  } as const
  const options = { ...good, startsAtMs: NOW_MS, durationMs: HOUR_MS, ...change }
  await expect(createDescriptor(options)).rejects.toMatchObject({ code: "invalid-argument" })
})
