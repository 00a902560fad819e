import type { PrimeOrderGroup } from "./group/prime-order-group.ts"
import type { KeyAgreement } from "./key-agreement.ts"
import type { MemberId } from "./member-id.ts"
import { Tgdh } from "./tgdh/tgdh.ts"

export type KeyAgreementOptions = { readonly group: PrimeOrderGroup; readonly self: MemberId }

const modules = {
  tgdh: ({ group, self }: KeyAgreementOptions): KeyAgreement => new Tgdh(group, self),
}

/** A key agreement module; each conference names its own in its descriptor. */
export type KeyAgreementName = keyof typeof modules

export const KEY_AGREEMENT_NAMES = Object.keys(modules) as readonly KeyAgreementName[]

/**
 * One member's state machine for one conference.
 *
 * @example
 * const agreement = createKeyAgreement("tgdh", { group: await loadSodiumGroup(), self })
 * const [contribution] = agreement.step({ type: "contribute", proposal, members, random })
 * // … the view is installed with everybody's contribution …
 * for (const output of agreement.step({ type: "view", view, random })) handle(output)
 */
export function createKeyAgreement(name: KeyAgreementName, options: KeyAgreementOptions): KeyAgreement {
  return modules[name](options)
}
