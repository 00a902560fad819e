import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { beforeAll, beforeEach, describe, expect, test } from "vitest"
import {
  EVIDENCE_BYTES_MAX,
  OMITTED_LINE_CHARACTERS_MAX,
  OMITTED_LINES_MAX,
  sha256Hex,
} from "../../src/evidence/archive.ts"
import { type Evidence, type EvidenceFault, verifyEvidence } from "../../src/evidence/index.ts"
import { type Authority, readAuthority } from "../../src/identity/certificates/authority.ts"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { fingerprintOf, memberIdOf } from "../../src/identity/certificates/certificate.ts"
import type { OwnIdentity } from "../../src/identity/own-identity.ts"
import { TestAuthority } from "../identity/authorities.ts"
import { eachByteFlipped, newcomer, newKeyPair } from "../identity/people.ts"
import { forged, NOW_MS, PaperConference } from "./archives.ts"

/** Self-signed certificates are valid for this time. */
const CERTIFICATE_VALIDITY_MS = 20 * 365 * 86_400_000
/** `npm run test:all` changes each byte. */
const BYTES_APART = process.env["RUNS"] === "full" ? 1 : 5

let [ada, bob, eve]: OwnIdentity[] = []
let conference: PaperConference
let bytes: Uint8Array

beforeAll(async () => {
  ;[ada, bob, eve] = await Promise.all(["Ada", "Bob", "Eve"].map((name) => newcomer(name, () => NOW_MS)))
  conference = await PaperConference.of(ada!)
  await conference.say(ada!, "one")
  await conference.say(bob!, "two")
  bytes = await conference.export(ada!)
})

async function evidenceIn(archive: Uint8Array): Promise<Evidence> {
  const verdict = await verifyEvidence(archive)
  if (!verdict.valid) throw new Error(JSON.stringify(verdict.fault))
  return verdict.evidence
}
async function faultIn(archive: Uint8Array): Promise<EvidenceFault | null> {
  const verdict = await verifyEvidence(archive)
  return verdict.valid ? null : verdict.fault
}

async function issuedBy(authority: TestAuthority, made: { notBefore: Date; notAfter: Date }): Promise<OwnIdentity> {
  const { publicKey, privateKey } = await newKeyPair()
  const certificate = await authority.issue("Cleo", publicKey, made)
  const member = memberIdOf(certificate)
  const sign = async (data: Uint8Array) => new Uint8Array(await crypto.subtle.sign("Ed25519", privateKey, data.slice()))
  return {
    name: "Cleo",
    member,
    certificate,
    fingerprint: bytesToHex(fingerprintOf(certificate)),
    publicKey: new Uint8Array(await crypto.subtle.exportKey("raw", publicKey)),
    signer: { member, certificate, sign },
  } as unknown as OwnIdentity
}

test("keeps a byte order mark, so that a saved document has the hash that is shown", async () => {
  const text = "\uFEFF[]"
  const meeting = await PaperConference.of(ada!)
  await meeting.say(ada!, text)
  const { documents, messages } = await evidenceIn(await meeting.export(ada!, [{ name: "board", text }]))
  expect(documents).toEqual([{ name: "board", text, sha256: sha256Hex(utf8ToBytes(text)) }])
  expect(messages[0]!.text).toBe(text)
})

test("shows who said what where, in which order, and who exported it", async () => {
  const { messages, ...rest } = await evidenceIn(bytes)
  expect(rest).toMatchObject({
    conference: { id: conference.id, title: "Quarterly figures", creator: { name: "Ada" }, admission: "link" },
    documents: [{ name: "board", text: "[]", sha256: expect.stringMatching(/^[\da-f]{64}$/u) }],
    exporter: { name: "Ada", fingerprint: ada!.fingerprint, publicKey: bytesToHex(ada!.publicKey) },
    exportedAtMs: NOW_MS + 60_000,
  })
  expect(messages).toMatchObject([
    { author: { name: "Ada" }, text: "one", after: "none", position: { epoch: 3, sequence: 1 } },
    { author: { name: "Bob", fingerprint: bob!.fingerprint }, text: "two", after: 0 },
  ])
})

