import type { Person } from "@keymoot/core"

/** A person on the roster of a new conference. */
export type NamedPerson = Pick<Person, "id" | "name"> & { readonly card: string }
