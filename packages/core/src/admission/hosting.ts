/** Actions of hosts. Each action is one or more signed statements, which every member evaluates for itself. */
import type { MemberId, Signer, Sink } from "@keymoot/transport"
import { randomBytes } from "@noble/hashes/utils.js"
import { KeymootError } from "../api/index.ts"
import {
  commitmentOf,
  type GuestRole,
  NO_STATEMENT,
  type PersonKey,
  removalsDigest,
  type Role,
  type SignedStatement,
  signStatement,
  type StatementBody,
  type StatementScope,
  STAYING_MAX,
} from "./statements/statement.ts"
import { HOSTS_MAX, maySetEnd, rightsOver, roleOf } from "./statements/standing.ts"
import type { StatementSet } from "./statements/statement-set.ts"
import type { Descriptor } from "../conference/descriptor.ts"
import { createQueue } from "../queues/action-queue.ts"
import type { MemberCredential } from "../identity/certificates/credential-checker.ts"
import { announcedEnd } from "./known-end.ts"
import type { AdmissionCore } from "./admission-core.ts"
import type { AdmissionInput } from "./admission-io.ts"
import { keyOf, printOf } from "./entry-rules.ts"
import { INVITATION_SECRET_BYTES } from "./invitations.ts"

/** Statements that admissions and role changes leave free in the quota, so that a host can still remove people. */
export const REMOVALS_RESERVED = 4

export type HostingConfig = {
  readonly descriptor: Descriptor
  readonly scope: StatementScope
  readonly set: StatementSet
  readonly signer: Signer
  readonly self: PersonKey
  readonly core: AdmissionCore
  readonly inputs: Sink<AdmissionInput>
  /**
   * Takes own statements. Its owner first stores all, including those in `saying`, for the next incarnation of this
   * member. Then it merges and sends them.
   */
  readonly statements: Sink<readonly Uint8Array[], Promise<void>>
}

export class Hosting {
  readonly #config: HostingConfig
  #saying: readonly Uint8Array[] = []
  /** Serializes actions, because each statement names its predecessor. */
  readonly #inOrder = createQueue()
  #renewing = false

  constructor(config: HostingConfig) {
    this.#config = config
  }

  /** Statements that are signed and not merged yet. */
  get saying(): readonly Uint8Array[] {
    return this.#saying
  }

