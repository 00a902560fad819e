import type { MemberId } from "@keymoot/transport"

export type Member = {
  readonly id: MemberId
  readonly name: string
  /**
   * Raw Ed25519 key, 64 hex digits. One person may appear under several names and ids with it, and nobody else can.
   * Null for a member that was never met here and only transferred messages.
   */
  readonly publicKey: string | null
  readonly self: boolean
  /** This identity has compared codes with the owner of this member's key (`verify`). False under `changedKey`. */
  readonly verified: boolean
  /**
   * A verified person has this name and another key: an impostor, or the same person on a new device. That holds for a
   * verified person too that has taken the name of another one. For an author on a channel with a history also: a
   * member or a person of the roster has this name.
   */
  readonly changedKey: boolean
  /**
   * Role by the hosts' statements. For a message's author it is the present role of its key; viewer if that is not
   * known.
   */
  readonly role: Role
  /** Rank of a host, from 0 for the creator; null for others. A host decides about people behind it. */
  readonly rank: number | null
  /** Whether this program's own member may remove it (`remove`). */
  readonly mayRemove: boolean
  /** Whether this program's own member may change its role (`setRole`). */
  readonly maySetRole: boolean
}

/** host: admits, removes, sets roles; editor: writes and draws; viewer: reads. Members ignore what a viewer sends. */
export type Role = "host" | "editor" | "viewer"

/** A person as named by a certificate. */
export type Person = {
  readonly id: MemberId
  readonly name: string
  /** SHA-256 of the certificate, hex. */
  readonly fingerprint: string
}

/** A person as named by an identity card. */
export type CardHolder = Person & {
  /** Raw Ed25519 key, 64 hex digits. The same under each name of this person. */
  readonly publicKey: string
}
