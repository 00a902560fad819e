import "reflect-metadata/lite" // required by the library below
import { createHash, X509Certificate as NodeCertificate } from "node:crypto"

import {
  BasicConstraintsExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509"
import { describe, expect, test } from "vitest"

import {
  CERTIFICATE_BYTES_MAX,
  createCertificate,
  fingerprintOf,
  memberIdOf,
  parseCertificate,
} from "../../src/identity/certificates/certificate.ts"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { CERTIFICATE_BITS_APART, eachBitFlipped, newcomer, newKeyPair } from "./people.ts"

const DAY_MS = 24 * 60 * 60 * 1000
const NOW_MS = Date.UTC(2026, 0, 15)

type Deviation = {
  name?: string
  subject?: Name
  issuer?: Name
  notBefore?: Date
  notAfter?: Date
  serialNumber?: string
  extensions?: Extension[]
  publicKey?: CryptoKey
  signingKey?: CryptoKey
  signingAlgorithm?: EcdsaParams | Algorithm
}

const endEntity = () => new BasicConstraintsExtension(false, undefined, true)
const signsOnly = () => new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true)
const named = (utf8String: string) => new Name([{ CN: [{ utf8String }] }])

/** A certificate as ours are made, but for what is given. */
async function certificateWith(deviation: Deviation): Promise<Uint8Array> {
  const keys = await newKeyPair()
  const name = named(deviation.name ?? "Mallory")
  const certificate = await X509CertificateGenerator.create({
    subject: name,
    issuer: name,
    serialNumber: "4102030405060708090a0b0c0d0e0f10",
    notBefore: new Date(NOW_MS - DAY_MS),
    notAfter: new Date(NOW_MS + DAY_MS),
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    signingAlgorithm: { name: "Ed25519" },
    extensions: [endEntity(), signsOnly()],
    ...deviation,
  })
  return new Uint8Array(certificate.rawData)
}

const check = (der: Uint8Array) => createCredentialChecker(() => NOW_MS).check(der)

describe("a certificate of our own making", () => {
  test("is accepted, and binds name, key and member id", async () => {
    const ada = await newcomer("Ada Lovelace", () => NOW_MS)
    const credential = await check(ada.certificate)
    expect(credential).toMatchObject({ name: "Ada Lovelace", member: ada.member })
    expect(credential?.publicKey).toEqual(ada.publicKey)
    expect(ada.fingerprint).toBe(createHash("sha256").update(ada.certificate).digest("hex"))
    expect(memberIdOf(ada.certificate)).toBe(ada.fingerprint.slice(0, 32))
    expect(fingerprintOf(ada.certificate)).toHaveLength(32)
  })

  test("is X.509 to others: OpenSSL reads it and verifies its signature", async () => {
    const ada = await newcomer("Ada Łukasz 李", () => NOW_MS)
    const certificate = new NodeCertificate(ada.certificate)
    expect(certificate.subject).toBe("CN=Ada Łukasz 李")
    expect(certificate.ca).toBe(false)
    expect(certificate.verify(certificate.publicKey)).toBe(true)
  })

  test.each(["#2d3a", '"Ada"', "Ada, O=Acme", "CN=Bob+CN=Eve", "Zoë 👩‍🚀", "نیک‌نام", "x".repeat(60), "𝒜".repeat(60)])(
    "keeps the name %s as it is",
    async (name) => {
      const person = await newcomer(name, () => NOW_MS)
      expect((await check(person.certificate))?.name).toBe(name)
    },
  )

  test("hides the name in its fingerprint: equal name, key and hour give another one", async () => {
    const keys = await newKeyPair()
    const [one, other] = await Promise.all([
      createCertificate("Ada", keys, NOW_MS),
      createCertificate("Ada", keys, NOW_MS),
    ])
    expect(fingerprintOf(one)).not.toEqual(fingerprintOf(other))
  })

  test("is refused with any single bit flipped", async () => {
    const { certificate } = await newcomer("Ada", () => NOW_MS)
    const checker = createCredentialChecker(() => NOW_MS)
    const accepted: number[] = []
    for (const { bit, flipped } of eachBitFlipped(certificate, CERTIFICATE_BITS_APART)) {
      if ((await checker.check(flipped)) !== null) accepted.push(bit)
    }
    expect(accepted).toEqual([])
    expect(await checker.check(certificate)).not.toBeNull()
  })

  test("is refused cut at any length, and with bytes behind it", async () => {
    const { certificate } = await newcomer("Ada", () => NOW_MS)
    for (let length = 0; length < certificate.length; length++) {
      expect(await parseCertificate(certificate.subarray(0, length))).toBeNull()
    }
    expect(await check(Uint8Array.of(...certificate, 0))).toBeNull()
  })
})