  /** @throws KeymootError `not-permitted`, `too-large` */
  remove({ publicKey }: MemberCredential): Promise<void> {
    return this.#act(0, async () => {
      const subject = keyOf({ publicKey })
      this.#assertAbove(subject)
      const removal = { type: "removal", subject } as const
      if (this.#config.descriptor.admission.policy === "roster") return this.#say(removal)
      // Issues the new invitation with the removal. After a removal alone the link would admit nobody, neither
      // newcomers nor returning members.
      const removed = new Set([...this.#config.set.standing.removed, subject])
      await this.#say(removal, this.#invitation(removed))
    })
  }

  /**
   * @throws KeymootError `not-permitted`, `too-large`, `invalid-argument` for no role, and for a viewer in a conference
   * without signatures
   */
  setRole(member: MemberCredential, role: Role): Promise<void> {
    return this.#act(REMOVALS_RESERVED, async () => {
      this.#assertRole(role, ["host", "editor", "viewer"])
      const subject = keyOf(member)
      this.#assertAbove(subject)
      const { set, self } = this.#config
      if (roleOf(set.standing, subject) === role) return
      if (!rightsOver(set.standing, self, subject).maySetRole) {
        throw notPermitted("A host of a higher rank has given this member its role. Ask that host.")
      }
      await this.#say({ type: "role", subject, role })
      if (role === "host" && !set.standing.everHosts.has(subject)) {
        throw new KeymootError("too-large", `There is room for ${HOSTS_MAX} hosts beside the creator of a conference.`)
      }
    })
  }

  /** @throws KeymootError `not-permitted`, `invalid-argument` for a member that does not wait, `too-large` */
  admit(member: MemberId, role: GuestRole): Promise<void> {
    return this.#act(REMOVALS_RESERVED, async () => {
      this.#assertRole(role, ["editor", "viewer"])
      const { core, set, descriptor } = this.#config
      const guest = core.gate.outsider(member)
      if (!guest) throw notWaiting()
      const generation = set.standing.generation?.id ?? NO_STATEMENT
      await this.#say({
        type: "ticket",
        subject: keyOf(guest),
        fingerprint: printOf(guest),
        role,
        generation,
        expiresAtMs: descriptor.expiresAtMs,
      })
    })
  }

  /**
   * Sets the end of the conference; null ends it now, by every member's clock. Returns what the creator announces at
   * the server to people outside.
   * @throws KeymootError `not-permitted`, `invalid-argument`, `too-large`
   */
  setEnd(atMs: number | null, nowMs: number): Promise<Uint8Array | null> {
    return this.#act(REMOVALS_RESERVED, async () => {
      const { set, self, descriptor } = this.#config
      const { startsAtMs, expiresAtMs } = descriptor
      if (atMs !== null && !(Number.isSafeInteger(atMs) && atMs > nowMs && atMs <= expiresAtMs)) {
        const latest = new Date(expiresAtMs).toISOString()
        throw new KeymootError("invalid-argument", `Give an end in the future, at ${latest} at the latest.`)
      }
      if (!maySetEnd(set.standing, self)) throw notPermitted("A host of a higher rank has set the end. Ask that host.")
      const { creatorsEnds } = set.standing
      const endsAtMs = atMs === null ? unusedEnd(startsAtMs, 1, creatorsEnds) : unusedEnd(atMs, -1, creatorsEnds)
      await this.#say({ type: "end", endsAtMs })
      if (self !== keyOf(descriptor.creator)) return null
      return announcedEnd(this.#config.signer, descriptor.conferenceId, { endsAtMs, saidAtMs: nowMs })
    })
  }

  /** @throws KeymootError `not-permitted`, `invalid-argument` */
  refuse(member: MemberId): Promise<void> {
    return this.#act(0, async () => {
      const { core, inputs } = this.#config
      if (!core.gate.outsider(member)) throw notWaiting()
      inputs.take({ type: "refuse", member })
    })
  }

  /** Issues a new invitation, because the present one admits nobody. Failures are retried with the next tick. */
  renew(): void {
    if (this.#renewing) return
    const { set } = this.#config
    this.#renewing = true
    void this.#act(0, async () => {
      if (set.standing.closed) await this.#say(this.#invitation(set.standing.removed))
    })
      .catch(() => undefined)
      .finally(() => {
        this.#renewing = false
      })
  }

  #assertRole(role: Role, allowed: readonly Role[]): void {
    if (!allowed.includes(role)) throw new KeymootError("invalid-argument", `role must be ${allowed.join(" or ")}.`)
    // Members ignore a viewer's messages, which needs a signature that proves the sender.
    if (role !== "viewer" || this.#config.descriptor.authenticity === "signature") return
    const message =
      'There are no viewers where messages are proved by the group key only: take authenticity "signature".'
    throw new KeymootError("invalid-argument", message)
  }

  /** Returns a new invitation. Present members do not need it. */
  #invitation(removed: ReadonlySet<PersonKey>): StatementBody {
    const { set, scope, core, inputs } = this.#config
    const { standing } = set
    const secret = randomBytes(INVITATION_SECRET_BYTES)
    inputs.take({ type: "issue", secret })
    const known = [...core.present.map(keyOf), ...core.gate.seen, ...standing.stayed]
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
    const { set, signer, scope, statements } = this.#config
    const said: SignedStatement[] = []
    for (const body of bodies) {
      const place = set.next(said.at(-1))
      if (!place) throw notPermitted("Only a host of this conference can do this.")
      const heard = ("subject" in body && set.standing.heads.get(body.subject)) || NO_STATEMENT
      said.push(await signStatement(signer, scope, { ...place, heard, body }))
    }
    // Stored before it is sent. An incarnation that had forgotten it would sign a different statement with the same
    // number.
    this.#saying = said.map(({ bytes }) => bytes)
    await statements.take(this.#saying)
    this.#saying = []
  }

  #assertAbove(subject: PersonKey): void {
    const { set, self } = this.#config
    if (!rightsOver(set.standing, self, subject).mayRemove) {
      throw notPermitted("A host can do this only to members of a lower rank. Ask a host of a higher rank.")
    }
  }

  /** `reserved`: statements that must still fit into the quota afterwards. */
  #act<T>(reserved: number, action: () => Promise<T>): Promise<T> {
    return this.#inOrder(async () => {
      const { core, set, descriptor } = this.#config
      if (!core.rules.isHost) throw notPermitted("Only a host of this conference can do this.")
      if (descriptor.keyAgreement === "majority") {
        throw notPermitted(
          "Under majority the roster stands as it was made. Make another conference without this member.",
        )
      }
      if (!set.hasRoomFor(1 + reserved)) {
        throw new KeymootError(
          "too-large",
          "This conference can hold no more decisions of hosts. Create another conference.",
        )
      }
      return action()
    })
  }
}

/**
 * Returns the time, or one some milliseconds beside it. Each end of the creator differs from its others. So an announced
 * end tells which statement it belongs to.
 */
function unusedEnd(atMs: number, stepMs: 1 | -1, used: ReadonlySet<number>): number {
  return used.has(atMs) ? unusedEnd(atMs + stepMs, stepMs, used) : atMs
}

function notPermitted(message: string): KeymootError {
  return new KeymootError("not-permitted", message)
}

export function notWaiting(): KeymootError {
  const message = "No waiting person has this id. Take one from `admissionState.knocks`."
  return new KeymootError("invalid-argument", message)
}
