import type { ScheduledConference, ScheduleOptions } from "./enter-options.ts"
import type { IdentityHandle } from "./identity-handles.ts"

/**
 * Trust of this device in a listed name. Anybody can publish any name.
 *
 * - `verified`: this identity has compared codes with the holder of the key, under a name that looks like this one.
 * - `unverified`: the certificate is sound, and nobody here has verified its key under this name.
 * - `changed-key`: the name is that of a verified person, and the key is another one.
 * - `unchecked`: the server sent no certificate, or one that does not fit its own list.
 */
export type ListedStanding = "verified" | "unverified" | "changed-key" | "unchecked"

/** A person in a server's directory. */
export type ListedPerson = {
  /** From the certificate. If `unchecked`, only the server says so. */
  readonly name: string
  /** SHA-256 of the certificate, hex. It changes with the name. */
  readonly fingerprint: string
  /** Raw Ed25519 key, 64 hex digits, to compare with the person; null if `unchecked`. */
  readonly publicKey: string | null
  readonly standing: ListedStanding
  /** For a roster; null if `unchecked`. */
  readonly card: string | null
}

/** A conference whose roster names this identity, by the server. */
export type ListedConference = {
  readonly id: string
  readonly opensAtMs: number
  readonly endsAtMs: number
  /** Null if the server does not say who it was. */
  readonly creator: ListedPerson | null
  /** Whether this creator has signed a roster with this identity and these times. False: only the server says so. */
  readonly signed: boolean
}

/** `next`: for the following page; null at the end. */
export type DirectoryPage<T> = { readonly entries: readonly T[]; readonly next: string | null }

export type DirectoryOptions = {
  /** Origin of the server, such as `https://meet.example`. */
  readonly server: string
  /** By default, only `find` works, for the identity that this device has chosen. */
  readonly identity?: IdentityHandle
}

/**
 * People and conferences that a server lists. The server is not trusted: certificates, fingerprints and signatures are
 * checked here. It has a connection of its own, so that the server cannot tell which member of a room asks.
 *
 * All calls also reject with `server-unreachable`, `other-server-version`, `server-refused` and `wrong-origin`, and with
 * `closed` after `close`. Calls that prove this identity reject with `certificate-refused` and `proof-refused`, too.
 */
export interface DirectoryHandle {
  /**
   * Returns the name under which the server lists this identity, by its current certificate or by a former one that
   * this device keeps. Null if it lists none of them. Another device may have published a certificate of the same key.
   * @throws KeymootError `certificate-mismatch`: the server sent another certificate in the place of the own one
   */
  publishedName(): Promise<string | null>
  /**
   * Shows this identity's name and public key to everybody that asks this server. Ask the person first.
   * @throws KeymootError `certificate-superseded`: a later certificate of the key is published; `server-full`
   */
  publish(): Promise<void>
  /** Takes it back, also under another name of the same key. */
  withdraw(): Promise<void>
  /** People whose name begins with this, by name. @throws KeymootError `invalid-argument` (no name, or too long) */
  find(name: string, options?: { readonly after?: string }): Promise<DirectoryPage<ListedPerson>>
  /**
   * Conferences that are not over and name this identity, also by a former certificate that this device keeps. The
   * server sees these certificates with their names. To enter one takes its link.
   */
  conferences(options?: { readonly after?: string }): Promise<DirectoryPage<ListedConference>>
  /**
   * Creates a conference with a roster, which the people on it find under `conferences`. The server sees this identity's
   * certificate. They see its name only if it is published. Without `opensAtMs` it opens at once. Enter it with `Conference.resume`.
   * @throws KeymootError as `Conference.schedule`, or `server-full`
   */
  create(
    options: Omit<ScheduleOptions, "identity" | "server" | "opensAtMs"> & { readonly opensAtMs?: number },
  ): Promise<ScheduledConference>
  close(): void
}
