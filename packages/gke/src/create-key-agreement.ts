import { createCkdModule } from "./ckd/ckd.ts"
import { createBdModule } from "./bd/bd-module.ts"
import { ViewAgreement } from "./clusters/view-agreement.ts"
import type { PrimeOrderGroup } from "./group/prime-order-group.ts"
import type { KeyAgreement } from "./agreement/key-agreement.ts"
import { createGdhModule } from "./gdh/gdh.ts"
import { createKeyTreeModule } from "./key-tree/key-tree-module.ts"
import type { MemberId } from "./shared/member-id.ts"
import { strShape } from "./str/str-shape.ts"
import { tgdhShape } from "./tgdh/tgdh-shape.ts"

export type KeyAgreementOptions = { readonly group: PrimeOrderGroup; readonly self: MemberId }

const modules = {
  tgdh: ({ group, self }: KeyAgreementOptions): KeyAgreement =>
    new ViewAgreement(group, self, createKeyTreeModule(group, tgdhShape)),
  str: ({ group, self }: KeyAgreementOptions): KeyAgreement =>
    new ViewAgreement(group, self, createKeyTreeModule(group, strShape)),
  bd: ({ group, self }: KeyAgreementOptions): KeyAgreement => new ViewAgreement(group, self, createBdModule(group)),
  gdh: ({ group, self }: KeyAgreementOptions): KeyAgreement => new ViewAgreement(group, self, createGdhModule(group)),
  ckd: ({ group, self }: KeyAgreementOptions): KeyAgreement => new ViewAgreement(group, self, createCkdModule(group)),
}

/** A key agreement module; each conference names its own in its descriptor. */
export type KeyAgreementName = keyof typeof modules

export const KEY_AGREEMENT_NAMES = Object.keys(modules) as readonly KeyAgreementName[]

/**
 * One member's state machine for one conference. The view must be installed with everybody's contribution.
 *
 * @example
 * const agreement = createKeyAgreement("tgdh", options)
 * const [contribution] = agreement.step({ type: "contribute", proposal, members, random })
 * for (const output of agreement.step({ type: "view", view, random })) handle(output)
 */
export function createKeyAgreement(name: KeyAgreementName, options: KeyAgreementOptions): KeyAgreement {
  return modules[name](options)
}
