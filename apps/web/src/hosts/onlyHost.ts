import type { ConferenceHandle, ConferenceView } from "@keymoot/core"

type Policy = Pick<ConferenceHandle, "admission">

/** Whether this person alone can let people in. */
export function isOnlyHost({ admission }: Policy, { members }: ConferenceView): boolean {
  const hosts = members.filter(({ role }) => role === "host")
  return admission.policy === "approval" && hosts.length === 1 && hosts[0]!.self
}

/** Whether nobody can be let in at the moment. */
export function hasNoHost({ admission }: Policy, { status, members }: ConferenceView): boolean {
  return admission.policy === "approval" && status === "secured" && members.every(({ role }) => role !== "host")
}
