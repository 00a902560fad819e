import type { GroupFault } from "@keymoot/transport"
import type { SecurityEvent } from "../api/index.ts"
import type { SecureGroupOutput } from "../secure-group/secure-group.ts"

type AgreementFault = Extract<SecureGroupOutput, { type: "fault" }>["reason"]

/** Maps a member's fault in group communication to the application's code. */
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

/** Maps a member's fault in key agreement to the application's code. */
export function codeOfAgreementFault(reason: AgreementFault): SecurityEvent["code"] {
  return reason === "failed-confirmation" ? "failed-confirmation" : "agreement-fault"
}
