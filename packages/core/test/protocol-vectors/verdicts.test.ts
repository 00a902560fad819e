import { readFileSync } from "node:fs"
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { describe, expect, test } from "vitest"
import { verifyEvidence } from "../../src/evidence/index.ts"
import { readX509 } from "../../src/identity/certificates/x509.ts"
import { type PublishedCertificate, verdictOf } from "./certificates/judge.ts"
import { VECTORS_FOLDER } from "./published.ts"

function published<T>(name: string): readonly T[] {
  const text = readFileSync(new URL(`${name}.json`, VECTORS_FOLDER), "utf8")
  return (JSON.parse(text) as { vectors: readonly T[] }).vectors
}
const certificates = published<PublishedCertificate>("certificates")
type PublishedArchive = { readonly name: string; readonly archive: string; readonly fault: object | null }

describe("a certificate gets its published verdict", () => {
  test.each(certificates)("$as: $name: $verdict", async (each) => {
    expect(await verdictOf(each)).toBe(each.verdict)
  })
})

describe("an evidence archive gets its published verdict", () => {
  test.each(published<PublishedArchive>("archive"))("$name", async ({ archive, fault }) => {
    const verdict = await verifyEvidence(hexToBytes(archive))
    expect(verdict.valid ? null : verdict.fault).toEqual(fault)
  })
})

test("accepts no other encoding of an ECDSA signature over the same bytes", () => {
  const forms = certificates.filter(({ name }) => name.startsWith("an ECDSA signature"))
  expect(new Set(forms.map(({ certificate }) => bytesToHex(readX509(hexToBytes(certificate)).signed))).size).toBe(1)
  // The second signature is another one: anybody can compute it from the first, and X.509 allows both.
  expect(forms.filter(({ verdict }) => verdict === "accepted").map(({ name }) => name)).toEqual([
    "an ECDSA signature in DER",
    "an ECDSA signature with n - s in place of s",
  ])
})
