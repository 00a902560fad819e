/** The engine's verdicts about published certificates. A browser test bundles this file. */
import { hexToBytes } from "@noble/hashes/utils.js"
import { checkIssued, readAuthority, refusalByTime } from "../../../src/identity/certificates/authority.ts"
import { createCredentialChecker } from "../../../src/identity/certificates/credential-checker.ts"

/** As in certificates.json: byte strings in hex. */
export type PublishedCertificate = {
  readonly name: string
  readonly as: string
  readonly authority: string | null
  readonly certificate: string
  readonly atMs: number
  readonly verdict: string
}

export async function verdictOf({ as, authority, certificate, atMs }: PublishedCertificate): Promise<string> {
  const der = hexToBytes(certificate)
  if (as === "self-signed") {
    return (await createCredentialChecker(() => atMs).check(der)) === null ? "refused" : "accepted"
  }
  const root = await readAuthority(authority === null ? der : hexToBytes(authority))
  if (typeof root === "string") return root
  const refusal = authority === null ? refusalByTime(root, atMs) : await checkIssued(root, der, atMs)
  return typeof refusal === "string" ? refusal : "accepted"
}
