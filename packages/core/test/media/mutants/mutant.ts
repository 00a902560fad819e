import type { Edit, Mutant } from "../../../../transport/test/mutants/mutant.ts"

export type MediaMutant = Mutant & { readonly test: string }

/** A rule with the edits that break it, and the unit test that must fail then. */
export function broken(
  name: string,
  test: string,
  ...edits: readonly (readonly [string, string, string])[]
): MediaMutant {
  return { name, test, edits: edits.map(([file, find, replace]): Edit => ({ file, find, replace })) }
}
