import type { Carrier } from "./connection.ts"

/** What proves a member's fault when others have carried it: they cannot make this up. */
const FAULTS_OF_THE_MEMBER: ReadonlySet<string> = new Set(["invitation-mismatch", "bad-signature", "bad-sequence"])

/** Whoever relays can lose and spoil what it likes, and gains nothing by it; that the server spoils it people should know. */
export function isTold({ type }: Carrier, detail: string): boolean {
  return type === "webrtc" || (type === "server" && detail !== "gap") || FAULTS_OF_THE_MEMBER.has(detail)
}
