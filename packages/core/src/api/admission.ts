import type { CertificateAuthority } from "./certificates.ts"
import type { Person } from "./members.ts"

/**
 * Who may enter, besides holding the link. Every member enforces it.
 *
 * - `link`: whoever holds it.
 * - `approval`: whom a host lets in (`admit`).
 * - `roster`: these people, the creator among them. A roster binds keys: who has another name now appears under the one in it.
 * - `ca`: whom this authority certified, the creator among them. Everybody appears under the name that it certified.
 */
export type Admission =
  | { readonly policy: "link" | "approval" }
  | { readonly policy: "roster"; readonly people: readonly Person[] }
  | { readonly policy: "ca"; readonly authority: Pick<CertificateAuthority, "name" | "fingerprint"> }

/** `members`: identity cards (`IdentityHandle.card`) of those who may enter; the creator may in any case. 31 at most, and 16 with names of any length. */
export type AdmissionOptions =
  | { readonly policy: "link" | "approval" }
  | { readonly policy: "roster"; readonly members: readonly string[] }
  /** `authority`: its root certificate, PEM or DER; one that the creator's identity was certified by (`Identities.certify`). */
  | { readonly policy: "ca"; readonly authority: Uint8Array | string }

export type AdmissionState = {
  /** This member is not in yet: a host has to let it in. */
  readonly waiting: boolean
  /**
   * A host has confirmed within the hour that this member knows all that hosts have said. Until then somebody who has been
   * removed may be here: who has met nobody else cannot know.
   */
  readonly vouched: boolean
  /** For hosts: people who want to come in. */
  readonly knocks: readonly Person[]
}
