/**
 * The rules of admission: who may link, be inside and write. They follow from the descriptor, the hosts' statements and
 * the invitations that this member holds. Each member decides by itself from the same signed statements, so only
 * statements of hosts count.
 */
import type { InvitationKeys, MemberId, View } from "@keymoot/transport"
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import type { Descriptor } from "../conference/descriptor.ts"
import { fingerprintOf } from "../identity/certificates/certificate.ts"
import type { MemberCredential } from "../identity/certificates/credential-checker.ts"
import { statementsDigestIn } from "../secure-group/attachments.ts"
import { LruMap } from "../wire/index.ts"
import type { Invitations } from "./invitations.ts"
import {
  bearerOf,
  maySetEnd,
  type MemberRights,
  NO_RIGHTS,
  rightsOver,
  roleOf,
  type Standing,
} from "./statements/standing.ts"
import type { PersonKey, Role } from "./statements/statement.ts"

/** Cache size: standings of the last views, by digest. */
const STANDINGS_MAX = 16

export type Certified = Pick<MemberCredential, "member" | "publicKey" | "certificate">

export type EntryRulesConfig = {
  readonly descriptor: Pick<Descriptor, "admission" | "keyAgreement">
  readonly self: Certified
  readonly invitations: Invitations
  /** Whether this is the copy of a conference on this device. Its owner can only read it. */
  readonly copyOnly: boolean
  /** Certificates of members, by id. */
  readonly known: { get(member: MemberId): MemberCredential | undefined }
}

export class EntryRules {
  readonly #config: EntryRulesConfig
  readonly #standings = new LruMap<string, Standing>(STANDINGS_MAX)
  /** Result of the valid statements. */
  standing: Standing
  /** Wall clock of the last tick, for the expiry of tickets. */
  wallMs: number

  constructor(config: EntryRulesConfig, standing: Standing, wallMs: number) {
    this.#config = config
    this.standing = standing
    this.wallMs = wallMs
  }

