import type { Carrier } from "../path/connection-io.ts"

/** Faults that prove the member's own misbehaviour also on a relayed link: a relaying member can't forge them. */
const FAULTS_OF_THE_MEMBER: ReadonlySet<string> = new Set(["invitation-mismatch", "bad-signature", "bad-sequence"])

/**
 * Tampering by a relaying member is not reported: it can lose and spoil frames anyway, and gains nothing. Tampering by
 * the server is reported.
 */
export function isReported({ type }: Carrier, detail: string): boolean {
  return type === "webrtc" || (type === "server" && detail !== "gap") || FAULTS_OF_THE_MEMBER.has(detail)
}
