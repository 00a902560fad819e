export { Harness, memberNamed } from "@keymoot/gke/testing"
export type { Proposal, View } from "@keymoot/gke/testing"
