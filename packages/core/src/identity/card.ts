import { base64urlnopad } from "@scure/base"

import { KeymootError } from "../api.ts"
import { CERTIFICATE_BYTES_MAX } from "./certificate.ts"
import type { MemberCredential, MemberCredentialChecker } from "./credential-checker.ts"

/** The number is the version of what stands behind it: the certificate (DER) in base64url. */
const PREFIX = "keymoot-card-1."
const ANY_VERSION = /^keymoot-card-\d+\./u
/** Twice what the largest certificate takes, so that line breaks of a mail fit in; what is longer is not looked at. */
const CARD_CHARACTERS_MAX = 3 * CERTIFICATE_BYTES_MAX

/** What a person gives to others, so that they can name him or her in a conference's roster: name and public key, and no secret. */
export function formatCard(certificate: Uint8Array): string {
  return PREFIX + base64urlnopad.encode(certificate)
}

/**
 * Reads a card; white space, which mails put in, does not count.
 * @throws KeymootError `invalid-card`, with words for the person who pasted it.
 */
export async function parseCard(text: string, checker: MemberCredentialChecker): Promise<MemberCredential> {
  if (typeof text !== "string" || text.length > CARD_CHARACTERS_MAX) throw invalid("This is too long for a card.")
  const card = text.replaceAll(/\s/gu, "")
  if (card === "") throw invalid("Paste the person's card first.")
  if (/^https?:/u.test(card)) throw invalid("This is a link and no card. Ask the person for the text of the card.")
  if (!card.startsWith(PREFIX)) {
    if (ANY_VERSION.test(card)) throw invalid("This card was made by another version of Keymoot. Ask for a new one.")
    throw invalid(`This is no card: one begins with ${PREFIX}. Copy it as a whole.`)
  }
  const certificate = decode(card.slice(PREFIX.length))
  const credential = certificate && (await checker.check(certificate))
  if (!credential) throw invalid("This card is damaged, or no longer valid. Ask for it again, and copy it as a whole.")
  return credential
}

/** Strict: one text for one value. */
function decode(text: string): Uint8Array | null {
  try {
    return base64urlnopad.decode(text)
  } catch {
    return null
  }
}

function invalid(message: string): KeymootError {
  return new KeymootError("invalid-card", message)
}
