/** Permitted uses of a certificate that another program issued (RFC 5280, sections 4.2.1.3, 4.2.1.9, 4.2.1.12). */
import { AsnConvert } from "@peculiar/asn1-schema"
import {
  AuthorityKeyIdentifier,
  BasicConstraints,
  ExtendedKeyUsage,
  KeyUsage,
  KeyUsageFlags,
  SubjectKeyIdentifier,
} from "@peculiar/asn1-x509"

import { equalBytes } from "../../wire/index.ts"
import type { X509 } from "./x509.ts"

const SUBJECT_ALTERNATIVE_NAME = "2.5.29.17"
const [BASIC_CONSTRAINTS, KEY_USAGE, EXTENDED_KEY_USAGE] = ["2.5.29.19", "2.5.29.15", "2.5.29.37"] as const
const [SUBJECT_KEY_IDENTIFIER, AUTHORITY_KEY_IDENTIFIER] = ["2.5.29.14", "2.5.29.35"] as const
const KNOWN = new Set([BASIC_CONSTRAINTS, KEY_USAGE, EXTENDED_KEY_USAGE, SUBJECT_ALTERNATIVE_NAME])
/**
 * TLS client, mail, or anything: the uses that authorities give to people. A certificate only for servers or code is
 * not a person's.
 */
const FOR_PEOPLE = new Set(["1.3.6.1.5.5.7.3.2", "1.3.6.1.5.5.7.3.4", "2.5.29.37.0"])

export type Usage = {
  /** The key may sign on a person's behalf. */
  readonly signs: boolean
  /** The key may sign certificates. */
  readonly issues: boolean
  /** Marked as an authority, or with a key that issues. Neither is permitted for a member. */
  readonly isAuthority: boolean
}

/** Returns null if an extension occurs twice. @throws for a malformed extension of those read here */
export function usageOf(certificate: X509): Usage | null {
  const types = certificate.extensions.map(({ type }) => type)
  if (new Set(types).size !== types.length) return null
  const saidCa = extension(certificate, BASIC_CONSTRAINTS, BasicConstraints)?.cA === true
  const usages = extension(certificate, KEY_USAGE, KeyUsage)?.toNumber() ?? 0
  const purposes = extension(certificate, EXTENDED_KEY_USAGE, ExtendedKeyUsage)
  const mayIssue = (usages & KeyUsageFlags.keyCertSign) !== 0
  return {
    signs:
      (usages & KeyUsageFlags.digitalSignature) !== 0 &&
      (purposes === null || purposes.some((purpose) => FOR_PEOPLE.has(purpose))),
    issues: saidCa && mayIssue,
    isAuthority: saidCa || mayIssue,
  }
}

/** An unknown critical extension (name constraints, say) must not be ignored. */
export function criticalExtensionsAreKnown({ extensions }: X509): boolean {
  return extensions.every(({ type, critical }) => !critical || KNOWN.has(type))
}

/** Identifiers of the certificate's own key and of its issuer's key. */
export type KeyIds = { readonly own: Uint8Array | null; readonly issuer: Uint8Array | null }

/** @throws for malformed identifiers */
export function keyIdsOf(certificate: X509): KeyIds {
  const own = extension(certificate, SUBJECT_KEY_IDENTIFIER, SubjectKeyIdentifier)
  const issuer = extension(certificate, AUTHORITY_KEY_IDENTIFIER, AuthorityKeyIdentifier)?.keyIdentifier
  return { own: own && new Uint8Array(own.buffer), issuer: issuer ? new Uint8Array(issuer.buffer) : null }
}

/** Two authorities may have the same name. A certificate usually identifies the key that signed it. */
export function namesOtherKey({ issuer: wanted }: KeyIds, { own: there }: KeyIds): boolean {
  return wanted !== null && there !== null && !equalBytes(wanted, there)
}

function extension<T>({ extensions }: X509, type: string, read: new () => T): T | null {
  const found = extensions.find((other) => other.type === type)
  return found ? AsnConvert.parse(found.value, read) : null
}
