export type Edit = { readonly file: string; readonly find: string; readonly replace: string }
export type Mutant = {
  readonly name: string
  readonly edits: readonly Edit[]
  /** A test of this folder that shows the rule by itself, and in the place of random schedules, where few of those depend on it. */
  readonly test?: string
}

export function edit(file: string, find: string, replace: string): Edit {
  return { file, find, replace }
}
