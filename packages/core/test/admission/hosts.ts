import { bytesToHex } from "@noble/hashes/utils.js"
import {
  NO_STATEMENT,
  type SignedStatement,
  signStatement,
  type StatementBody,
  type StatementId,
  type StatementScope,
} from "../../src/admission/statements/statement.ts"
import { StatementSet } from "../../src/admission/statements/statement-set.ts"
import type { Ground } from "../../src/admission/statements/standing.ts"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import type { OwnIdentity } from "../../src/identity/own-identity.ts"
import { newcomer } from "../identity/people.ts"

export const scope: StatementScope = { conferenceId: new Uint8Array(16), descriptorHash: new Uint8Array(32) }
/** Planned end and bounds. */
export const TIMES = { startsAtMs: 1_000, endsAtMs: 5_000, expiresAtMs: 9_000 }
export const checker = createCredentialChecker()

/** Somebody who may say things as a host, with a chain of its own, whatever anybody thinks of it. */
export class Speaker {
  readonly identity: OwnIdentity
  /** In the present office. */
  said: SignedStatement[] = []
  office: StatementId = NO_STATEMENT
  /** The offices in force before. */
  after: StatementId = NO_STATEMENT

  static async of(name: string): Promise<Speaker> {
    return new Speaker(await newcomer(name))
  }

  constructor(identity: OwnIdentity) {
    this.identity = identity
  }

  get key(): string {
    return bytesToHex(this.identity.publicKey)
  }

  get last(): StatementId {
    return this.said.at(-1)?.id ?? this.after
  }

  /** The same host with the same office, which has said only so much of it: what it says next contradicts the rest. */
  fork(length = 0): Speaker {
    const other = new Speaker(this.identity)
    return Object.assign(other, { said: this.said.slice(0, length), office: this.office, after: this.after })
  }

  /** `heard`: the last statement of the one that it is about. */
  async say(body: StatementBody, heard = NO_STATEMENT): Promise<SignedStatement> {
    const { key: issuer, office, last: previous } = this
    const statement = { issuer, office, number: this.said.length + 1, previous, heard, body }
    const signed = await signStatement(this.identity.signer, scope, statement)
    this.said.push(signed)
    return signed
  }

  async makes(other: Speaker, role: "host" | "editor" | "viewer"): Promise<SignedStatement> {
    const signed = await this.say({ type: "role", subject: other.key, role }, other.last)
    if (role === "host") Object.assign(other, { office: signed.id, after: other.last, said: [] })
    return signed
  }

  removes(other: Speaker): Promise<SignedStatement> {
    return this.say({ type: "removal", subject: other.key }, other.last)
  }
}

/** As it is at a member of the conference that has said nothing. */
export function setOf(creator: Speaker, self: Speaker | null = null): StatementSet {
  return new StatementSet(groundOf(creator), scope, checker, self?.key ?? "ff".repeat(32))
}

export function groundOf(creator: Speaker, unnamed: "editor" | "viewer" = "editor"): Ground {
  return { creator: creator.key, unnamed, times: TIMES }
}

export function bytesOf(...statements: readonly SignedStatement[]): Uint8Array[] {
  return statements.map(({ bytes }) => bytes)
}