describe("a certificate made to be mistaken for one of ours", () => {
  test("has none of the faults below when it has no deviation", async () => {
    expect(await check(await certificateWith({}))).toMatchObject({ name: "Mallory" })
  })

  test.each<[string, Deviation]>([
    ["has expired", { notAfter: new Date(NOW_MS) }],
    ["is not valid yet", { notBefore: new Date(NOW_MS + 1000) }],
    ["ends before it begins", { notBefore: new Date(NOW_MS - DAY_MS), notAfter: new Date(NOW_MS - 2 * DAY_MS) }],
    ["is a CA", { extensions: [new BasicConstraintsExtension(true, undefined, true), signsOnly()] }],
    ["is a CA with a path length", { extensions: [new BasicConstraintsExtension(true, 0, true), signsOnly()] }],
    ["does not say that it is no CA", { extensions: [signsOnly()] }],
    ["says it uncritically", { extensions: [new BasicConstraintsExtension(false), signsOnly()] }],
    ["has no key usage", { extensions: [endEntity()] }],
    [
      "may sign certificates",
      {
        extensions: [
          endEntity(),
          new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign, true),
        ],
      },
    ],
    ["may only agree keys", { extensions: [endEntity(), new KeyUsagesExtension(KeyUsageFlags.keyAgreement, true)] }],
    ["has its extensions in another order", { extensions: [signsOnly(), endEntity()] }],
    ["has one extension twice", { extensions: [endEntity(), endEntity(), signsOnly()] }],
    [
      "has an extension more",
      {
        extensions: [
          endEntity(),
          signsOnly(),
          new SubjectAlternativeNameExtension([{ type: "dns", value: "a.example" }]),
        ],
      },
    ],
    ["has no extensions", { extensions: [] }],
    ["was issued by another name", { issuer: named("Some CA") }],
    [
      "has two common names",
      { subject: new Name([{ CN: [{ utf8String: "Mallory" }] }, { CN: [{ utf8String: "Ada" }] }]) },
    ],
    [
      "has an organisation",
      { subject: new Name([{ CN: [{ utf8String: "Mallory" }] }, { O: [{ utf8String: "Acme" }] }]) },
    ],
    ["has its name in another string type", { subject: new Name([{ CN: [{ printableString: "Mallory" }] }]) }],
    ["has a short serial", { serialNumber: "41" }],
    ["has a long serial", { serialNumber: "41".repeat(17) }],
    ["has an empty name", { name: "" }],
    ["has a name with a line break", { name: "Ada\nHost" }],
    ["has a name that turns the text around", { name: "Ada\u202etsoh" }],
    ["has a name that looks like another", { name: "Ada\u200b" }],
    ["has a name not in NFC", { name: "Zoe\u0308" }],
    ["has a name with a space behind", { name: "Ada " }],
    ["has a name of 61 characters", { name: "x".repeat(61) }],
    ["is too large", { name: "x".repeat(CERTIFICATE_BYTES_MAX) }],
  ])("is refused when it %s", async (_, deviation) => {
    expect(await check(await certificateWith(deviation))).toBeNull()
  })

  test("is refused when another key signed it", async () => {
    const [victim, mallory] = await Promise.all([newKeyPair(), newKeyPair()])
    expect(
      await check(await certificateWith({ publicKey: victim.publicKey, signingKey: mallory.privateKey })),
    ).toBeNull()
  })

  test("is refused when a good certificate's key issued it as a leaf of its own", async () => {
    const issuer = await newKeyPair()
    const leaf = await newKeyPair()
    const forged = {
      issuer: named("Ada"),
      subject: named("Mallory"),
      publicKey: leaf.publicKey,
      signingKey: issuer.privateKey,
    }
    expect(await check(await certificateWith(forged))).toBeNull()
  })

  test("is refused when its key is of another algorithm", async () => {
    const ecdsa = { name: "ECDSA", namedCurve: "P-256" }
    const keys = (await crypto.subtle.generateKey(ecdsa, true, ["sign", "verify"])) as CryptoKeyPair
    const signingAlgorithm = { name: "ECDSA", hash: "SHA-256" }
    expect(
      await check(await certificateWith({ publicKey: keys.publicKey, signingKey: keys.privateKey, signingAlgorithm })),
    ).toBeNull()
    // Ed25519 outside, another key inside.
    expect(await check(await certificateWith({ publicKey: keys.publicKey }))).toBeNull()
  })
})
