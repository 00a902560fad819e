import type { KeyAgreementName } from "@keymoot/gke"

/** The facts that tests over every module whose key changes with the view need of each. */
export type ModuleUnderTest = {
  readonly name: KeyAgreementName
  /**
   * Rounds and messages after the view for one insertion or removal, or a refresh, that leaves this many members, at least two.
   * GDH's differ from each other: `gdh-ckd-costs.test.ts` has them.
   */
  readonly oneChange?: (members: number) => { readonly rounds: number; readonly messages: number }
}

export const MODULES: readonly ModuleUnderTest[] = [
  { name: "tgdh", oneChange: () => ({ rounds: 1, messages: 1 }) },
  { name: "str", oneChange: () => ({ rounds: 1, messages: 1 }) },
  {
    name: "bd",
    // Two are a plain Diffie-Hellman.
    oneChange: (members) => (members === 2 ? { rounds: 0, messages: 0 } : { rounds: 1, messages: members }),
  },
  { name: "gdh" },
  { name: "ckd", oneChange: () => ({ rounds: 1, messages: 1 }) },
]
