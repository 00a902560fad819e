import type { Person } from "@keymoot/core"

/** Somebody who may enter a conference that is about to be made. */
export type NamedPerson = Pick<Person, "id" | "name"> & { readonly card: string }
