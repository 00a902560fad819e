import type { GroupFault } from "@keymoot/transport"
import type { SecurityEvent } from "../api.ts"
import type { SecureGroupOutput } from "../secure-group/index.ts"

type AgreementFault = Extract<SecureGroupOutput, { type: "fault" }>["reason"]

/** Faults of the key agreement that a single member can commit without anybody's help, and after which it may never end. */
const OBSTRUCTING: ReadonlySet<AgreementFault> = new Set<AgreementFault>([
  "malformed-attachment",
  "malformed-message",
  "bad-state",
  "wrong-key",
  "failed-confirmation",
])

export function isObstructing(reason: AgreementFault): boolean {
  return OBSTRUCTING.has(reason)
}

/** What an application is told of a member's fault in group communication. */
export function codeOfGroupFault(reason: GroupFault): SecurityEvent["code"] {
  switch (reason) {
    case "obstruction":
      return "obstruction"
    case "conflicting-frames":
    case "conflicting-orders":
    case "conflicting-sync":
    case "conflicting-views":
      return "equivocation"
    default:
      return "bad-frame"
  }
}

/** And in key agreement. */
export function codeOfAgreementFault(reason: AgreementFault): SecurityEvent["code"] {
  return reason === "failed-confirmation" ? "failed-confirmation" : "agreement-fault"
}
