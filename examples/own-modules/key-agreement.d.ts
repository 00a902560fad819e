import type { OwnKeyAgreement } from "@keymoot/core/engine"

export const freshStar: OwnKeyAgreement & { readonly name: `own:${string}` }
