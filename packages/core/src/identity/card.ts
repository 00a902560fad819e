import { base64urlnopad } from "@scure/base"

import { KeymootError } from "../api/index.ts"
import { decodeOrNull } from "../wire/index.ts"
import { CERTIFICATE_BYTES_MAX } from "./certificates/certificate.ts"
import type { MemberCredential, MemberCredentialChecker } from "./certificates/credential-checker.ts"

/** Prefix with the version of the content, which is the certificate (DER) in base64url. */
const PREFIX = "keymoot-card-1."
const ANY_VERSION = /^keymoot-card-\d+\./u
/** Twice the size of the largest certificate, so that line breaks of a mail fit. Longer texts are not decoded. */
const CARD_CHARACTERS_MAX = 3 * CERTIFICATE_BYTES_MAX

/**
 * Returns a person's card, with which others put the person on a conference's roster. It holds name and public key, and
 * no secret.
 */
export function formatCard(certificate: Uint8Array): string {
  return PREFIX + base64urlnopad.encode(certificate)
}

/**
 * Decodes a card. It ignores white space, which mails add.
 * @throws KeymootError `invalid-card`, with words for the person that pasted it.
 */
export async function parseCard(text: string, checker: MemberCredentialChecker): Promise<MemberCredential> {
  if (typeof text !== "string" || text.length > CARD_CHARACTERS_MAX) throw invalid("This is too long for a card.")
  const card = text.replaceAll(/\s/gu, "")
  if (card === "") throw invalid("Paste the person's card first.")
  if (/^https?:/u.test(card)) throw invalid("This is a link, not a card. Ask the person for the text of the card.")
  if (!card.startsWith(PREFIX)) {
    if (ANY_VERSION.test(card)) throw invalid("This card was made by another version of Keymoot. Ask for a new one.")
    throw invalid(`This is no card: one begins with ${PREFIX}. Copy it as a whole.`)
  }
  const certificate = decodeOrNull(base64urlnopad, card.slice(PREFIX.length))
  const credential = certificate && (await checker.check(certificate))
  if (!credential) throw invalid("This card is damaged, or no longer valid. Ask for it again, and copy it as a whole.")
  return credential
}

/** Strict: each value has one text. */
function invalid(message: string): KeymootError {
  return new KeymootError("invalid-card", message)
}
