import "reflect-metadata/lite" // required by the library below
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  SubjectKeyIdentifierExtension,
  AuthorityKeyIdentifierExtension,
} from "@peculiar/x509"
import { describe, expect, test } from "vitest"
import {
  type Authority,
  type CertificateRefusal,
  checkIssued,
  readAuthority,
} from "../../src/identity/certificates/authority.ts"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { mayIssue, maySign, named, P256, TestAuthority } from "./authorities.ts"
import { CERTIFICATE_BITS_APART, eachBitFlipped, newcomer, newKeyPair } from "./people.ts"

const DAY_MS = 24 * 60 * 60 * 1000
const NOW_MS = Date.now()

async function read(certificate: Uint8Array): Promise<Authority> {
  const authority = await readAuthority(certificate)
  if (typeof authority === "string") throw new Error(`refused: ${authority}`)
  return authority
}

const acme = await TestAuthority.create("Acme Ltd")
const root = await read(acme.certificate)
const check = (der: Uint8Array) => checkIssued(root, der, NOW_MS)

describe("a certificate that the demanded authority issued", () => {
  test.each([
    ["Ed25519", undefined],
    ["ECDSA on P-256", P256],
  ])("binds name, key and member id, under an authority with %s", async (_, algorithm) => {
    const authority = await TestAuthority.create("Acme Ltd", {}, algorithm)
    const keys = await newKeyPair()
    const der = await authority.issue("Ada Lovelace", keys.publicKey)
    const publicKey = new Uint8Array(await crypto.subtle.exportKey("raw", keys.publicKey))
    expect(await checkIssued(await read(authority.certificate), der, NOW_MS)).toMatchObject({
      name: "Ada Lovelace",
      publicKey,
    })
  })

  test("may be for mail or log-in, and need not say that it is no authority", async () => {
    const forMail = new ExtendedKeyUsageExtension([ExtendedKeyUsage.emailProtection])
    const extensions = [new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true), forMail]
    expect(await check(await acme.issue("Ada", undefined, { extensions }))).toMatchObject({ name: "Ada" })
  })

  test("is refused with any single bit flipped", async () => {
    const der = await acme.issue("Ada")
    const accepted: number[] = []
    for (const { bit, flipped } of eachBitFlipped(der, CERTIFICATE_BITS_APART)) {
      if (typeof (await check(flipped)) !== "string") accepted.push(bit)
    }
    expect(accepted).toEqual([])
  })
})

/** Its first name of that text has the type of a time (X.680), which it does not become by that. */
function namedByTime(der: Uint8Array, name: string): Uint8Array {
  const UTC_TIME = 0x17
  const changed = der.slice()
  changed[Buffer.from(der).indexOf(name) - 2] = UTC_TIME
  return changed
}

