/** A rule that a module breaks. `detail` says with which input, for a person who looks for the fault. */
export type BrokenRule<Rule extends string> = { readonly rule: Rule; readonly detail: string }

/** Yields a detail for each way in which the module breaks the rule. */
type Check<Module> = (module: Module) => AsyncIterable<string>

/** Runs every check. An exception breaks the rule of the check that met it; the other checks still run. */
export async function brokenRules<Module, Rule extends string>(
  module: Module,
  checks: Readonly<Record<Rule, Check<Module>>>,
): Promise<BrokenRule<Rule>[]> {
  const broken: BrokenRule<Rule>[] = []
  for (const [rule, check] of Object.entries(checks) as [Rule, Check<Module>][]) {
    try {
      // One detail is enough: a module that fails with one length often fails with all.
      for await (const detail of check(module)) {
        broken.push({ rule, detail })
        break
      }
    } catch (error) {
      broken.push({ rule, detail: `threw ${String(error)}` })
    }
  }
  return broken
}
