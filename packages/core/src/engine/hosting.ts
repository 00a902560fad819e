/** What only a host can do: each act is one or more signed statements, which every member then judges for itself. */
import type { MemberId, Signer } from "@keymoot/transport"
import { randomBytes } from "@noble/hashes/utils.js"
import { KeymootError } from "../api.ts"
import {
  commitmentOf,
  NO_STATEMENT,
  removalsDigest,
  roleOf,
  signStatement,
  STAYING_MAX,
  type GuestRole,
  type PersonKey,
  type Role,
  type SignedStatement,
  type StatementBody,
  type StatementScope,
  type StatementSet,
} from "../admission/index.ts"
import type { Descriptor } from "../conference/index.ts"
import type { MemberCredential } from "../identity/index.ts"
import { type Gate, keyOf, printOf } from "./gate.ts"
import { INVITATION_SECRET_BYTES, type Invitations } from "./invitations.ts"
import type { Notices } from "./notices.ts"

export type HostingConfig = {
  readonly descriptor: Descriptor
  readonly scope: StatementScope
  readonly set: StatementSet
  readonly signer: Signer
  readonly self: PersonKey
  readonly gate: Gate
  readonly notices: Notices
  readonly invitations: Invitations
  /** Members of the present view, this one included. */
  readonly present: () => readonly MemberCredential[]
}

export class Hosting {
  readonly #config: HostingConfig
  /** One act at a time, since each statement names the one before. */
  #last: Promise<unknown> = Promise.resolve()
  #renewing = false

  constructor(config: HostingConfig) {
    this.#config = config
  }

  /** @throws KeymootError `not-permitted`, `too-large` */
  remove({ publicKey }: MemberCredential): Promise<void> {
    return this.#act(async () => {
      const subject = keyOf({ publicKey })
      this.#assertAbove(subject)
      const removal = { type: "removal", subject } as const
      if (this.#config.descriptor.admission.policy === "roster") return this.#say(removal)
      // At once: with a removal alone the link lets nobody in, nor back in.
      const removed = new Set([...this.#config.set.standing.removed, subject])
      await this.#say(removal, this.#invitation(removed))
    })
  }

  /** @throws KeymootError `not-permitted`, `too-large`, `invalid-argument` for a viewer where nobody signs what is sent */
  setRole(member: MemberCredential, role: Role): Promise<void> {
    return this.#act(async () => {
      this.#assertTellsApart(role)
      const subject = keyOf(member)
      this.#assertAbove(subject)
      const { set } = this.#config
      if (roleOf(set.standing, subject, printOf(member)) === role) return
      await this.#say({ type: "role", subject, role })
      if (roleOf(set.standing, subject, printOf(member)) !== role) {
        throw notPermitted("A host of a higher rank has given this member its role. Ask that host.")
      }
    })
  }

  /** @throws KeymootError `not-permitted`, `invalid-argument` for nobody who knocks, `too-large` */
  admit(member: MemberId, role: GuestRole): Promise<void> {
    return this.#act(async () => {
      this.#assertTellsApart(role)
      const { gate, set, descriptor } = this.#config
      const guest = gate.outsider(member)
      if (!guest) throw new KeymootError("invalid-argument", "Nobody of this id is waiting to be let in.")
      const generation = set.standing.generation?.id ?? NO_STATEMENT
      await this.#say({
        type: "ticket",
        fingerprint: printOf(guest),
        role,
        generation,
        expiresAtMs: descriptor.endsAtMs,
      })
    })
  }

  /** @throws KeymootError `not-permitted`, `invalid-argument` */
  refuse(member: MemberId): Promise<void> {
    return this.#act(async () => {
      const { gate, notices } = this.#config
      if (!gate.outsider(member)) {
        throw new KeymootError("invalid-argument", "Nobody of this id is waiting to be let in.")
      }
      notices.refuse(member)
      gate.refuse(member)
    })
  }

  /**
   * After a merge there may be removals that the maker of the present invitation had not heard of. Until there is another
   * one the link lets nobody in; the highest host that is here makes it.
   */
  renewIfClosed(): void {
    const { set, self, present, descriptor } = this.#config
    const { closed, hosts } = set.standing
    if (!closed || this.#renewing || descriptor.admission.policy === "roster") return
    const here = new Set(present().map(keyOf))
    if (hosts.find((host) => here.has(host)) !== self) return
    this.#renewing = true
    void this.#act(async () => {
      if (set.standing.closed) await this.#say(this.#invitation(set.standing.removed))
    })
      .catch(() => undefined)
      .finally(() => {
        this.#renewing = false
      })
  }

  /** What a viewer sends is ignored, which takes knowing who sent it. */
  #assertTellsApart(role: Role): void {
    if (role !== "viewer" || this.#config.descriptor.authenticity === "signature") return
    const message =
      'There are no viewers where messages are proved by the group key only: take authenticity "signature".'
    throw new KeymootError("invalid-argument", message)
  }

  /** A new invitation, which those who are here need not have. */
  #invitation(removed: ReadonlySet<PersonKey>): StatementBody {
    const { set, scope, gate, present, invitations } = this.#config
    const { standing } = set
    const secret = randomBytes(INVITATION_SECRET_BYTES)
    invitations.add(secret)
    const known = [...present().map(keyOf), ...gate.seen, ...standing.stayed]
    const staying = [...new Set(known)].filter((key) => !removed.has(key)).slice(0, STAYING_MAX)
    return {
      type: "generation",
      generation: (standing.generation?.said.generation ?? this.#config.descriptor.generation) + 1,
      commitment: commitmentOf(secret, scope),
      removals: removalsDigest(removed),
      staying,
    }
  }

  async #say(...bodies: readonly StatementBody[]): Promise<void> {
    const { set, self, signer, scope, notices } = this.#config
    const said: SignedStatement[] = []
    for (const body of bodies) {
      const last = said.at(-1) ?? set.last(self)
      const subject = "subject" in body ? set.last(body.subject) : null
      const statement = {
        issuer: self,
        number: (last?.statement.number ?? 0) + 1,
        previous: last?.id ?? NO_STATEMENT,
        heard: subject?.id ?? NO_STATEMENT,
        body,
      }
      said.push(await signStatement(signer, scope, statement))
    }
    await notices.add(said.map(({ bytes }) => bytes))
  }

  #assertAbove(subject: PersonKey): void {
    const { set, self } = this.#config
    const { hosts } = set.standing
    const rank = hosts.indexOf(subject)
    if (subject === self || (rank >= 0 && rank < hosts.indexOf(self))) {
      throw notPermitted("A host can do this to those who came after it, not to itself or a host of a higher rank.")
    }
  }

  #act(action: () => Promise<void>): Promise<void> {
    const run = this.#last.then(() => {
      const { gate, set, self, descriptor } = this.#config
      if (!gate.isHost) throw notPermitted("Only a host of this conference can do this.")
      if (descriptor.keyAgreement === "majority") {
        throw notPermitted(
          "Under majority the roster stands as it was made. Make another conference without this member.",
        )
      }
      if (set.isFullFor(self)) {
        throw new KeymootError("too-large", "Hosts have said all that a conference holds. Make another conference.")
      }
      return action()
    })
    this.#last = run.catch(() => undefined)
    return run
  }
}

function notPermitted(message: string): KeymootError {
  return new KeymootError("not-permitted", message)
}