describe("a certificate is refused, each with its own reason", () => {
  const lasting = (from: number, to: number) => ({
    notBefore: new Date(NOW_MS + from * DAY_MS),
    notAfter: new Date(NOW_MS + to * DAY_MS),
  })
  const usage = (flags: KeyUsageFlags, ...more: Extension[]) => ({
    extensions: [new BasicConstraintsExtension(false, undefined, true), new KeyUsagesExtension(flags, true), ...more],
  })
  const unknownCritical = new Extension("1.2.3.4", true, new Uint8Array([5, 0]).buffer)
  const { digitalSignature, keyAgreement, keyCertSign } = KeyUsageFlags

  test.each<[CertificateRefusal, string, () => Promise<Uint8Array>]>([
    ["expired", "that has ended", () => acme.issue("Ada", undefined, lasting(-2, -1))],
    ["not-yet-valid", "that has not begun", () => acme.issue("Ada", undefined, lasting(1, 2))],
    ["wrong-usage", "whose key only agrees keys", () => acme.issue("Ada", undefined, usage(keyAgreement))],
    ["wrong-usage", "whose key may issue", () => acme.issue("Ada", undefined, usage(digitalSignature | keyCertSign))],
    ["wrong-usage", "of an authority below", () => acme.issue("Ada", undefined, { extensions: mayIssue() })],
    ["wrong-usage", "that says nothing of usage", () => acme.issue("Ada", undefined, { extensions: [] })],
    [
      "wrong-usage",
      "for servers only",
      () => {
        const forServers = new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth])
        return acme.issue("Ada", undefined, usage(digitalSignature, forServers))
      },
    ],
    [
      "wrong-usage",
      "with a constraint unknown here",
      () => acme.issue("Ada", undefined, usage(digitalSignature, unknownCritical)),
    ],
    ["wrong-authority", "of another authority", async () => (await TestAuthority.create("Other")).issue("Ada")],
    ["wrong-authority", "that is self-signed", async () => (await newcomer("Ada")).certificate],
    ["bad-signature", "of another of the same name", async () => (await TestAuthority.create("Acme Ltd")).issue("Ada")],
    [
      "bad-signature",
      "that was tampered with",
      async () => {
        const der = await acme.issue("Ada")
        der[Buffer.from(der).indexOf("Ada")]! ^= 2
        return der
      },
    ],
    [
      "bad-key",
      "with a key of another kind",
      async () => acme.issue("Ada", (await crypto.subtle.generateKey(P256, true, ["sign", "verify"])).publicKey),
    ],
    ["bad-name", "without a common name", () => acme.issue("", undefined, { subject: new Name([{ O: ["Acme"] }]) })],
    [
      "bad-name",
      "with two",
      () => acme.issue("", undefined, { subject: new Name([{ CN: ["Ada"] }, { CN: ["Bob"] }]) }),
    ],
    ["bad-name", "with an invisible character", () => acme.issue("Ad\u200Ba")],
    ["malformed", "with bytes behind it", async () => Uint8Array.of(...(await acme.issue("Ada")), 0)],
    [
      "malformed",
      "whose issuer's name is written as a time",
      async () => namedByTime(await acme.issue("Ada"), "Acme Ltd"),
    ],
    ["malformed", "whose own name is", async () => namedByTime(await acme.issue("Ada"), "Ada")],
    ["malformed", "over 4 KiB", async () => new Uint8Array(5000)],
    ["malformed", "that is none", async () => new Uint8Array([0x30, 0x03, 1, 2, 3])],
  ])("%s: one %s", async (reason, _, make) => {
    expect(await check(await make())).toBe(reason)
  })

  test("not-an-authority: a member's certificate as the issuer of others", async () => {
    const keys = await newKeyPair()
    const member = await acme.issue("Mallory", keys.publicKey)
    expect(await readAuthority(member)).toBe("not-an-authority")
    // Signed by a key that the authority certified, and issued in the member's own name or the authority's.
    const inOwnName = { issuer: named("Mallory"), signingKey: keys.privateKey }
    expect(await check(await acme.issue("Ada", undefined, inOwnName))).toBe("wrong-authority")
    expect(await check(await acme.issue("Ada", undefined, { signingKey: keys.privateKey }))).toBe("bad-signature")
  })

  test("not-an-authority: self-signed, but denies being one or says only half of it", async () => {
    expect(await readAuthority((await newcomer("Ada")).certificate)).toBe("not-an-authority")
    for (const extensions of [maySign(), [mayIssue()[0]!], [mayIssue()[1]!], [...mayIssue(), unknownCritical]]) {
      expect(await readAuthority((await TestAuthority.create("Acme", { extensions })).certificate)).toBe(
        "not-an-authority",
      )
    }
  })

  test("not-an-authority: issued by another authority; bad-signature: altered", async () => {
    const below = await acme.issue("Acme Sales", undefined, { extensions: mayIssue() })
    expect(await readAuthority(below)).toBe("not-an-authority")
    const altered = acme.certificate.slice()
    altered[altered.length - 1]! ^= 1
    expect(await readAuthority(altered)).toBe("bad-signature")
  })

  test("wrong-authority: one of two of the same name, if it says whose key signed it", async () => {
    const key = (byte: string) => byte.repeat(20)
    const extensions = [...mayIssue(), new SubjectKeyIdentifierExtension(key("01"))]
    const one = await TestAuthority.create("Acme Ltd", { extensions })
    const signer = { extensions: [...maySign(), new AuthorityKeyIdentifierExtension(key("02"))] }
    expect(await checkIssued(await read(one.certificate), await one.issue("Ada", undefined, signer), NOW_MS)).toBe(
      "wrong-authority",
    )
  })

  test("expired: everything, once the authority's own certificate is over", async () => {
    const der = await acme.issue("Ada", undefined, lasting(-1, 400))
    expect(await checkIssued(root, der, NOW_MS + 30 * DAY_MS)).toBe("expired")
  })
})

test("the conference's checker accepts only these, and gives reasons, also from cache", async () => {
  let nowMs = NOW_MS
  const refused: CertificateRefusal[] = []
  const demands = { authority: root, refused: (_: unknown, why: CertificateRefusal) => void refused.push(why) }
  const checker = createCredentialChecker(() => nowMs, demands)
  const der = await acme.issue("Ada")
  expect(await checker.check(der)).toMatchObject({ name: "Ada" })
  expect(await checker.check((await newcomer("Ada")).certificate)).toBeNull()
  nowMs += 2 * DAY_MS
  expect(await checker.check(der)).toBeNull()
  expect(refused).toEqual(["wrong-authority", "expired"])
})
