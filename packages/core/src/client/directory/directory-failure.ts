import type { ErrorCode as RefusalCode } from "@keymoot/transport/signaling-protocol"
import { type ErrorCode, KeymootError } from "../../api/index.ts"
import { serverFailure } from "../../rpc/server-failure.ts"

type Refusal = { readonly code: string; readonly message: string }

/** A challenge is valid once, on the connection that asked for it. A broken connection loses challenge and proof. */
const PROOF = ["proof-refused", "The server did not take the proof of this identity. Try again."] as const

/** Refusals that need another remedy than a later attempt. `superseded` of a conference's end is another matter. */
const REMEDIES: { readonly [code in RefusalCode]?: readonly [ErrorCode, string] } = {
  superseded: [
    "certificate-superseded",
    "The directory has a later certificate of this identity, of another device or name. Withdraw it, then publish again.",
  ],
  "bad-certificate": [
    "certificate-refused",
    "The server does not take this identity's certificate. Set the date and time of this device, then try again.",
  ],
  "wrong-origin": [
    "wrong-origin",
    "The server does not know itself under this address. Use its own address, or have PUBLIC_ORIGIN name this one.",
  ],
  "bad-proof": PROOF,
  "not-proved": PROOF,
}

/** The error for a refusal of a directory, or for its silence. */
export function directoryFailure(refusal: Refusal): KeymootError {
  const remedy = REMEDIES[refusal.code as RefusalCode]
  return remedy ? new KeymootError(...remedy) : serverFailure(refusal)
}
