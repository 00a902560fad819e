/** The engine's verdicts about published signatures. A browser test bundles this file. */
import { hexToBytes } from "@noble/hashes/utils.js"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"

const checker = createCredentialChecker()

/** As in ed25519.json: byte strings in hex. */
export type PublishedSignature = { readonly publicKey: string; readonly message: string; readonly signature: string }

export async function isAccepted({ publicKey, message, signature }: PublishedSignature): Promise<boolean> {
  return checker.verify(hexToBytes(publicKey), hexToBytes(message), hexToBytes(signature))
}