test("gives no verdict when it gets no bytes", async () => {
  for (const given of [bytes.slice().buffer, undefined, null, "archive"])
    await expect(verifyEvidence(given as never)).rejects.toMatchObject({ code: "invalid-argument" })
})

test("names the part that failed when any byte is changed", async () => {
  const parts = new Map<string, number>()
  const descriptorEnd = 19 + conference.descriptor.length
  for (const { at, flipped } of eachByteFlipped(bytes)) {
    if (at % BYTES_APART !== 0) continue
    // Each byte of a descriptor has a test of its own, and its ciphertext is most of this archive.
    if (at > 100 && at < descriptorEnd && at % 16 !== 0) continue
    const fault = await faultIn(flipped)
    expect(fault, `byte ${at}`).not.toBeNull()
    parts.set(fault!.part, (parts.get(fault!.part) ?? 0) + 1)
  }
  expect([...parts.keys()].toSorted()).toEqual(["certificate", "conference", "exporter", "format", "message"])
  // Only lengths, counts and fixed values are faults of the format.
  expect(parts.get("format")).toBeLessThan(150)
})

test("names the message whose text was changed", async () => {
  const changed = bytes.slice()
  const at = Buffer.from(bytes).indexOf("two")
  changed[at] = "T".charCodeAt(0)
  expect(await faultIn(changed)).toEqual({ part: "message", number: 2 })
})

test("takes a Buffer of Node like any bytes", async () => {
  expect((await evidenceIn(Buffer.from(bytes))).messages).toHaveLength(2)
})

test("is no archive when cut, extended or empty", async () => {
  for (const length of [0, 1, 16, 63, 64, bytes.length - 1]) {
    expect(await faultIn(bytes.subarray(0, length))).toEqual({ part: "format", number: null })
  }
  expect((await faultIn(Uint8Array.of(...bytes, 0)))?.part).toBe("format")
})

test("refuses a file above the bound before it reads it", async () => {
  expect(await faultIn(new Uint8Array(EVIDENCE_BYTES_MAX + 1))).toEqual({ part: "size", number: null })
})

test("refuses documents above the bound when exporting", async () => {
  const text = "x".repeat(25 * 1024 * 1024)
  await expect(conference.export(ada!, [{ name: "board", text }])).rejects.toMatchObject({ code: "too-large" })
  const many = Array.from({ length: 17 }, (_, index) => ({ name: `${index}`, text: "" }))
  await expect(conference.export(ada!, many)).rejects.toMatchObject({ code: "too-large" })
})

