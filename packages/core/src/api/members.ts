import type { MemberId } from "@keymoot/transport"

export type Member = {
  readonly id: MemberId
  readonly name: string
  readonly self: boolean
  /** This identity has compared codes with the owner of this member's key, under whatever name (`verify`). */
  readonly verified: boolean
  /** Somebody verified goes by this name, and has another key: an impostor, or the same person on a new device. */
  readonly changedKey: boolean
  /** What this member may do, by what hosts have said. Of the author of a message that was handed over it says nothing. */
  readonly role: Role
}

/** host: lets in, removes, gives roles; editor: writes and draws; viewer: looks on, and what it sends to others is ignored. */
export type Role = "host" | "editor" | "viewer"

/** A person as an identity card names it. */
export type Person = {
  readonly id: MemberId
  readonly name: string
  /** SHA-256 of the certificate, hex. */
  readonly fingerprint: string
}
