/** Reports to the group about its present view, which follow from the key agreement. */
import type { GroupInput } from "@keymoot/transport"
import type { SecureGroupOutput } from "../secure-group/secure-group.ts"

export type GroupReport = Extract<GroupInput, { type: "obstructed" | "unusable" }>
type AgreementFault = Extract<SecureGroupOutput, { type: "fault" }>["reason"]

/** Faults that a single member can commit alone, and after which the agreement may never end. */
const OBSTRUCTING: ReadonlySet<AgreementFault> = new Set<AgreementFault>([
  "malformed-attachment",
  "malformed-message",
  "bad-state",
  "wrong-key",
])

export function reportsOf(output: SecureGroupOutput): readonly GroupReport[] {
  switch (output.type) {
    case "differing":
      return [{ type: "unusable", by: output.members }]
    case "fault":
      if (output.reason === "failed-confirmation") return [{ type: "unusable", by: [output.member] }]
      return OBSTRUCTING.has(output.reason) ? [{ type: "obstructed", by: output.member }] : []
    case "overdue":
      return [{ type: "obstructed", by: output.member }]
    default:
      return []
  }
}