describe("a member that signs an archive of its own", () => {
  const forge = (change: Parameters<typeof forged>[2]) => forged(bytes, eve!, change)

  test("is named as its exporter", async () => {
    expect((await evidenceIn(await forge(() => ({})))).exporter.name).toBe("Eve")
  })

  test("cannot change what another member wrote", async () => {
    const archive = await forge(({ items }) => ({
      items: items.map(({ item, passedOn }) => ({ item: { ...item, payload: Uint8Array.of(1) }, passedOn })),
    }))
    expect(await faultIn(archive)).toEqual({ part: "message", number: 1 })
  })

  test("cannot give another member's message a later predecessor", async () => {
    const archive = await forge(({ items }) => ({
      items: items.map(({ item, passedOn }) => ({ item: { ...item, after: "cd".repeat(32) }, passedOn })),
    }))
    expect(await faultIn(archive)).toEqual({ part: "message", number: 1 })
  })

  test("cannot put an answer before the message that its author had seen", async () => {
    expect(await faultIn(await forge(({ items }) => ({ items: items.toReversed() })))).toEqual({
      part: "order",
      number: 1,
    })
  })

  test("cannot say a message twice", async () => {
    const archive = await forge(({ items }) => ({ items: [...items, items[1]!] }))
    expect(await faultIn(archive)).toEqual({ part: "message", number: 3 })
  })

  test("cannot use messages of another conference", async () => {
    const other = await PaperConference.of(ada!)
    const { descriptor, blobKey } = other
    expect(await faultIn(await forge(() => ({ descriptor, blobKey })))).toEqual({ part: "message", number: 1 })
  })

  test("cannot show a message under another name", async () => {
    const { certificate } = await newcomer("Bob", () => NOW_MS)
    const archive = await forge(({ certificates }) => ({ certificates: [certificates[0]!, certificate] }))
    expect(await faultIn(archive)).toEqual({ part: "message", number: 2 })
  })

  test("cannot add certificates of people that wrote nothing, nor one twice", async () => {
    const { certificate } = eve!
    const added = await forge(({ certificates }) => ({ certificates: [...certificates, certificate] }))
    expect(await faultIn(added)).toEqual({ part: "certificate", number: 3 })
    const twice = await forge(({ certificates }) => ({ certificates: [...certificates, certificates[0]!] }))
    expect(await faultIn(twice)).toEqual({ part: "certificate", number: 3 })
  })

  test("can omit a message, and the next one shows that one is missing", async () => {
    const archive = await forge(({ items, certificates }) => ({
      items: items.slice(1),
      certificates: certificates.slice(1),
    }))
    expect((await evidenceIn(archive)).messages).toMatchObject([{ text: "two", after: null }])
  })

  test("cannot sign in another member's name", async () => {
    expect(await faultIn(await forge(() => ({ exporter: bob!.certificate })))).toEqual({
      part: "exporter",
      number: null,
    })
  })
})

test("refuses authors and exporters that a list of people does not name", async () => {
  const bobs = (await createCredentialChecker(() => NOW_MS).check(bob!.certificate))!
  const named = await PaperConference.of(ada!, { policy: "roster", others: [bobs] })
  await named.say(bob!, "here")
  const archive = await named.export(ada!)
  expect((await evidenceIn(archive)).messages).toHaveLength(1)
  expect(await faultIn(await forged(archive, eve!, () => ({})))).toEqual({ part: "exporter", number: null })
  await named.say(eve!, "not named")
  expect(await faultIn(await named.export(ada!))).toEqual({ part: "certificate", number: 2 })
})

test("stays valid although a certificate in it expires before the export", async () => {
  const expiring = (atMs: number) => newcomer("Bob", () => atMs - CERTIFICATE_VALIDITY_MS)
  const [soon, before] = await Promise.all([expiring(NOW_MS + 30_000), expiring(NOW_MS - 30_000)])
  const open = await PaperConference.of(ada!)
  await open.say(soon, "one")
  const soons = (await createCredentialChecker(() => NOW_MS).check(soon.certificate))!
  const named = await PaperConference.of(ada!, { policy: "roster", others: [soons] })
  expect((await evidenceIn(await open.export(ada!))).messages).toMatchObject([{ author: { name: "Bob" } }])
  expect((await evidenceIn(await named.export(ada!))).messages).toEqual([])
  expect(await faultIn(await open.export(soon))).toEqual({ part: "exporter", number: null })
  await open.say(before, "two")
  expect(await faultIn(await open.export(ada!))).toEqual({ part: "certificate", number: 2 })
})

test("stays valid although a certificate of its authority expires before the export", async () => {
  const times = { notBefore: new Date(NOW_MS - 3_600_000), notAfter: new Date(NOW_MS + 3_600_000) }
  const acme = await TestAuthority.create("Acme Ltd", times)
  const until = (atMs: number) => issuedBy(acme, { ...times, notAfter: new Date(atMs) })
  const [soon, later, before] = await Promise.all([30_000, 90_000, -30_000].map((ms) => until(NOW_MS + ms)))
  const authority = (await readAuthority(acme.certificate)) as Authority
  const talk = await PaperConference.of(soon!, { policy: "ca", authority })
  await talk.say(soon!, "one")
  expect((await evidenceIn(await talk.export(later!))).messages).toMatchObject([{ text: "one" }])
  expect(await faultIn(await talk.export(soon!))).toEqual({ part: "exporter", number: null })
  await talk.say(before!, "two")
  expect(await faultIn(await talk.export(later!))).toEqual({ part: "certificate", number: 2 })
})

