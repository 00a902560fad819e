import type { ConferenceHandle, ConferenceView } from "@keymoot/core"

/** Under majority: how many more members of the roster a first key needs; 0 if none. */
export function missingForKey({ status, members }: ConferenceView, handle: ConferenceHandle): number {
  const { admission, keyAgreement } = handle
  if (status !== "agreeing" || keyAgreement !== "majority" || admission.policy !== "roster") return 0
  return Math.max(0, Math.floor(admission.people.length / 2) + 1 - members.length)
}
