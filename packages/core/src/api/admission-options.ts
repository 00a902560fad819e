import type { CertificateAuthority } from "./identity-handles.ts"
import type { Person } from "./members.ts"

/**
 * Admission of a conference, in addition to holding the link. Every member enforces it.
 *
 * - `link`: everybody that holds the link.
 * - `approval`: people that a host admits (`admit`).
 * - `roster`: these people, including the creator. A roster binds keys: a person whose name has changed appears under
 *   the one in the roster.
 * - `ca`: people that this authority certified, including the creator. All appear under their certified names.
 */
export type Admission =
  | { readonly policy: "link" | "approval" }
  | { readonly policy: "roster"; readonly people: readonly Person[] }
  | { readonly policy: "ca"; readonly authority: Pick<CertificateAuthority, "name" | "fingerprint"> }

/**
 * `members`: identity cards (`IdentityHandle.card`) of the people that may enter. The creator always may. At most 127,
 * or 69 with names of any length.
 */
export type AdmissionOptions =
  | { readonly policy: "link" | "approval" }
  | { readonly policy: "roster"; readonly members: readonly string[] }
  /**
   * `authority`: its root certificate, PEM or DER. It must have certified the creator's identity
   * (`Identities.certify`).
   */
  | { readonly policy: "ca"; readonly authority: Uint8Array | string }

/** A line between a waiting person and a host. */
export type LobbyMessage = { readonly text: string; readonly byHost: boolean }

/**
 * A waiting person, with what it and this host have written to each other. At most 16 messages, latest last.
 *
 * - `verified`: this identity has compared codes with the owner of this key, under a name that looks like this one.
 * - `changedKey`: a verified person has this name and another key. That holds for a verified person too that has taken
 *   the name of another one.
 */
export type Knock = Person & {
  readonly verified: boolean
  readonly changedKey: boolean
  readonly messages: readonly LobbyMessage[]
}

export type AdmissionState = {
  /** This member is not admitted yet. A host has to admit it. */
  readonly waiting: boolean
  /** For a waiting person: a host is connected to it, and sees it in `knocks`. */
  readonly hostHere: boolean
  /**
   * A host has confirmed within the hour that this member knows all statements of hosts. Until then a removed person
   * may be present: a member that has met nobody else cannot know of the removal.
   */
  readonly vouched: boolean
  /** For hosts: waiting people. */
  readonly knocks: readonly Knock[]
  /** For a waiting person: what it and hosts have written to each other. At most 16, latest last. */
  readonly messages: readonly LobbyMessage[]
  /** End of the conference, as hosts have set it. `ConferenceHandle.timeFrame` repeats it. */
  readonly endsAtMs: number
  /** Whether this member may change the end (`setEnd`): no host of a higher rank has done so. */
  readonly maySetEnd: boolean
}