describe("a thief of a key whose certificate has expired", () => {
  const expiresAtMs = NOW_MS + 20_000
  let [acme, cleo, later]: [TestAuthority?, OwnIdentity?, OwnIdentity?] = []
  let talk: PaperConference

  beforeAll(async () => {
    const times = { notBefore: new Date(NOW_MS - 3_600_000), notAfter: new Date(NOW_MS + 3_600_000) }
    acme = await TestAuthority.create("Acme Ltd", times)
    cleo = await issuedBy(acme, { ...times, notAfter: new Date(expiresAtMs) })
    later = await issuedBy(acme, times)
  })
  beforeEach(async () => {
    const authority = (await readAuthority(acme!.certificate)) as Authority
    talk = await PaperConference.of(later!, { policy: "ca", authority })
  })
  const certified = async () => (await evidenceIn(await talk.export(later!))).messages.map((each) => each.certified)

  test("cannot sign at a later time without a mark", async () => {
    await talk.say(cleo!, "before", undefined, expiresAtMs - 1)
    await talk.say(cleo!, "forged", undefined, expiresAtMs + 1)
    expect(await certified()).toEqual([true, false])
  })

  test("cannot answer a later message without a mark at any time", async () => {
    const begun = await talk.say(cleo!, "before", undefined, NOW_MS)
    const offer = await talk.say(later!, "Do you sign?", begun, expiresAtMs + 1)
    await talk.say(cleo!, "I sign.", offer, NOW_MS)
    expect(await certified()).toEqual([true, true, false])
  })

  // An archive cannot show that. A time stamp of somebody trusted would.
  test("can forge a message of an earlier time that answers nothing later", async () => {
    const begun = await talk.say(later!, "before", undefined, NOW_MS)
    await talk.say(later!, "after", begun, expiresAtMs + 1)
    await talk.say(cleo!, "forged", begun, NOW_MS + 1)
    expect(await certified()).toEqual([true, true, true])
  })

  test("does not make honest messages suspect that follow a clock far ahead", async () => {
    const ahead = await talk.say(later!, "My clock is wrong", undefined, NOW_MS + 10 * 365 * 86_400_000)
    await talk.say(later!, "answer", ahead, NOW_MS)
    expect(await certified()).toEqual([true, true])
  })
})

test("puts each message behind its predecessor although the position of one is a lie", async () => {
  const talk = await PaperConference.of(ada!)
  const first = await talk.say(ada!, "first")
  await talk.say(bob!, "second", first)
  talk.items.reverse()
  expect((await evidenceIn(await talk.export(ada!))).messages.map(({ text }) => text)).toEqual(["first", "second"])
})

test("reports what the exporter left out, and does not take it for damage", async () => {
  const talk = await PaperConference.of(ada!)
  await talk.say(ada!, "first")
  const documents = [
    { name: "board", text: "{}" },
    { name: "omitted", text: "pictures\nminutes\n" },
  ]
  expect(await evidenceIn(await talk.export(ada!, documents))).toMatchObject({
    documents: [{ name: "board" }],
    omitted: ["pictures", "minutes"],
  })
})

test("reports a bounded part of what an exporter says it left out", async () => {
  const talk = await PaperConference.of(ada!)
  await talk.say(ada!, "first")
  const text = `${"x".repeat(1000)}\n`.repeat(100)
  const { omitted } = await evidenceIn(
    await talk.export(ada!, [
      { name: "omitted", text },
      { name: "omitted", text },
    ]),
  )
  expect([omitted.length, omitted[0]!.length]).toEqual([OMITTED_LINES_MAX, OMITTED_LINE_CHARACTERS_MAX])
})