  get isHost(): boolean {
    return this.isHostKey(keyOf(this.#config.self))
  }

  isHostKey(key: PersonKey): boolean {
    return this.standing.hosts.includes(key)
  }

  /** Whether this member is admitted itself. Otherwise it waits, and may knock. */
  admitsSelf(): boolean {
    const { self, invitations } = this.#config
    return this.#isAdmitted(self, invitations.present(this.standing) !== null)
  }

  /** `keys` is null if another member reported it. The association then proves which invitation it holds. */
  admits(credential: Certified, keys: InvitationKeys | null): boolean {
    const holdsPresent = keys === null || this.holdsPresent(keys)
    return this.#isAdmitted(credential, holdsPresent)
  }

  holdsPresent(keys: InvitationKeys): boolean {
    return this.#config.invitations.isPresent(keys, this.standing)
  }

  /** Whether a member with these keys may have the statement that commits to the secret of the followed link. */
  mayProve(keys: InvitationKeys | null): boolean {
    return this.#config.invitations.isUnproven(keys)
  }

  /** False for everybody whom a roster does not name. */
  mayBeNamed({ member }: Certified): boolean {
    const { admission } = this.#config.descriptor
    return admission.policy !== "roster" || admission.roster.some((person) => person.member === member)
  }

  #isAdmitted(credential: Certified, holdsPresentInvitation: boolean): boolean {
    const { removed, generation, closed, tickets } = this.standing
    const { policy } = this.#config.descriptor.admission
    const key = keyOf(credential)
    if (removed.has(key)) return false
    if (policy === "roster") return this.mayBeNamed(credential)
    if (this.isHostKey(key) || generation?.said.staying.includes(key)) return true
    const print = printOf(credential)
    const isMeant = ({ subject, fingerprint }: (typeof tickets)[number]): boolean =>
      subject === key && fingerprint === print
    if (tickets.some((ticket) => isMeant(ticket) && this.wallMs < ticket.expiresAtMs)) return true
    return (policy === "link" || policy === "ca") && holdsPresentInvitation && !closed
  }

  /** Digest of the statements known now, for the next view. */
  digest(): Uint8Array {
    this.#standings.set(this.standing.digest, this.standing)
    return hexToBytes(this.standing.digest)
  }

  /** Role under the statements that all members of the view knew when it began. It is equal at all of them. */
  roleIn(view: View, member: MemberId): Role {
    const digest = this.#digestIn(view)
    return this.#roleBy((digest !== null && this.#standings.get(digest)) || this.standing, member)
  }

  /** Whether statements came after this member's part in the view. Their roles need another view. */
  isOutdated(view: View): boolean {
    const digest = this.#digestIn(view)
    return digest !== null && digest !== this.standing.digest
  }

  #digestIn(view: View): string | null {
    const digest = statementsDigestIn(view, this.#config.self.member)
    return digest && bytesToHex(digest)
  }

  /** Role under the statements known now. */
  role(member: MemberId): Role {
    return this.#roleBy(this.standing, member)
  }

  /**
   * Role and rank under the statements known now, and what this member may decide about the other one.
   * @param author of an earlier message, whom this member may not have met. It has its role, and nothing is decided.
   */
  rights(member: MemberId, author?: Certified): MemberRights {
    const { descriptor, self, copyOnly } = this.#config
    const met = copyOnly ? undefined : this.#credentialOf(member)
    if (!met) return { role: author ? roleOf(this.standing, keyOf(author)) : "viewer", rank: null, ...NO_RIGHTS }
    const key = keyOf(met)
    const rank = this.standing.hosts.indexOf(key)
    const rights = descriptor.keyAgreement === "majority" ? NO_RIGHTS : rightsOver(this.standing, keyOf(self), key)
    return { role: roleOf(this.standing, key), rank: rank < 0 ? null : rank, ...rights }
  }

  /** Whether this member may set the end of the conference. */
  get maySetEnd(): boolean {
    const { descriptor, self, copyOnly } = this.#config
    return !copyOnly && descriptor.keyAgreement !== "majority" && maySetEnd(this.standing, keyOf(self))
  }

  /** A member with an unknown certificate gets the least rights. */
  #roleBy(standing: Standing, member: MemberId): Role {
    const credential = this.#credentialOf(member)
    return credential && !this.#config.copyOnly ? roleOf(standing, keyOf(credential)) : "viewer"
  }

  #credentialOf(member: MemberId): Certified | undefined {
    const { known, self } = this.#config
    return member === self.member ? self : known.get(member)
  }

  isRemoved(member: MemberId): boolean {
    const credential = this.#config.known.get(member)
    return credential !== undefined && this.standing.removed.has(keyOf(credential))
  }

  /**
   * Whether a person is or was admitted, to judge its earlier messages. "unknown" if the link alone admits, because
   * nobody can know who held it.
   */
  wasAdmitted(credential: Certified): "yes" | "no" | "unknown" {
    const { descriptor, self, known } = this.#config
    const { policy } = descriptor.admission
    if (policy === "roster") return this.mayBeNamed(credential) ? "yes" : "no"
    // The checker accepts only certificates of the authority.
    if (policy === "ca") return "yes"
    if (this.wasAdmittedByHost(credential)) return "yes"
    if (policy === "approval") return "no"
    return credential.member === self.member || known.get(credential.member) ? "yes" : "unknown"
  }

  /** Whether this person was a host, or a host has ever admitted it or let it stay. */
  wasAdmittedByHost(credential: Certified): boolean {
    const key = keyOf(credential)
    const { everHosts, stayed, everAdmitted } = this.standing
    const bearer = bearerOf({ subject: key, fingerprint: printOf(credential) })
    return everHosts.has(key) || stayed.has(key) || everAdmitted.has(bearer)
  }
}

export function keyOf({ publicKey }: Pick<Certified, "publicKey">): PersonKey {
  return bytesToHex(publicKey)
}

export function printOf({ certificate }: Pick<Certified, "certificate">): string {
  const known = prints.get(certificate)
  if (known !== undefined) return known
  const print = bytesToHex(fingerprintOf(certificate))
  prints.set(certificate, print)
  return print
}
/** Cache of fingerprints. Hashing a certificate takes as long as decrypting several messages. */
const prints = new WeakMap<Uint8Array, string>()
