/** Certificates of other makes: what this package writes and reads is what others write and read. */
import "reflect-metadata/lite" // required by the library below
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509"
import { bytesToHex } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import { checkIssued, readAuthority } from "../../src/identity/certificates/authority.ts"
import { createCertificate, parseCertificate } from "../../src/identity/certificates/certificate.ts"
import { TestAuthority } from "./authorities.ts"
import { newKeyPair } from "./people.ts"

const NOW_MS = Date.now()

test("writes the same bytes as another library", async () => {
  const keys = await newKeyPair()
  const der = await createCertificate("Zoë", keys, NOW_MS)
  const { fields } = (await parseCertificate(der))!
  const name = new Name([{ CN: [{ utf8String: "Zoë" }] }])
  const other = await X509CertificateGenerator.create({
    subject: name,
    issuer: name,
    serialNumber: bytesToHex(fields.serial),
    notBefore: new Date(fields.notBeforeMs),
    notAfter: new Date(fields.notAfterMs),
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    signingAlgorithm: { name: "Ed25519" },
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    ],
  })
  expect(new Uint8Array(other.rawData)).toEqual(der)
  expect(await new X509Certificate(der.slice()).verify({ signatureOnly: true })).toBe(true)
})

const rsa = (name: string, modulusLength: number, hash: string) => {
  return { name, modulusLength, hash, publicExponent: Uint8Array.of(1, 0, 1), saltLength: 32 }
}
const ecdsa = (namedCurve: string, hash: string) => ({ name: "ECDSA", namedCurve, hash })

test.each([
  ["ECDSA on P-384", ecdsa("P-384", "SHA-384")],
  ["ECDSA on P-521", ecdsa("P-521", "SHA-512")],
  ["RSA", rsa("RSASSA-PKCS1-v1_5", 2048, "SHA-256")],
  ["RSA with SHA-512", rsa("RSASSA-PKCS1-v1_5", 3072, "SHA-512")],
  ["RSA-PSS", rsa("RSA-PSS", 2048, "SHA-256")],
])("reads what an authority with %s issued, and nothing altered", async (_, algorithm) => {
  const authority = await TestAuthority.create("Acme Ltd", {}, algorithm)
  const root = await readAuthority(authority.certificate)
  if (typeof root === "string") throw new Error(`refused: ${root}`)
  const der = await authority.issue("Ada")
  expect(await checkIssued(root, der, NOW_MS)).toMatchObject({ name: "Ada" })
  der[Buffer.from(der).indexOf("Ada")]! ^= 2
  expect(await checkIssued(root, der, NOW_MS)).toBe("bad-signature")
})

test.each([
  ["a short RSA key", rsa("RSASSA-PKCS1-v1_5", 1024, "SHA-256")],
  ["SHA-1", rsa("RSASSA-PKCS1-v1_5", 2048, "SHA-1")],
  ["SHA-1 and RSA-PSS", rsa("RSA-PSS", 2048, "SHA-1")],
  ["SHA-1 and ECDSA", ecdsa("P-256", "SHA-1")],
])("refuses an authority with %s", async (_, algorithm) => {
  const authority = await TestAuthority.create("Acme Ltd", {}, algorithm)
  expect(await readAuthority(authority.certificate)).toBe("weak-signature")
})
