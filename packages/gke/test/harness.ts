export { Harness, memberNamed, type Proposal, type View } from "@keymoot/gke/testing"
