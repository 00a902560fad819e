import type { CardHolder } from "@keymoot/core"

/** A person on the roster of a new conference. */
export type NamedPerson = Pick<CardHolder, "id" | "name" | "publicKey"> & { readonly card: string }
